"""Preemption from a snapshot to its forecast: whose jobs must make room for whose."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    BatchEstimate,
    Eviction,
    HetComponent,
    Limits,
    NodeSharing,
    PassSettings,
    Preemption,
    Qos,
    RunState,
    SchedulerSettings,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.simulation.story import Story, retell
from predictor.site import default

PASSES = PassSettings(interval_s=1, arrival_delay_s=0)
ENDS = Preemption(eviction=Eviction.ENDED)
SUSPENDS = Preemption(eviction=Eviction.SUSPENDED)
SENDS_BACK = Preemption(eviction=Eviction.SENT_BACK)
MEMBERS = nodes(2)
BESIDE = {"sharing": NodeSharing.NO}
"""Jobs may be beside each other on a node, on CPUs of their own."""


def tiers(*jobs, preemption=ENDS, low=None, high=None, **more):
    """Two nodes in a low and in a high partition; `low` and `high`: fields of these."""
    partitions = (
        partition("low", MEMBERS, **low or {}),
        partition("high", MEMBERS, tier=5, **high or {}),
    )
    settings = SchedulerSettings(
        multifactor=False, passes=PASSES, preemption=preemption, sent_back_s=120
    )
    return cluster(2, *jobs, partitions=partitions, settings=settings, **more)


def of(name, **more):
    return {"partitions": (name,), **more}


LOW = running("1", "n1 n2", 50, **of("low"))
HIGH = waiting("2", 2, 10, of_job=of("high"))


def starts(snapshot):
    made = forecast(snapshot, default())
    return {p.job_id: p.start_at - NOW for p in made.predictions}


def test_a_higher_tier_starts_once_the_lower_one_is_gone():
    assert starts(tiers(LOW, HIGH)) == {"2": 1}


def test_without_preemption_it_waits():
    assert starts(tiers(LOW, HIGH, preemption=None)) == {"2": 50 * MINUTE}


@pytest.mark.parametrize(
    ("low", "start_s"),
    [
        pytest.param({"eviction": Eviction.SPARED}, 50 * MINUTE, id="the partition is spared"),
        pytest.param({"tier": 5}, 50 * MINUTE, id="the tier is the same"),
        pytest.param({"grace_s": 60}, 61, id="with a grace time"),
        pytest.param({"eviction": Eviction.SENT_BACK}, 1, id="its own way"),
    ],
)
def test_a_partition_says_how_its_jobs_make_room(low, start_s):
    assert starts(tiers(LOW, HIGH, low=low)) == {"2": start_s}


@pytest.mark.parametrize("left_s", [30, 60, 90])
def test_what_is_left_of_a_grace_time_counts_as_one_of_that_length(left_s):
    low = replace(LOW, spared_until=NOW + left_s)
    told = starts(tiers(low, HIGH, low={"grace_s": 900}))
    assert told == starts(tiers(LOW, HIGH, low={"grace_s": left_s}))


@pytest.mark.parametrize("ago_s", [0, 30, 10**6, 2**62])
def test_whose_grace_time_is_over_makes_room_at_once(ago_s):
    low = replace(LOW, spared_until=NOW - ago_s)
    assert starts(tiers(low, HIGH, low={"grace_s": 900})) == {"2": 1}


@pytest.mark.parametrize(
    ("started_at", "told"),
    [
        pytest.param(2**63, {}, id="not yet, beyond all numbers"),
        pytest.param(2**80, {}, id="nor then"),
        pytest.param(-(2**63) - 1, {"2": 1}, id="before all numbers"),
        pytest.param(-(2**80), {"2": 1}, id="or then"),
    ],
)
def test_who_is_said_to_have_begun_at_an_absurd_time_breaks_nothing(started_at, told):
    assert starts(tiers(replace(LOW, started_at=started_at), HIGH)) == told


def test_who_began_a_moment_ago_is_spared_for_a_while():
    spared = replace(ENDS, exempt_s=900)
    assert LOW.started_at == NOW - 600
    assert starts(tiers(LOW, HIGH, preemption=spared)) == {"2": 301}


@pytest.mark.parametrize(("priority", "start_s"), [(6, 1), (7, 50 * MINUTE), (None, 50 * MINUTE)])
def test_who_has_so_high_a_priority_is_spared(priority, start_s):
    low = replace(LOW, spec=replace(LOW.spec, priority=priority))
    assert starts(tiers(low, HIGH, preemption=replace(ENDS, spared_from=7))) == {"2": start_s}


def test_who_is_completing_is_ended_by_nobody():
    going = replace(LOW, state=RunState.COMPLETING)
    assert starts(tiers(going, HIGH)) == {"2": 1}


def test_who_was_sent_back_takes_its_turn_again():
    # low 1 runs for 50 minutes more, then 3 would start; high 2 sends it back at once
    later = waiting("3", 2, 10, of_job=of("low", submitted_at=NOW))
    snapshot = tiers(LOW, HIGH, later, preemption=SENDS_BACK)
    # After the high one 1 is away for two minutes, but no longer: it comes before 3.
    assert starts(snapshot) == {"2": 1, "3": 10 * MINUTE + 1 + 50 * MINUTE + 10 * MINUTE}


def test_who_cannot_be_sent_back_is_over():
    fixed = replace(LOW, spec=replace(LOW.spec, can_restart=False))
    later = waiting("3", 2, 10, of_job=of("low", submitted_at=NOW))
    snapshot = tiers(fixed, HIGH, later, preemption=SENDS_BACK)
    assert starts(snapshot) == {"2": 1, "3": 10 * MINUTE + 1}


def test_who_may_suspend_others_starts_at_once_and_they_go_on_later():
    last = waiting("3", 1, 10, of_job=of("low", submitted_at=NOW))
    snapshot = tiers(LOW, HIGH, last, preemption=SUSPENDS, low=BESIDE, high=BESIDE)
    assert starts(snapshot) == {"2": 0, "3": 60 * MINUTE}


@pytest.mark.parametrize(("low", "high"), [({}, BESIDE), (BESIDE, {}), ({}, {})])
def test_who_takes_whole_nodes_suspends_nobody_and_is_not_suspended(low, high):
    snapshot = tiers(LOW, HIGH, preemption=SUSPENDS, low=low, high=high)
    assert starts(snapshot) == {"2": 50 * MINUTE}
    # The batch system plans as if it could, and keeps the nodes for it from now on.
    told = plan(snapshot, default())["2"]
    assert (told.start_at, told.node_names) == (NOW, ("n1", "n2"))


@pytest.mark.parametrize(("preemption", "start_s"), [(SUSPENDS, 0), (None, 15)])
def test_the_end_of_who_may_be_suspended_is_in_no_group_of_ends(preemption, start_s):
    # Both would end within half a minute; the plan is as of the last end that counts.
    low = running("1", "n1", 20, **of("low"))
    low = replace(low, started_at=low.started_at + 15)
    high = running("3", "n2", 20, **of("high"))
    told = plan(tiers(low, high, HIGH, preemption=preemption), default())["2"]
    assert told.start_at - NOW == 20 * MINUTE + start_s


def test_who_is_suspended_already_goes_on_when_the_other_ends():
    still = replace(LOW, state=RunState.SUSPENDED)
    other = running("2", "n1 n2", 10, **of("high"))
    last = waiting("3", 1, 10, of_job=of("low", submitted_at=NOW))
    snapshot = tiers(still, other, last, preemption=SUSPENDS, low=BESIDE, high=BESIDE)
    assert starts(snapshot) == {"3": 60 * MINUTE}


def test_a_qos_names_those_that_make_room_for_it():
    qos = (Qos(name="scrap"), Qos(name="dear"), Qos(name="urgent", preempts=("scrap",)))
    jobs = (
        running("1", "n1", 50, qos="scrap"),
        running("2", "n2", 50, qos="dear"),
        waiting("3", 1, 10, of_job={"qos": "urgent", "submitted_at": NOW}),
        waiting("4", 1, 10, of_job={"qos": "dear"}),
    )
    settings = SchedulerSettings(passes=PASSES, preemption=replace(ENDS, by_qos=True))
    made = forecast(cluster(2, *jobs, qos=qos, settings=settings), default())
    first = next(p for p in made.predictions if p.job_id == "3")
    assert first.node_names == ("n1",)
    assert first.start_at < NOW + 11 * MINUTE


WITHIN = replace(ENDS, by_qos=True, within=True)


@pytest.mark.parametrize(
    ("preemption", "qos", "priority", "start_s"),
    [
        pytest.param(WITHIN, Qos(name="one"), 200, 1, id="all QOS do"),
        pytest.param(WITHIN, Qos(name="one"), 100, 50 * MINUTE, id="not with the same priority"),
        pytest.param(
            replace(WITHIN, within=False),
            Qos(name="one", preempts_within=True),
            200,
            1,
            id="this one does",
        ),
        pytest.param(
            replace(WITHIN, within=False), Qos(name="one"), 200, 50 * MINUTE, id="none does"
        ),
    ],
)
def test_jobs_of_one_qos_may_make_room_by_priority(preemption, qos, priority, start_s):
    jobs = (
        running("1", "n1 n2", 50, qos="one", priority=100),
        waiting("2", 2, 10, of_job={"qos": "one", "priority": priority}),
    )
    settings = SchedulerSettings(passes=PASSES, preemption=preemption)
    assert starts(cluster(2, *jobs, qos=(qos,), settings=settings)) == {"2": start_s}


@pytest.mark.parametrize(("priority", "start_s"), [(99, 50 * MINUTE), (100, 1)])
def test_a_higher_tier_may_spare_who_has_a_higher_priority(priority, start_s):
    low = replace(LOW, spec=replace(LOW.spec, priority=100))
    above = waiting("2", 2, 10, of_job=of("high", priority=priority))
    assert starts(tiers(low, above, preemption=replace(ENDS, by_priority=True))) == {"2": start_s}


def component(offset, name, minutes, **more):
    het = HetComponent(job_id="1", offset=offset)
    one = running(f"1+{offset}", name, minutes, **of("low"))
    return replace(one, spec=replace(one.spec, het=het, **more))


def test_all_components_of_a_job_make_room_together():
    parts = component(0, "n1", 50), component(1, "n2", 50)
    one = waiting("2", 1, 10, of_job=of("high"))
    last = waiting("3", 1, 10, of_job=of("low", submitted_at=NOW))
    found = starts(tiers(*parts, one, last))
    assert found["2"] == 1
    assert found["3"] < MINUTE


def test_nobody_ends_a_job_of_components_that_are_told_apart():
    parts = component(0, "n1", 50), component(1, "n2", 50, partitions=("high",))
    one = waiting("2", 1, 10, of_job=of("high"))
    assert starts(tiers(*parts, one)) == {"2": 50 * MINUTE}


def pusher(minutes=10, **of_job):
    parts = []
    for offset in range(2):
        one = waiting(f"5+{offset}", 1, minutes, of_job=of("high", **of_job))
        het = HetComponent(job_id="5", offset=offset)
        parts.append(replace(one, spec=replace(one.spec, het=het)))
    return parts


@pytest.mark.parametrize(
    ("snapshot", "told"),
    [
        pytest.param(tiers(LOW, *pusher()), {}, id="it might end somebody"),
        pytest.param(tiers(*pusher()), {"5+0": 0, "5+1": 0}, id="there is nobody to end"),
        pytest.param(
            tiers(LOW, *pusher(), low={"eviction": Eviction.SPARED}),
            {"5+0": 50 * MINUTE, "5+1": 50 * MINUTE},
            id="nobody may be ended",
        ),
    ],
)
def test_nothing_is_told_of_components_for_which_others_might_leave(snapshot, told):
    assert starts(snapshot) == told
    causes = {a.job_id: a.cause for a in forecast(snapshot, default()).abstentions}
    unsupported = dict.fromkeys(("5+0", "5+1"), Unpredictable.UNSUPPORTED)
    assert causes == ({} if told else unsupported)


def test_it_is_told_who_must_make_room_and_for_whom():
    low = waiting("3", 2, 10, of_job=of("low", submitted_at=NOW))
    made = forecast(tiers(LOW, HIGH, low), default(), explained=True)
    why = {p.job_id: p.explanation for p in made.predictions}
    [gone] = why["2"].makes_leave
    assert (gone.job_id, gone.at - NOW, why["2"].makes_leave_more) == ("1", 1, 0)
    assert (why["2"].gives_way, why["3"].gives_way) == (False, True)
    assert why["3"].makes_leave == ()
    assert [one.job_id for one in why["2"].waits_for] == ["1"]


def test_where_nobody_preempts_nobody_is_told_to_give_way():
    made = forecast(tiers(LOW, HIGH, preemption=None), default(), explained=True)
    assert not any(p.explanation.gives_way or p.explanation.makes_leave for p in made.predictions)


def test_a_story_tells_who_is_sent_back_by_hand():
    settings = SchedulerSettings(multifactor=False, passes=PASSES)
    late = waiting("2", of_job={"submitted_at": NOW + 5})
    story = Story(run_s={"1": 30, "2": 10}, later_runs={"1": ((NOW + 60, 20),)}, arrivals=(late,))
    told = retell(cluster(1, waiting("1"), settings=settings), story, NOW + 1000)
    assert {id_: start.at - NOW for id_, start in told.items()} == {"1": 0, "2": 30}
    third = waiting("3", of_job={"submitted_at": NOW + 65})
    story = replace(story, arrivals=(late, third))
    told = retell(cluster(1, waiting("1"), settings=settings), story, NOW + 1000)
    assert told["3"].at - NOW == 80
    assert told["1"].at == NOW


def test_a_story_in_which_somebody_is_sent_back_by_another():
    comer = waiting("2", 2, of_job=of("high", submitted_at=NOW + 20))
    last = waiting("3", 2, of_job=of("high", submitted_at=NOW + 500))
    low = waiting("1", 2, 50, of_job=of("low"))
    story = Story(run_s={"1": 100, "2": 30, "3": 5}, arrivals=(comer, last))
    told = retell(tiers(low, preemption=SENDS_BACK), story, NOW + 2000)
    assert {id_: start.at - NOW for id_, start in told.items()} == {"1": 0, "2": 21, "3": 500}


# Nobody may have more than four CPUs at a time: a limit that is asked for the nodes found.
CAPPED = Qos(name="capped", limits=Limits(max_tres=(("cpu", 4),)))


def planned(*jobs, **rules):
    """Return the starts that a pass which looks ahead plans under these rules."""
    return planned_in(tiers(LOW, *jobs, qos=(CAPPED,)), **rules)


def planned_in(scene, **rules):
    passes = replace(PASSES, **rules)
    settings = replace(scene.settings, passes=passes, limits_enforced=True)
    made = plan(replace(scene, settings=settings), default())
    return {id_: each.start_at - NOW for id_, each in made.items()}


def test_who_may_not_start_by_a_limit_is_put_off_though_others_could_be_ended():
    capped = waiting("2", 2, 10, of_job=of("high", qos="capped"))
    behind = waiting("3", 2, 10, of_job=of("high", qos="capped"))
    # From eight minutes and twenty seconds on the first one's slot keeps the nodes for ten minutes,
    # in full minutes; behind it the second is sought as if who runs now were gone.
    assert planned(capped, behind, limits_stop=True) == {"2": 500, "3": 1060}
    assert planned(capped, limits_stop=False) == {}


def test_for_whom_others_are_ended_has_a_slot_though_a_later_one_would_get_none():
    young = waiting("2", 2, 10, of_job=of("high", eligible_at=NOW - MINUTE))
    other = waiting("3", 2, 10, of_job=of("low"))
    # For ten minutes, in full minutes, nobody else gets its nodes.
    assert planned(young, other, protected_age_s=600) == {"2": 1, "3": 580}


def test_who_is_one_too_many_of_its_partition_has_others_ended_but_no_slot():
    there = running("9", "n2", 50, **of("low"))
    jobs = [
        waiting(id_, 1, 10, of_job=of(name))
        for id_, name in zip("234", ("high", "high", "low"), strict=True)
    ]
    scene = tiers(running("1", "n1", 50, **of("low")), there, *jobs)
    told = {most: planned_in(scene, protected_per_partition=most) for most in (1, 2)}
    assert told == {1: {"2": 1, "3": 1, "4": 1}, 2: {"2": 1, "3": 1, "4": 580}}


@pytest.mark.parametrize(
    ("estimate", "start_s"),
    [
        pytest.param(BatchEstimate(start_at=NOW, evaluated_at=NOW - 10), 61, id="waits on"),
        pytest.param(BatchEstimate(start_at=NOW + 3, evaluated_at=NOW - 10), 61, id="asked later"),
        pytest.param(BatchEstimate(start_at=NOW, evaluated_at=NOW - 40), 1, id="long before"),
        pytest.param(BatchEstimate(start_at=NOW + 60, evaluated_at=NOW - 10), 1, id="not at all"),
        pytest.param(BatchEstimate(evaluated_at=NOW - 10), 1, id="nor planned"),
        pytest.param(BatchEstimate(start_at=NOW), 1, id="or nobody knows when"),
    ],
)
def test_who_could_have_started_by_now_waits_for_those_who_were_to_make_room(estimate, start_s):
    assert starts(tiers(LOW, replace(HIGH, estimate=estimate))) == {"2": start_s}
