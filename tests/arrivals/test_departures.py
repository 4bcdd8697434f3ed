"""Who gives up waiting is foreseen from those who gave up."""

import json
from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, waiting
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import of_type, values

from predictor.arrivals.departures import MOST_OF_A_USER, Departures
from predictor.domain import FinishedJob, Outcome, PendingJob
from predictor.errors import StorageError

JOB = waiting("1")


def gone(job, ended_at):
    return FinishedJob(spec=job.spec, ended_at=ended_at, outcome=Outcome.CANCELLED)


def half_of_each_hours_jobs_leave(departures, user="ada", hours=40, start=NOW):
    """Two jobs wait for an hour; then one is cancelled, the other gone without a trace."""
    for hour in range(hours):
        at = start + hour * HOUR
        jobs = [waiting(f"{hour}-{n}", of_job={"submitted_at": at, "user": user}) for n in (1, 2)]
        for minute in range(0, 60, 10):
            departures.learn(cluster(4, *jobs, taken_at=at + minute * MINUTE))
        over = (gone(jobs[0], at + 55 * MINUTE),)
        departures.learn(cluster(4, taken_at=at + 59 * MINUTE, finished=over))
    return departures


def chance_to_leave(departures, job, within_s):
    """Return the share of uniform draws with which the job leaves by then."""
    leaves = [departures.leaves_s(job, 0, (n + 0.5) / 1000) for n in range(1000)]
    return sum(one is not None and one <= within_s for one in leaves) / 1000


def test_nobody_is_taken_to_leave_soon_before_anything_is_known():
    assert chance_to_leave(Departures(), JOB, HOUR) < 0.01


def test_who_comes_of_those_who_leave_is_taken_to_leave():
    departures = half_of_each_hours_jobs_leave(Departures())
    assert 0.3 < chance_to_leave(departures, JOB, HOUR) < 0.6


def test_a_user_who_leaves_often_says_little_of_others():
    departures = half_of_each_hours_jobs_leave(Departures(), user="bob", hours=10)
    half_of_each_hours_jobs_leave(departures, user="eve", hours=10, start=NOW + 10 * HOUR)
    bob = replace(JOB, spec=replace(JOB.spec, user="bob"))
    assert chance_to_leave(departures, bob, HOUR) > chance_to_leave(departures, JOB, HOUR)


@settings(max_examples=40)
@given(data=st.data())
def test_strange_snapshots_do_no_harm(strange_looks, data):
    departures, seen = Departures(), data.draw(strange_looks)
    for snapshot in seen:
        departures.learn(snapshot)
    job, waited_s = data.draw(values(PendingJob)), data.draw(of_type(int))
    leaves = [departures.leaves_s(job, waited_s, u) for u in (1e-9, 0.5, 1 - 1e-9)]
    assert all(one is None or one >= 0 for one in leaves)
    state = json.loads(json.dumps(departures.state()))
    assert Departures.restored(state).state() == departures.state()


def test_who_starts_does_not_leave():
    departures = Departures()
    for minute in range(60):
        at = NOW + minute * MINUTE
        job = waiting(str(minute), of_job={"submitted_at": at})
        started = running(str(minute - 1), "n1", 5)
        departures.learn(cluster(4, job, started, taken_at=at))
    assert departures.leaves_s(JOB, 0, 0.004) > Departures().leaves_s(JOB, 0, 0.004)


def test_what_happens_in_a_gap_is_not_counted():
    departures, at = Departures(), NOW
    departures.learn(cluster(4, JOB, taken_at=at))
    over = (gone(JOB, at + 3 * HOUR),)
    departures.learn(cluster(4, taken_at=at + 3 * HOUR, finished=over))
    assert departures.state() == Departures().state()


def test_a_user_of_many_jobs_counts_as_one_of_some():
    many = [waiting(f"e{n}", of_job={"user": "eve"}) for n in range(1000)]
    departures = Departures()
    departures.learn(cluster(4, *many))
    over = tuple(gone(job, NOW + MINUTE) for job in many)
    departures.learn(cluster(4, taken_at=NOW + MINUTE, finished=over))
    left = sum(cell[2] for cell in departures.state()["cells"])
    assert left == pytest.approx(MOST_OF_A_USER, rel=0.01)


@pytest.mark.parametrize(
    "state",
    [
        None,
        {},
        {"cells": [], "users": [["ada", -1.0, 1.0]]},
        {"cells": [["free", 99, 1.0, 1.0]], "users": []},
        {"cells": [["free", 0, 1.0]], "users": []},
        {"cells": [], "users": [["ada", float("nan"), 1.0]]},
    ],
)
def test_a_strange_state_is_refused(state):
    with pytest.raises(StorageError):
        Departures.restored(state)
