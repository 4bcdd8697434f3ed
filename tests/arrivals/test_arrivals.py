"""Who comes next is drawn from those who came."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from clusters import HOUR, NOW, array, cluster, running
from hypothesis import given
from hypothesis import strategies as st
from strategies import of_type, snapshots

from predictor.arrivals.arrivals import Arrivals
from predictor.errors import StorageError

MIDNIGHT = NOW - NOW % (24 * HOUR)
DAY = 24 * HOUR
NOON_JOBS = {f"{day}{n}": day * 24 + 12 + n / 60 for day in range(9) for n in range(3)}
"""Three jobs come at noon, day after day, and nobody else."""


def hours(jobs):
    """Return the hours of the day at which jobs come."""
    return Counter(job.spec.submitted_at % DAY // HOUR for job in jobs)


def test_who_comes_every_noon_comes_at_noon(watched):
    arrivals = watched(Arrivals(), NOON_JOBS, until_h=9 * 24)
    now = MIDNIGHT + 9 * DAY
    drawn = [arrivals.draw(number, now, now + 3 * DAY) for number in range(40)]
    found = sum((hours(jobs) for jobs in drawn), Counter())
    assert found[12] > 0.9 * 40 * 9
    assert found.total() < 1.1 * found[12]


def test_a_minute_later_the_same_is_drawn_for_later(watched):
    arrivals = watched(Arrivals(), {str(n): 6 + n * n % 97 / 20 for n in range(60)}, until_h=20)
    now = MIDNIGHT + 20 * HOUR
    first = arrivals.draw(3, now, now + DAY)
    assert first
    arrivals.learn(cluster(taken_at=now + 60))
    later = arrivals.draw(3, now + 60, now + DAY)
    assert later == tuple(job for job in first if job.spec.submitted_at > now + 60)


def test_scenarios_differ(watched):
    arrivals = watched(Arrivals(), {str(n): 6 + n * n % 97 / 20 for n in range(60)}, until_h=20)
    now = MIDNIGHT + 20 * HOUR
    drawn = [arrivals.draw(number, now, now + DAY) for number in range(10)]
    assert len({tuple(job.spec.submitted_at for job in jobs) for jobs in drawn}) > 5


def test_an_array_is_one_submission_whatever_becomes_of_its_records():
    arrivals, whole = Arrivals(), array("7", tasks=4)
    looks = [(whole,), (tasks_of(whole, 2, 3), *parts(whole, 0, 1)), parts(whole, 0, 1, 2, 3)]
    for minute, jobs in enumerate(looks):
        arrivals.learn(cluster(4, *jobs, taken_at=NOW - HOUR + minute * 60))
    drawn = [arrivals.draw(n, NOW, NOW + 2 * HOUR) for n in range(20)]
    assert {job.spec.array.tasks for jobs in drawn for job in jobs} == {(0, 1, 2, 3)}
    assert all(len({job.spec.submitted_at for job in jobs}) == len(jobs) for jobs in drawn)


def tasks_of(job, *tasks):
    """Return the record of what is left of an array."""
    return replace(job, spec=replace(job.spec, array=replace(job.spec.array, tasks=tasks)))


def parts(job, *tasks):
    """Return tasks of an array that run."""
    found = []
    for task in tasks:
        one = tasks_of(job, task).spec
        found.append(replace(running("", "n1", 5), spec=replace(one, id=f"7_{task}")))
    return tuple(found)


@given(seen=st.lists(snapshots(), max_size=2), ahead=of_type(int))
def test_strange_snapshots_do_no_harm(seen, ahead):
    arrivals = Arrivals()
    for snapshot in seen:
        arrivals.learn(snapshot)
        now = snapshot.taken_at
        for job in arrivals.draw(0, now, now + min(ahead, 3 * DAY)):
            assert now < job.spec.submitted_at <= now + ahead
    state = json.loads(json.dumps(arrivals.state()))
    assert Arrivals.restored(state).state() == arrivals.state()


@pytest.mark.parametrize("state", [None, [], {}, {"log": 1}, 7, "x"])
def test_a_strange_state_is_refused(state):
    with pytest.raises(StorageError):
        Arrivals.restored(state)
