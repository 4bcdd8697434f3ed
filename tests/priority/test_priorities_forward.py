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
    PassSettings,
    PriorityFactors,
    PriorityWeights,
    SchedulerSettings,
    Sharing,
)
from predictor.engine.ranking import Ranking
from predictor.engine.ranking_tables import UNKNOWN
from predictor.priority.priorities import Priorities
from predictor.simulation.ranking_lowering import lower_ranking

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
    """Make a snapshot with shares: `cluster(job, ..., priorities_only_rise=True)`."""

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


class Later:
    """Priorities moved forward by the engine, told in seconds since the snapshot."""

    def __init__(self, snapshot, arrivals=()):
        self.lowered = lower_ranking(snapshot, arrivals, until=NOW + 86_400, most_begun=2)
        self.ranking = Ranking(self.lowered.tables)
        self.begun = 0

    def begins(self, like, rate, at_s, end_s=86_400):
        """Let somebody run who is charged like the waiting job `like`."""
        slot = self.lowered.slots[like, "batch"]
        self.ranking.begin(self.begun, slot, rate, NOW + at_s, NOW + end_s)
        self.begun += 1
        return self

    def of_age(self, id_, at_s):
        self.ranking.accrue(self.lowered.slots[id_, "batch"], NOW + at_s)
        return self

    def tried(self, id_):
        self.ranking.tried(self.lowered.slots[id_, "batch"], 0)
        return self

    def enters(self, id_, at_s):
        self.ranking.enter(self.lowered.slots[id_, "batch"], NOW + at_s)
        return self

    def at(self, after_s):
        """Return the numbers then, by id."""
        while self.ranking.due_at() <= NOW + after_s:
            self.ranking.recompute(self.ranking.due_at())
        return {id_: self.ranking.value(slot) for (id_, _), slot in self.lowered.slots.items()}

    def of(self, id_, after_s):
        """Return the number then in the first partition."""
        self.at(after_s)
        return self.ranking.value(self.lowered.slots[id_, "batch"])


def test_age_counts_at_recomputations_only(cluster, waiting):
    later = Later(cluster(waiting("1", aged_s=1_000)))
    assert [later.at(s)["1"] for s in (0, 299, 300, 599, 600)] == [600, 600, 630, 630, 660]


def test_the_next_recomputation_keeps_the_pace_of_the_last(cluster, waiting):
    # Of 1000 s only 800 count: the last recomputation was about 200 s ago.
    shown = {"priority": 580, "age": 80, "fairshare": 500}
    snapshot = cluster(waiting("1", aged_s=1_000, shown=shown))
    assert Priorities.of(snapshot).recomputed_at == pytest.approx(NOW - 200, abs=5)
    later = Later(snapshot)
    assert [later.at(s) for s in (90, 110)] == [{"1": 580}, {"1": 610}]


def test_who_runs_much_falls_behind(cluster, waiting):
    snapshot = cluster(waiting("1", "busy", 0), waiting("2", "idle", 0))
    assert numbers(Priorities.of(snapshot)) == {"1": 500, "2": 1_000}
    assert Later(snapshot).begins("2", rate=4, at_s=0).at(300) == {"1": 1_030, "2": 530}


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
    snapshot = cluster(one, weights=PriorityWeights(job_size=1_000), nodes=NODES)
    later = Later(snapshot)
    assert later.at(0) == later.at(300) == {"1": size[points]}
    assert later.tried("1").at(600) == {"1": size["planned"]}


@pytest.mark.parametrize("points", ["asked", "planned"])
def test_where_no_factors_are_shown_the_priority_tells_whether_a_job_was_tried(
    cluster, waiting, points
):
    # As of an array that may have no more tasks running: it waits for no instant.
    size = {name: int(1_000 * factor) for name, factor in SIZES.items()}
    one = waiting("1", cpus=4, request={"sharing": Sharing.EXCLUSIVE})
    spec = replace(one.spec, priority=size[points], eligible_at=None, submitted_at=NOW - 1_000)
    other = waiting("2", shown={"priority": 1, "age": 0, "fairshare": 0, "job_size": 1})
    weights = PriorityWeights(job_size=1_000)
    snapshot = cluster(replace(one, spec=spec, priorities=()), other, weights=weights, nodes=NODES)
    later = Later(snapshot)
    assert (later.at(0)["1"], later.at(600)["1"]) == (size[points], size[points])
    assert later.tried("1").at(900)["1"] == size["planned"]


MIXED = (NODES[0], replace(NODES[1], cpus=48))


@pytest.mark.parametrize(
    ("nodes", "asked", "settings", "size"),
    [
        pytest.param(MIXED, Sharing.EXCLUSIVE, {}, (250, 1_000 / 128), id="the more, the more"),
        pytest.param(
            MIXED,
            Sharing.EXCLUSIVE,
            {"priority_favor_small": True},
            (750, -1_000 / 128),
            id="the more, the less",
        ),
        pytest.param(MIXED, Sharing.SHARED, {}, (281.25, 0), id="not of shared nodes"),
        pytest.param(NODES, Sharing.EXCLUSIVE, {}, (500, 0), id="nor of nodes of one width"),
        pytest.param(
            NODES,
            Sharing.EXCLUSIVE,
            {"passes": PassSettings(busy_first=True)},
            (250, 1_000 / 64),
            id="but of those if there may be one too many",
        ),
        pytest.param(
            MIXED,
            Sharing.EXCLUSIVE,
            {"size_per_minute": True},
            (500 / 60, 0),
            id="nor relative to time",
        ),
    ],
)
def test_what_cpus_of_whole_nodes_are_worth(cluster, waiting, nodes, asked, settings, size):
    """Without any, and each of them."""
    one = waiting("1", cpus=4, request={"sharing": asked})
    weights = PriorityWeights(job_size=1_000)
    snapshot = cluster(one, weights=weights, nodes=nodes, **settings)
    lowered = lower_ranking(snapshot, (), NOW + 600, 9)
    slot = lowered.tables.slots[lowered.slots["1", "batch"]]
    assert (slot.size_tried, slot.size_per_cpu) == pytest.approx(size)


def test_what_was_found_out_of_an_arrival_later_does_not_count_when_it_comes(cluster, waiting):
    size = {name: 1_000 * factor for name, factor in SIZES.items()}
    shown = {"priority": 500, "age": 0, "fairshare": 0, "job_size": int(size["planned"])}
    one = waiting("1", cpus=4, request={"sharing": Sharing.EXCLUSIVE}, shown=shown)
    coming = replace(one, spec=replace(one.spec, submitted_at=NOW + 50))
    snapshot = cluster(waiting("2"), weights=PriorityWeights(job_size=1_000), nodes=NODES)
    lowered = lower_ranking(snapshot, (coming,), NOW + 600, 9)
    slot = lowered.tables.slots[lowered.slots["1", "batch"]]
    assert (slot.size, slot.size_tried) == (size["asked"], size["planned"])


def test_a_factor_in_force_is_that_of_the_last_recomputation(cluster, waiting):
    # By usage busy is behind, but that of its job that ended a moment ago does not count yet.
    busy, idle = (replace(one.fairshare, factor=1.0) for one in ASSOCIATIONS[2:])
    told = (replace(ASSOCIATIONS[2], fairshare=busy), replace(ASSOCIATIONS[3], fairshare=idle))
    later = Later(cluster(waiting("1", "busy", 0), associations=(*ASSOCIATIONS[:2], *told)))
    assert [later.at(s)["1"] for s in (0, 300)] == [1_000, 530]


def test_who_arrives_later_gets_the_number_of_its_user(cluster, waiting):
    arrival = waiting("3", "idle", aged_s=-400, wait_s=-400, shown={"priority": 7, "fairshare": 7})
    later = Later(cluster(waiting("1", "busy", 0)), [arrival]).begins("3", rate=4, at_s=0)
    later.at(300)
    assert [later.enters("3", at_s=400).at(s)["3"] for s in (400, 600)] == [500, 520]


def test_what_is_shown_of_an_arrival_counts_where_nothing_can_be_computed(cluster, waiting):
    jobs = (waiting("held", priority=0), waiting("shown", priority=7), waiting("unknown"))
    assert numbers(Priorities.of(cluster(associations=()), jobs)) == {"held": 0, "shown": 7}


def test_a_usage_reset_forgives_all_but_the_period_it_falls_into(cluster, waiting):
    daily = cluster(waiting("1", "busy", 0), waiting("2", "idle", 0), priority_usage_reset="DAILY")
    midnight_s = 86_400 - NOW % 86_400
    later = Later(daily)
    later.begins("1", rate=1, at_s=0, end_s=midnight_s - 50)
    later.begins("2", rate=1, at_s=midnight_s - 1)
    usage = later.ranking.shares.usage
    later.at(midnight_s - 1)
    assert usage[0] > 3_000
    later.at(midnight_s + 300)
    assert usage[0] == usage[3] <= 300


def test_held_jobs_stay_at_zero(cluster, waiting):
    jobs = (
        waiting("1", aged_s=900, pending={"hold": Hold.USER}, priority=77),
        waiting("2", aged_s=900, priority=0),
    )
    later = Later(cluster(*jobs))
    assert later.at(0) == later.at(900) == {"1": 0, "2": 0}


def test_jobs_age_from_when_they_become_eligible(cluster, waiting):
    jobs = (waiting("begins", eligible_at=NOW + 200), waiting("depends"), waiting("never"))
    later = Later(cluster(*jobs)).of_age("depends", at_s=100)
    assert later.at(600) == {"begins": 540, "depends": 550, "never": 500}


def test_a_site_may_count_age_from_submission(cluster, waiting):
    later = Later(cluster(waiting("1", wait_s=50), ages_from_submission=True))
    assert later.at(300) == {"1": 535}


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
    assert Later(cluster(by_hand, other)).at(600) == {"1": 77, "2": 650}


@pytest.mark.parametrize(
    ("last_s", "partitions", "expected"),
    [
        pytest.param(-100, ("batch",), [560, 560, 600], id="given back until the next time"),
        pytest.param(30, ("batch",), [583, 583, 583], id="recomputed since the jobs were read"),
        pytest.param(-100, ("batch", "urgent"), [570, 570, 600], id="partitions have their own"),
    ],
)
def test_a_number_may_be_older_than_its_summands(cluster, waiting, last_s, partitions, expected):
    age = (800 + last_s) // 10
    shown = {"priority": 500 + age, "age": age, "fairshare": 500}
    stale = waiting("1", aged_s=800, shown=shown, priority=560, partitions=partitions)
    later = Later(cluster(stale))
    assert [later.of("1", s) for s in (0, 190, 210)] == expected


def test_hidden_shares_freeze_the_fairshare_shown(cluster, waiting):
    shown = {"priority": 423, "age": 100, "fairshare": 323}
    later = Later(cluster(waiting("1", aged_s=1_000, shown=shown), associations=()))
    assert later.at(300) == {"1": 453}


def test_where_nothing_is_shown_and_shares_are_hidden_the_number_stays(cluster, waiting):
    jobs = (waiting("1", aged_s=1_000, priority=423), waiting("2", aged_s=1_000))
    assert Later(cluster(*jobs, associations=())).at(300) == {"1": 423, "2": UNKNOWN}


def test_a_site_may_let_priorities_rise_only(cluster, waiting):
    jobs = (waiting("1", "busy", 0), waiting("2", "idle", 0))
    later = Later(cluster(*jobs, priorities_only_rise=True)).begins("2", rate=4, at_s=0)
    assert later.at(300) == {"1": 1_030, "2": 1_000}


def test_first_come_first_served(cluster, waiting):
    jobs = (
        waiting("12", wait_s=10),
        waiting("9", wait_s=10),
        waiting("7", wait_s=5),
        waiting("8", wait_s=99, pending={"hold": Hold.ADMIN}),
        waiting("10", wait_s=1, priority=4_294_901_000),
    )
    snapshot = cluster(*jobs, multifactor=False)
    found = numbers(Priorities.of(snapshot))
    assert sorted(found, key=lambda job: -found[job]) == ["9", "12", "7", "10", "8"]
    assert found["8"] == 0
    assert found["10"] == 4_294_901_000
    assert Later(snapshot).at(3_600) == found


@given(snapshots())
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_no_snapshot_is_too_odd(drawn):
    later = Later(replace(drawn, taken_at=NOW))
    for _ in range(3):
        later.ranking.recompute(later.ranking.due_at())
    assert all(number >= UNKNOWN for number in later.at(0).values())
