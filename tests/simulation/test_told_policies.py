"""Stories told to policies of numbers: everything happens at its time and not before."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, array, cluster, running, waiting

from predictor.domain import Hold, NodeState, PartitionState, Reservation
from predictor.scheduling.policy import CONSERVATIVE, EASY, FCFS, LIST
from predictor.simulation.story import Story, retell_under


def starts(count, *jobs, policy=EASY, until=6 * HOUR, known=None, **story):
    snapshot = cluster(count, *jobs, **(known or {}))
    told = retell_under(policy, snapshot, Story(**story), NOW + until)
    return {id_: start.at - NOW for id_, start in told.items()}


def first(id_, *shape, **more):
    return waiting(id_, *shape, of_job={"submitted_at": NOW - 9, **more})


# "wide" waits for both nodes; "long" would delay it, "short" would not
QUEUE = (
    running("0", "n1", 10),
    waiting("1", 2, 60, of_job={"submitted_at": NOW - 9}),
    waiting("2", 1, 60, of_job={"submitted_at": NOW - 8}),
    waiting("3", 1, 5, of_job={"submitted_at": NOW - 7}),
)


@pytest.mark.parametrize(
    ("policy", "at_once"),
    [(FCFS, set()), (LIST, {"2"}), (EASY, {"3"}), (CONSERVATIVE, {"3"})],
    ids=lambda one: getattr(one, "name", ""),
)
def test_each_policy_lets_its_own_jobs_pass(policy, at_once):
    found = starts(2, *QUEUE, policy=policy)
    assert {id_ for id_, at in found.items() if at == 0} == at_once


def test_jobs_run_as_long_as_told_and_are_planned_with_their_limits():
    run_s = {"3": 10, "1": 5}
    found = starts(2, *QUEUE, ends_at={"0": NOW + 100}, run_s=run_s)
    assert found == {"3": 0, "1": 100, "2": 105}


def test_who_runs_beyond_its_limit_is_waited_for():
    late = running("0", "n1", -5)
    assert starts(1, late, waiting("1"), ends_at={"0": NOW + 100}) == {"1": 100}


def test_arrivals_come_with_all_their_tasks():
    tasks = array("5", 3)
    tasks = replace(tasks, spec=replace(tasks.spec, submitted_at=NOW + 10))
    assert starts(2, arrivals=(tasks,), run_s={"5_0": 5}) == {"5_0": 10, "5_1": 10, "5_2": 15}


def test_who_leaves_does_not_start():
    queue = (running("0", "n1", 50), first("1"), waiting("2"))
    queue = (*queue[:2], waiting("2", of_job={"submitted_at": NOW - 8}))
    found = starts(1, *queue, ends_at={"0": NOW + 100}, leaves_at={"1": NOW + 99})
    assert found == {"2": 100}


@pytest.mark.parametrize(
    ("interval", "start_s"),
    [((NOW - HOUR, NOW + 50), 50), ((NOW + 10, NOW + 50), 0), ((NOW - HOUR, None), None)],
)
def test_holds(interval, start_s):
    found = starts(1, waiting("1", hold=Hold.USER), held={"1": (interval,)})
    assert found.get("1") == start_s


def test_a_job_is_as_changed_from_then_on():
    changes = ((NOW + 60, waiting("1", 1)),)
    assert starts(2, running("0", "n1", 50), waiting("1", 2), changes=changes) == {"1": 60}


def test_a_reservation_matters_once_it_is_made():
    made = Reservation(name="m", start_at=NOW + 300, end_at=NOW + HOUR, node_names=("n1",))
    early = waiting("1", of_job={"submitted_at": NOW + 10})
    late = waiting("2", of_job={"submitted_at": NOW + 70})
    found = starts(1, arrivals=(early, late), run_s={"1": 20}, reservations=((NOW + 60, (made,)),))
    assert found == {"1": 10, "2": HOUR}


def test_a_node_that_fails_is_not_used_until_it_is_back():
    [node] = cluster(1).nodes
    down = replace(node, state=NodeState.DOWN)
    comer = waiting("1", of_job={"submitted_at": NOW + 30})
    found = starts(1, arrivals=(comer,), nodes=((NOW + 20, (down,)), (NOW + 90, (node,))))
    assert found == {"1": 90}


def test_a_closed_partition_starts_nobody():
    down = replace(cluster(1).partitions[0], state=PartitionState.DOWN)
    closed = {"batch": ((NOW - 9, NOW + 80),)}
    assert starts(1, waiting("1"), known={"partitions": (down,)}, closed=closed) == {"1": 80}


def test_passes_that_have_a_cadence_start_jobs_with_it():
    slow = replace(EASY, pass_every_s=60)
    comer = waiting("1", of_job={"submitted_at": NOW + 61})
    assert starts(1, arrivals=(comer,), policy=slow) == {"1": 120}
