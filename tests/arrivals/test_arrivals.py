"""Who comes next is drawn from those who came."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import HOUR, NOW, array, cluster, running, waiting
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import of_type

from predictor.arrivals.arrivals import Arrivals
from predictor.domain import Fact, Hidden, Hold, Provenance
from predictor.domain.durations import DAY_S as DAY
from predictor.errors import StorageError

MIDNIGHT = NOW - NOW % (24 * HOUR)
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


def test_who_was_sent_back_into_the_queue_is_no_arrival(watched):
    again = {waiting(str(n), of_job={"restarts": 1}): n / 10 for n in range(99)}
    arrivals = watched(Arrivals(), again, until_h=10)
    assert nobody_comes(arrivals, MIDNIGHT + 10 * HOUR)


def test_how_an_empty_cluster_fills_is_not_what_usually_comes():
    arrivals = Arrivals()
    arrivals.learn(cluster(4, taken_at=NOW))
    for minute in range(1, 180):
        at = NOW + minute * 60
        new = [waiting(f"{minute}-{n}", of_job={"submitted_at": at}) for n in range(9)]
        arrivals.learn(cluster(4, *(new if minute < 25 else ()), taken_at=at))
    assert nobody_comes(arrivals, NOW + 180 * 60)


def test_hours_nobody_looked_at_are_not_taken_for_quiet_ones(watched):
    arrivals = watched(Arrivals(), NOON_JOBS, until_h=5 * 24 + 14)
    watched(arrivals, {}, since_h=7 * 24 + 14, until_h=9 * 24)
    now = MIDNIGHT + 9 * DAY
    found = [hours(arrivals.draw(number, now, now + DAY))[12] for number in range(40)]
    assert sum(found) > 0.6 * 3 * 40


def test_where_jobs_are_hidden_nothing_is_learned(watched):
    hidden = Hidden(fact=Fact.JOBS, why="private")
    provenance = Provenance(source="scene", hidden=(hidden,))
    arrivals = watched(Arrivals(), NOON_JOBS, until_h=30, provenance=provenance)
    assert arrivals.state() == Arrivals().state()


def test_who_is_let_go_later_comes_free_later():
    arrivals = Arrivals()
    held = waiting("7", hold=Hold.USER, of_job={"submitted_at": NOW})
    free = waiting("7", of_job={"submitted_at": NOW, "eligible_at": NOW + 1800})
    arrivals.learn(cluster(4, waiting("1"), taken_at=NOW - 60))
    for minute in range(90):
        job = held if minute < 30 else free
        arrivals.learn(cluster(4, job, taken_at=NOW + minute * 60))
    now = NOW + 90 * 60
    drawn = [job for n in range(40) for job in arrivals.draw(n, now, now + DAY)]
    waits_s = {job.begin_at - job.spec.submitted_at for job in drawn if job.begin_at}
    assert waits_s == {1800}
    assert {job.hold for job in drawn} == {Hold.NONE}


@settings(max_examples=40)
@given(data=st.data(), ahead_s=of_type(int))
def test_strange_snapshots_do_no_harm(strange_looks, data, ahead_s):
    arrivals, looks = Arrivals(), data.draw(strange_looks)
    for snapshot in looks:
        arrivals.learn(snapshot)
        now, until = snapshot.taken_at, snapshot.taken_at + min(ahead_s, DAY)
        drawn = arrivals.draw(0, now, until)
        assert all(now < job.spec.submitted_at <= until for job in drawn)
        assert len({job.spec.id for job in drawn}) == len(drawn)
    state = json.loads(json.dumps(arrivals.state()))
    assert Arrivals.restored(state).state() == arrivals.state()


def test_what_was_learned_survives_a_restart(watched):
    comes = {str(n): n * n % 97 / 4 for n in range(90)}
    through = watched(Arrivals(), comes, until_h=30)
    before = watched(Arrivals(), comes, until_h=20)
    after = Arrivals.restored(json.loads(json.dumps(before.state())))
    watched(after, comes, since_h=20 + 1 / 6, until_h=30)
    assert after.state() == through.state()
    now = MIDNIGHT + 30 * HOUR
    assert after.draw(5, now, now + DAY) == through.draw(5, now, now + DAY)


def test_a_clock_put_back_makes_what_came_unknown(watched):
    arrivals = watched(Arrivals(), NOON_JOBS, until_h=40)
    watched(arrivals, NOON_JOBS, since_h=20, until_h=40)
    assert arrivals.state() == watched(Arrivals(), NOON_JOBS, until_h=40).state()


def nobody_comes(arrivals, now):
    return not any(arrivals.draw(number, now, now + DAY) for number in range(20))


@pytest.mark.parametrize("state", [None, [], {}, {"log": 1}, 7, "x"])
def test_a_strange_state_is_refused(state):
    with pytest.raises(StorageError):
        Arrivals.restored(state)


def test_looks_that_are_half_an_hour_apart_will_do():
    arrivals = Arrivals()
    for half_hour in range(48):
        at = NOW + half_hour * 1800
        new = waiting(str(half_hour), of_job={"submitted_at": at - 900})
        arrivals.learn(cluster(4, new, taken_at=at))
    now = NOW + 47 * 1800
    assert {len(arrivals.draw(number, now, now + 8 * HOUR)) for number in range(9)} == {16}


def test_what_came_together_on_a_real_machine_comes_together_again(kth):
    arrivals, first = Arrivals(), kth[0]
    now = first + 40 * HOUR
    for at in range(first, now + 1, 600):
        new = [
            waiting(str(n), of_job={"submitted_at": came})
            for n, came in enumerate(kth)
            if at - 600 < came <= at
        ]
        arrivals.learn(cluster(4, *new, taken_at=at))
    for number in range(20):
        later_s = defaultdict(set)
        for job in arrivals.draw(number, now, now + DAY):
            block, _, original = job.spec.id.partition(".")
            later_s[block].add(job.spec.submitted_at - kth[int(original)])
        assert later_s
        assert all(len(lags) == 1 for lags in later_s.values())
        assert all(lag % HOUR == 0 for lags in later_s.values() for lag in lags)


@pytest.fixture
def kth():
    """When the first 300 jobs came to the KTH's SP2."""
    trace = Path(__file__).parents[1] / "verification/traces/kth-sp2-first-300.swf"
    lines = trace.read_text().splitlines()
    return sorted(NOW + int(line.split()[1]) for line in lines if line and line[0] != ";")
