"""Stories told to policies of numbers: everything happens at its time and not before."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, cluster, running, waiting

from predictor.domain import PartitionState
from predictor.scheduling.policy import CONSERVATIVE, EASY, FCFS, LIST
from predictor.simulation.story import Story, retell_under


def starts(count, *jobs, policy=EASY, until=6 * HOUR, known=None, **story):
    snapshot = cluster(count, *jobs, **(known or {}))
    told = retell_under(policy, snapshot, Story(**story), NOW + until)
    return {id_: start.at - NOW for id_, start in told.items()}


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


def test_a_job_is_as_changed_from_then_on():
    changes = ((NOW + 60, waiting("1", 1)),)
    assert starts(2, running("0", "n1", 50), waiting("1", 2), changes=changes) == {"1": 60}


def test_a_closed_partition_starts_nobody():
    down = replace(cluster(1).partitions[0], state=PartitionState.DOWN)
    closed = {"batch": ((NOW - 9, NOW + 80),)}
    assert starts(1, waiting("1"), known={"partitions": (down,)}, closed=closed) == {"1": 80}


def test_passes_that_have_a_cadence_start_jobs_with_it():
    slow = replace(EASY, pass_every_s=60)
    comer = waiting("1", of_job={"submitted_at": NOW + 61})
    assert starts(1, arrivals=(comer,), policy=slow) == {"1": 120}
