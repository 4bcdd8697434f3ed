"""What a story tells happens in the simulation, at its time and not before."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, waiting

from predictor.domain import (
    Hold,
    NodeState,
    PartitionState,
    PassSettings,
    PriorityFactors,
    PriorityWeights,
    Reservation,
    SchedulerSettings,
)
from predictor.simulation.story import Story, retell
from predictor.simulation.telling import Clearing

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1))


def starts(count, *jobs, until=6 * HOUR, **story):
    snapshot = cluster(count, *jobs, settings=SETTINGS)
    told = retell(snapshot, Story(**story), NOW + until)
    return {id_: start.at - NOW for id_, start in told.items()}


def test_jobs_run_as_long_as_told():
    found = starts(
        1,
        running("0", "n1", 50),
        waiting("1", of_job={"submitted_at": NOW - 9}),
        waiting("2", of_job={"submitted_at": NOW - 8}),
        ends_at={"0": NOW + 100},
        run_s={"1": 33},
    )
    assert found == {"1": 100, "2": 133}


def test_a_start_names_its_nodes_and_partition():
    told = retell(cluster(2, waiting("1", 2), settings=SETTINGS), Story(), NOW + HOUR)
    assert (told["1"].node_names, told["1"].partition) == (("n1", "n2"), "batch")


def test_nobody_starts_at_the_end_or_later():
    assert starts(1, running("0", "n1", 10), waiting("1"), until=10 * MINUTE) == {}


def test_arrivals_start_once_they_have_come():
    comer = waiting("5", of_job={"submitted_at": NOW + 77})
    assert starts(1, arrivals=(comer,)) == {"5": 77}


def test_who_leaves_too_late_has_started():
    assert starts(1, waiting("1"), leaves_at={"1": NOW + 99}) == {"1": 0}


def test_of_whom_no_hold_is_told_stays_as_shown():
    assert starts(1, waiting("1", hold=Hold.USER)) == {}


def test_a_job_is_as_changed_from_then_on():
    one = waiting("1", 2)
    slim = waiting("1", 1)
    busy = running("0", "n1", 50)
    assert starts(2, busy, one, changes=((NOW + 60, slim),))["1"] == 60
    assert starts(2, busy, one, ends_at={"0": NOW + 30}, changes=((NOW + 60, slim),))["1"] == 30


def test_a_running_job_gets_another_limit():
    # n1  0, until 60 min, from 2 min on until 20  | 1, of two nodes |     n2  2, of 30 min?
    busy, wide = running("0", "n1", 60), waiting("1", 2, of_job={"submitted_at": NOW - 9})
    comer = waiting("2", 1, 30, of_job={"submitted_at": NOW + 3 * MINUTE})
    known = {"arrivals": (comer,), "ends_at": {"0": NOW + 15 * MINUTE}, "run_s": {"1": 60}}
    assert starts(2, busy, wide, **known) == {"2": 180, "1": 180 + 30 * MINUTE}
    limits = ((NOW + 2 * MINUTE, running("0", "n1", 20)),)
    assert starts(2, busy, wide, **known, limits=limits) == {"1": 15 * MINUTE, "2": 16 * MINUTE}


def test_a_withdrawn_reservation_lets_in():
    made = Reservation(name="m", start_at=NOW, end_at=NOW + HOUR, node_names=("n1",))
    snapshot = cluster(1, waiting("1"), settings=SETTINGS, reservations=(made,))
    told = retell(snapshot, Story(reservations=((NOW + 60, ()),)), NOW + HOUR)
    assert told["1"].at == NOW + 60


def test_a_node_that_is_down_already_comes_back():
    [node] = cluster(1).nodes
    down = replace(node, state=NodeState.DOWN)
    snapshot = cluster(1, waiting("1"), settings=SETTINGS, nodes=(down,))
    told = retell(snapshot, Story(nodes=((NOW + 90, (node,)),)), NOW + HOUR)
    assert told["1"].at == NOW + 90


# n1  [ 0, ends at 30 ][ cleared until 90 ]     n2  [ 9, ends at 60                     ]
def test_a_node_is_used_again_once_it_is_cleared():
    busy = (running("0", "n1", 50), running("9", "n2", 50))
    ends = {"0": NOW + 30, "9": NOW + 60}
    late = (Clearing(since=NOW + 30, until=NOW + 90, node_name="n1"),)
    one, other = waiting("1", 1), waiting("2", 1)
    assert starts(2, *busy, one, other, ends_at=ends) == {"1": 30, "2": 60}
    assert starts(2, *busy, one, other, ends_at=ends, clearings=late) == {"1": 60, "2": 90}


def test_plans_count_on_a_node_that_is_being_cleared():
    late = (Clearing(since=NOW, until=NOW + 60, node_name="n1"),)
    both, one = waiting("1", 2), waiting("2", 1)
    assert starts(2, both, one, clearings=late) == {"1": 60, "2": 660}


# Two jobs want the node that is busy for 100 s; 1 came first.
BY_SUM = SchedulerSettings(
    passes=PassSettings(interval_s=1),
    weights=PriorityWeights(partition=1_000),
    priority_period_s=10**6,
)


def ranked(id_, number, summands, nice=0):
    shown = PriorityFactors(
        partition="batch", priority=number, partition_points=summands, nice=nice
    )
    of_job = {"priority": number, "nice": nice, "submitted_at": NOW - HOUR + int(id_)}
    return waiting(id_, of_job=of_job, priorities=(shown,))


@pytest.mark.parametrize(
    ("change", "first"),
    [
        pytest.param((), "1", id="nothing changes"),
        pytest.param(((NOW + 50, ranked("2", 5_000, 0)),), "2", id="somebody sets a priority"),
        pytest.param(((NOW + 50, ranked("2", 999, 1_000, 1)),), "1", id="a nicer job comes later"),
        pytest.param(((NOW + 50, ranked("1", 999, 1_000, 1)),), "2", id="so does the other"),
        pytest.param(((NOW + 200, ranked("2", 5_000, 0)),), "1", id="too late"),
    ],
)
def test_a_changed_priority_counts_from_then_on(change, first):
    jobs = running("0", "n1", 50), ranked("1", 1_000, 1_000), ranked("2", 1_000, 1_000)
    snapshot = cluster(1, *jobs, settings=BY_SUM)
    ends = {"0": NOW + 100}
    told = retell(snapshot, Story(ends_at=ends, changes=change, run_s={"1": 9, "2": 9}), NOW + HOUR)
    assert {id_: told[id_].at - NOW for id_ in told} == {
        first: 100,
        {"1": "2", "2": "1"}[first]: 109,
    }


@pytest.mark.parametrize("changes", [0, 1])
def test_whose_hold_ends_gets_a_priority_again(changes):
    # Held, it has a priority of 0; else its partition is worth 1000, whatever its user changes.
    held = waiting("2", of_job={"priority": 0}, hold=Hold.USER)
    jobs = running("0", "n1", 50), ranked("1", 999, 999), held
    story = Story(
        ends_at={"0": NOW + 100},
        run_s={"1": 9, "2": 9},
        held={"2": ((NOW - HOUR, NOW + 50),)},
        changes=((NOW + 20, held),) * changes,
    )
    told = retell(cluster(1, *jobs, settings=BY_SUM), story, NOW + HOUR)
    assert {id_: start.at - NOW for id_, start in told.items()} == {"2": 100, "1": 109}


@pytest.mark.parametrize(
    ("intervals", "start_s"),
    [
        pytest.param(((NOW + 10, NOW + 90),), 0, id="closed later"),
        pytest.param(((NOW - 90, NOW + 90),), 90, id="opened again"),
        pytest.param(((NOW - 90, None),), None, id="closed for good"),
    ],
)
def test_a_closed_partition_starts_nobody(intervals, start_s):
    down = replace(cluster(1).partitions[0], state=PartitionState.DOWN)
    snapshot = cluster(1, waiting("1"), settings=SETTINGS, partitions=(down,))
    told = retell(snapshot, Story(closed={"batch": intervals}), NOW + HOUR)
    assert {id_: start.at - NOW for id_, start in told.items()} == (
        {} if start_s is None else {"1": start_s}
    )


def test_who_waits_in_two_partitions_starts_where_one_is_open():
    one = cluster(1).partitions[0]
    both = (one, replace(one, name="other"))
    job = waiting("1", of_job={"partitions": ("batch", "other")})
    snapshot = cluster(1, job, settings=SETTINGS, partitions=both)
    closed = {"batch": ((NOW - 9, NOW + 80),), "other": ((NOW - 9, NOW + 40),)}
    assert retell(snapshot, Story(closed=closed), NOW + HOUR)["1"].at == NOW + 40


MULTIFACTOR = SchedulerSettings(
    weights=PriorityWeights(age=1000, fairshare=1000),
    priority_period_s=60,
    passes=PassSettings(interval_s=1),
)


def points(fairshare):
    return PriorityFactors(
        partition="batch",
        priority=fairshare,
        age=0,
        association=0,
        fairshare=fairshare,
        job_size=0,
        partition_points=0,
        qos=0,
        site=0,
        nice=0,
    )


def first_of_two(*priorities):
    """Who starts first of two that wait for the only node until its job ends after 100 s."""
    jobs = [
        waiting(id_, priorities=(points(number),), of_job={"priority": number})
        for id_, number in (("1", 500), ("2", 400))
    ]
    snapshot = cluster(1, running("0", "n1", 50), *jobs, settings=MULTIFACTOR)
    story = Story(ends_at={"0": NOW + 100}, priorities=priorities)
    told = retell(snapshot, story, NOW + HOUR)
    return min(told, key=lambda id_: told[id_].at)


def test_told_priorities_decide_from_then_on():
    assert first_of_two() == "1"
    assert first_of_two((NOW + 30, "2", (points(600),))) == "2"
    assert first_of_two((NOW + 130, "2", (points(600),))) == "1"


def test_who_is_told_none_has_computed_ones_again():
    higher = (NOW + 30, "2", (points(600),))
    assert first_of_two(higher, (NOW + 60, "2", ())) == "1"


def test_priorities_of_strangers_change_nothing():
    assert first_of_two((NOW + 30, "7", (points(600),))) == "1"
