"""From some instant on everything is known: who runs how long, and who comes and leaves when."""

from itertools import pairwise

import pytest
from engine_scenes import Scene, busy, job
from hypothesis import given
from hypothesis import strategies as st

from predictor.engine import unlocked

FORESEEN = {"reservations": -1, "skips": True, "foresees": True}
CONSERVATIVE = {"reservations": -1, "skips": True}


def planned(jobs, running=None, since=0, **more):
    """Return when who starts if plans are made with all that is known from `since` on."""
    scene = Scene(jobs, running, **more)
    scene.run(until=since)
    unlocked.foresee(scene.forward)
    return scene.follow(**FORESEEN)


def some(longest):
    return st.tuples(st.integers(1, 4), st.integers(1, longest), st.integers(1, longest))


@given(st.lists(some(50), max_size=8), st.lists(some(30), max_size=4))
def test_what_is_foreseen_is_planned_as_if_limits_were_run_times(queue, busy_nodes):
    jobs = {f"j{i}": job(nodes, s, run_s=run_s) for i, (nodes, s, run_s) in enumerate(queue)}
    known = {f"j{i}": job(nodes, run_s) for i, (nodes, _, run_s) in enumerate(queue)}
    ends = {f"r{i}": (1 << i, *two) for i, (_, *two) in enumerate(busy_nodes)}
    running = {name: busy(node, end, planned_s=limit) for name, (node, end, limit) in ends.items()}
    ended = {name: busy(node, end) for name, (node, end, _) in ends.items()}
    assert planned(jobs, running) == Scene(known, ended).follow(**CONSERVATIVE)


@given(
    st.lists(st.tuples(some(50), st.integers(0, 60)), max_size=8),
    st.lists(some(30), max_size=4),
    st.integers(0, 60),
)
def test_from_whatever_instant_on_nobody_is_planned_where_another_is(queue, busy_nodes, since):
    jobs = {
        f"j{i}": job(nodes, s, run_s=run_s, enters_at=at)
        for i, ((nodes, s, run_s), at) in enumerate(queue)
    }
    ends = {f"r{i}": (1 << i, *two) for i, (_, *two) in enumerate(busy_nodes)}
    running = {name: busy(node, end, planned_s=limit) for name, (node, end, limit) in ends.items()}
    scene = Scene(jobs, running)
    scene.run(until=since)
    unlocked.foresee(scene.forward)
    starts = scene.follow(**FORESEEN)
    assert starts.keys() == jobs.keys()
    assert all(at >= jobs[name]["enters_at"] for name, at in starts.items())
    stays = [(node, 0, end) for node, (_, end, _) in enumerate(ends.values())]
    for name, nodes in scene.nodes().items():
        stays += [(node, starts[name], starts[name] + jobs[name]["run_s"]) for node in nodes]
    stays.sort()
    for (node, _, end), (other, start, _) in pairwise(stays):
        assert node != other or start >= end


def test_who_has_started_leaves_its_nodes_at_its_real_end():
    # all four nodes until 10, planned until 100; seen from 5 on
    found = planned({"a": job(4, 100, run_s=10), "b": job(4, 50, run_s=7), "c": job()}, since=5)
    assert found == {"a": 0, "b": 10, "c": 17}


@pytest.mark.parametrize(
    ("comer", "starts"), [("ab", {"ab": 12, "b": 17}), ("c", {"b": 10, "c": 20})]
)
def test_who_comes_later_is_planned_at_its_place_in_the_queue(comer, starts):
    # all is free from 10 on: who comes at 12 delays those behind it, or waits for those before it
    jobs = {"a": job(4, 10), comer: job(4, 5, enters_at=12), "b": job(4, 10)}
    assert planned(dict(sorted(jobs.items()))) == {"a": 0} | starts


def test_who_would_leave_before_its_start_keeps_nobody_off():
    jobs = {
        "a": job(4, 10),
        "gone": job(4, 90, leaves_at=10),
        "late": job(4, 20, leaves_at=11),
        "b": job(4, 5),
    }
    assert planned(jobs) == {"a": 0, "late": 10, "b": 30}


def test_who_waits_for_somebody_is_planned_once_that_one_has_ended():
    after = [{"people": ["a"]}]
    jobs = {"a": job(4, 10, run_s=4), "then": job(1, 5, after=after), "b": job(4, 10)}
    assert planned(jobs) == {"a": 0, "then": 4, "b": 9}


@pytest.mark.parametrize(("looks_max", "start"), [(0, 4), (1, 14)])
def test_who_becomes_ready_takes_its_turn_only_as_long_as_that_is_no_work(looks_max, start):
    after = [{"people": ["a"]}]
    jobs = {"a": job(4, 10, run_s=4), "then": job(4, 5, after=after), "b": job(4, 10)}
    scene = Scene(jobs)
    unlocked.foresee(scene.forward)
    assert scene.follow(**FORESEEN, looks_max=looks_max)["then"] == start


def test_a_limit_that_was_cut_for_the_start_ends_the_job():
    # "a" accepts 20 s, which it gets before "wide"; it would run for 50
    jobs = {"wide": job(4, 10), "a": job(1, 60, least_s=20, run_s=50)}
    found = Scene(jobs, {"r": busy(0b0111, 30)}, main_depth=-1).run()
    assert found == {"a": 0, "wide": 30}


def test_time_runs_no_longer_than_somebody_is_awaited():
    scene = Scene({"a": job(4, 10), "b": job(4, 10, enters_at=5000, awaited=False)})
    assert scene.run() == {"a": 0}
    assert scene.forward.now < 5000
