"""The priorities of all waiting jobs, now and later."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from strategies import snapshots

from predictor.domain import (
    Association,
    Fairshare,
    Hold,
    Node,
    NodeState,
    PriorityFactors,
    PriorityWeights,
    SchedulerSettings,
    Sharing,
)
from predictor.priority.forward import Priorities
from predictor.priority.tariff import Run

NOW = 1_700_000_000
# One point of age per 10 s, recomputed every 5 minutes; by rank, fairshare is worth 500 or 1000.
SETTINGS = SchedulerSettings(
    weights=PriorityWeights(age=1_000, fairshare=1_000),
    priority_max_age_s=10_000,
    priority_period_s=300,
    priority_half_life_s=0,
)
ASSOCIATIONS = (
    Association(account="root", fairshare=Fairshare(usage_raw=3_000)),
    Association(account="a", parent="root", fairshare=Fairshare(usage_raw=3_000)),
    Association(account="a", user="busy", fairshare=Fairshare(usage_raw=2_000)),
    Association(account="a", user="idle", fairshare=Fairshare(usage_raw=1_000)),
)


@pytest.fixture
def cluster(snapshot):
    """Make a snapshot with shares: `cluster(job, ..., priority_flags=(...))`."""

    def make(*jobs, associations=ASSOCIATIONS, nodes=(), **changed):
        settings = replace(SETTINGS, **changed)
        return snapshot(*jobs, associations=associations, nodes=nodes, settings=settings)

    return make


@pytest.fixture
def waiting(job):
    """Make a job of account `a` that has aged for so many seconds."""

    def make(id_, user="busy", aged_s=None, *, shown=None, **more):
        since = None if aged_s is None else NOW - aged_s
        priorities = () if shown is None else (factors(**shown),)
        more.setdefault("pending", {}).setdefault("priorities", priorities)
        return job(id_, user=user, account="a", accrues_age_since=since, **more)

    return make


def factors(priority, **points):
    return PriorityFactors(partition="batch", priority=priority, **points)


def numbers(priorities):
    return {job: number for (job, _), number in priorities.numbers.items()}


def test_age_counts_at_recomputations_only(cluster, waiting):
    begun = Priorities.of(cluster(waiting("1", aged_s=1_000)))
    assert [numbers(begun.at(NOW + s))["1"] for s in (0, 299, 300, 599, 600)] == [
        600,
        600,
        630,
        630,
        660,
    ]


def test_steps_or_one_leap_are_the_same(cluster, waiting):
    begun = Priorities.of(cluster(waiting("1", aged_s=1_000), waiting("2", "idle", 0)))
    runs = [Run(who=("a", "idle", ""), rate=4, started_at=NOW + 50, ended_at=NOW + 450)]
    stepped = begun
    for later in range(60, 3_600, 60):
        stepped = stepped.at(NOW + later, runs)
    assert stepped == begun.at(NOW + 3_599, runs)


def test_the_next_recomputation_keeps_the_pace_of_the_last(cluster, waiting):
    # Of 1000 s only 800 count: the last recomputation was about 200 s ago.
    shown = {"priority": 580, "age": 80, "fairshare": 500}
    begun = Priorities.of(cluster(waiting("1", aged_s=1_000, shown=shown)))
    assert begun.recomputed_at == pytest.approx(NOW - 200, abs=5)
    assert numbers(begun.at(NOW + 90)) == {"1": 580}
    assert numbers(begun.at(NOW + 110)) == {"1": 610}


def test_who_runs_much_falls_behind(cluster, waiting):
    begun = Priorities.of(cluster(waiting("1", "busy", 0), waiting("2", "idle", 0)))
    assert numbers(begun) == {"1": 500, "2": 1_000}
    runs = [Run(who=("a", "idle", ""), rate=4, started_at=NOW)]  # 1200 in a period
    assert numbers(begun.at(NOW + 300, runs)) == {"1": 1_030, "2": 530}


# Of its node's 16 CPUs it asks for 4, in a cluster of two nodes.
SIZES = {"asked": 0.5 * (1 / 2 + 4 / 32), "planned": 0.5 * (1 / 2 + 16 / 32)}
NODES = tuple(Node(name=n, cpus=16, memory_mb=1, state=NodeState.IDLE) for n in ("n1", "n2"))


@pytest.mark.parametrize(
    "points",
    [
        pytest.param("asked", id="not tried yet"),
        pytest.param("planned", id="tried, whether or not it is eligible now"),
    ],
)
def test_whole_nodes_count_once_a_job_was_tried(cluster, waiting, points):
    size = {name: int(1_000 * factor) for name, factor in SIZES.items()}
    shown = {"priority": size[points], "age": 0, "fairshare": 0, "job_size": size[points]}
    one = waiting("1", cpus=4, request={"sharing": Sharing.EXCLUSIVE}, shown=shown)
    weights = PriorityWeights(job_size=1_000)
    begun = Priorities.of(cluster(one, weights=weights, nodes=NODES))
    assert numbers(begun) == numbers(begun.at(NOW + 300)) == {"1": size[points]}
    assert numbers(begun.at(NOW + 300, tried={"1"})) == {"1": size["planned"]}


def test_a_factor_in_force_is_that_of_the_last_recomputation(cluster, waiting):
    # By usage busy is behind, but that of its job that ended a moment ago does not count yet.
    busy, idle = (replace(one.fairshare, factor=1.0) for one in ASSOCIATIONS[2:])
    told = (replace(ASSOCIATIONS[2], fairshare=busy), replace(ASSOCIATIONS[3], fairshare=idle))
    begun = Priorities.of(cluster(waiting("1", "busy", 0), associations=(*ASSOCIATIONS[:2], *told)))
    assert [numbers(begun.at(NOW + s))["1"] for s in (0, 300)] == [1_000, 530]


def test_who_arrives_later_gets_the_number_of_its_user(cluster, waiting):
    later = waiting("3", "idle", aged_s=-400, wait_s=-400, shown={"priority": 7, "fairshare": 7})
    begun = Priorities.of(cluster(waiting("1", "busy", 0)), [later])
    runs = [Run(who=("a", "idle", ""), rate=4, started_at=NOW)]
    assert [numbers(begun.at(NOW + s, runs))["3"] for s in (0, 300, 600)] == [1_000, 500, 520]


def test_what_is_shown_of_an_arrival_counts_where_nothing_can_be_computed(cluster, waiting):
    jobs = (waiting("held", priority=0), waiting("shown", priority=7), waiting("unknown"))
    assert numbers(Priorities.of(cluster(associations=()), jobs)) == {"held": 0, "shown": 7}


def test_a_usage_reset_forgives_all_but_the_period_it_falls_into(cluster, waiting):
    daily = cluster(waiting("1", "busy", 0), waiting("2", "idle", 0), priority_usage_reset="DAILY")
    midnight = NOW - NOW % 86_400 + 86_400
    begun = Priorities.of(daily)
    runs = [
        Run(who=("a", "busy", ""), rate=1, started_at=NOW, ended_at=midnight - 50),
        Run(who=("a", "idle", ""), rate=1, started_at=midnight - 1),
    ]
    before, after = (begun.at(midnight + s, runs).shares.usage for s in (-1, 300))
    assert before[0] > 3_000
    assert after[0] == after[-1] <= 300


def test_held_jobs_stay_at_zero(cluster, waiting):
    jobs = (
        waiting("1", aged_s=900, pending={"hold": Hold.USER}, priority=77),
        waiting("2", aged_s=900, priority=0),
    )
    begun = Priorities.of(cluster(*jobs))
    assert numbers(begun) == numbers(begun.at(NOW + 900)) == {"1": 0, "2": 0}


def test_jobs_age_from_when_they_become_eligible(cluster, waiting):
    jobs = (waiting("begins", eligible_at=NOW + 200), waiting("depends"), waiting("never"))
    later = Priorities.of(cluster(*jobs)).at(NOW + 600, accruing={"depends": NOW + 100})
    assert numbers(later) == {"begins": 540, "depends": 550, "never": 500}


def test_what_is_said_of_age_between_recomputations_is_not_lost(cluster, waiting):
    begun = Priorities.of(cluster(waiting("1")))
    assert numbers(begun.at(NOW + 100, accruing={"1": NOW}).at(NOW + 300)) == {"1": 530}


def test_a_site_may_count_age_from_submission(cluster, waiting):
    begun = Priorities.of(cluster(waiting("1", wait_s=50), priority_flags=("ACCRUE_ALWAYS",)))
    assert numbers(begun.at(NOW + 300)) == {"1": 535}


def test_every_partition_has_its_own_number(cluster, waiting):
    one = waiting("1", partitions=("batch", "urgent"))
    weights = replace(SETTINGS.weights, partition=50)
    begun = Priorities.of(cluster(one, weights=weights))
    assert begun.numbers == {("1", "batch"): 550, ("1", "urgent"): 516}


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(
            {"priority": 77, "age": 90, "fairshare": 500}, id="its summands do not add up"
        ),
        pytest.param(None, id="it alone has no summands"),
    ],
)
def test_what_somebody_set_by_hand_stays(cluster, waiting, shown):
    by_hand = waiting("1", aged_s=900, shown=shown, eligible_at=NOW - 900, priority=77)
    other = waiting("2", aged_s=900, shown={"priority": 590, "age": 90, "fairshare": 500})
    later = Priorities.of(cluster(by_hand, other)).at(NOW + 600)
    assert numbers(later) == {"1": 77, "2": 650}


def test_hidden_shares_freeze_the_fairshare_shown(cluster, waiting):
    shown = {"priority": 423, "age": 100, "fairshare": 323}
    begun = Priorities.of(cluster(waiting("1", aged_s=1_000, shown=shown), associations=()))
    assert numbers(begun.at(NOW + 300)) == {"1": 453}


def test_where_nothing_is_shown_and_shares_are_hidden_the_number_stays(cluster, waiting):
    jobs = (waiting("1", aged_s=1_000, priority=423), waiting("2", aged_s=1_000))
    begun = Priorities.of(cluster(*jobs, associations=()))
    assert numbers(begun.at(NOW + 300)) == {"1": 423}


def test_a_site_may_let_priorities_rise_only(cluster, waiting):
    jobs = (waiting("1", "busy", 0), waiting("2", "idle", 0))
    runs = [Run(who=("a", "idle", ""), rate=4, started_at=NOW)]
    later = Priorities.of(cluster(*jobs, priority_flags=("INCR_ONLY",))).at(NOW + 300, runs)
    assert numbers(later) == {"1": 1_030, "2": 1_000}


def test_first_come_first_served(cluster, waiting):
    jobs = (
        waiting("12", wait_s=10),
        waiting("9", wait_s=10),
        waiting("7", wait_s=5),
        waiting("8", wait_s=99, pending={"hold": Hold.ADMIN}),
        waiting("10", wait_s=1, priority=4_294_901_000),
    )
    begun = Priorities.of(cluster(*jobs, multifactor=False))
    found = numbers(begun)
    assert sorted(found, key=lambda job: -found[job]) == ["9", "12", "7", "10", "8"]
    assert found["8"] == 0
    assert found["10"] == 4_294_901_000
    assert begun.at(NOW + 10**6) == begun


@given(snapshots())
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_no_snapshot_is_too_odd(drawn):
    begun = Priorities.of(replace(drawn, taken_at=NOW))
    period_s = max(1, drawn.settings.priority_period_s)
    if period_s < 10**6:
        begun = begun.at(NOW + 3 * period_s)
    assert all(isinstance(number, int) for number in begun.numbers.values())
