"""Of an array's tasks the first that waits starts, whichever was found a place."""

import pytest
from engine_scenes import AHEAD_ONLY, Scene, job

from predictor.engine import codes

FIRST = {"clearings": [[0, 40, 0b0001]]}
"""The first node is cleared at 40. Who is found a place there gets a slot, and waits."""


def tasks(count, of=None, **more):
    """So many tasks that run for 10 s, 11 s and so on; `of`: what else some of them have."""
    each = [{"s": 100, "run_s": 10 + n} | more | (of or {}).get(n, {}) for n in range(count)]
    return {f"t{n}": job(array=0, **fields) for n, fields in enumerate(each)}


def scene(jobs, nodes, **more):
    return Scene(jobs, machine={"nodes": nodes} | FIRST, period_s=30, **AHEAD_ONLY | more)


def test_they_are_told_their_starts_in_order():
    told = scene(tasks(4), 3).look()
    assert told == {"t0": 0, "t1": 0, "t2": codes.CLEARS_S, "t3": 100}


def test_who_is_not_ready_is_passed_over():
    jobs = tasks(4, {1: {"not_before": 500}})
    assert scene(jobs, 3).look() == {"t0": 0, "t2": 0, "t3": codes.CLEARS_S}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({}, id="whole nodes"),
        pytest.param({"total": 4, "cpus": 1, "spread": {"task": 1}}, id="CPUs wherever they are"),
    ],
)
def test_each_runs_as_long_as_it_does_and_leaves_nothing_behind(exact, asked):
    # Were t1 to start at 0, it would be over at 11, and t0 would come at 30.
    jobs = tasks(3, {0: {"run_s": 40}}, **asked) | {"all": job(2, 50)}
    found = scene(jobs, 2, exact_slots=exact).run(1000)
    assert found == {"t0": 0, "t1": 60, "t2": 60, "all": 90}


def test_each_node_gives_it_as_much_as_was_found_there():
    # t0 is planned on n0 and half of n1. Where t1 was found a place, on the rest of that and on n2,
    # t0 starts, and "two" finds nothing free.
    asked = {"cpus": 1, "spread": {"task": 1}}
    jobs = tasks(2, total=6, **asked) | {"two": job(s=20, total=2, **asked)}
    told = scene(jobs, 3, exact_slots=True).look()
    assert told == {"t0": 0, "t1": codes.CLEARS_S, "two": 100}


@pytest.mark.parametrize("other", [{"s": 200}, {"apart": True}, {"array": 1}], ids=str)
def test_nobody_takes_the_place_of_one_unlike_it(other):
    jobs = tasks(2)
    jobs["t0"] |= other
    assert scene(jobs, 2).look()["t1"] == 0
