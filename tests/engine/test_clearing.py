"""Nodes that are being cleared of ended jobs: nobody starts there, and plans count on them."""

import pytest
from engine_scenes import AHEAD_ONLY, STRICT_ONLY, Scene, busy, job

FIRST = {"nodes": 2, "clearings": [[0, 40, 0b01]]}
"""The first of two nodes is cleared at 40."""


def starts(jobs, machine, running=None, **more):
    return Scene(jobs, running, machine=machine, **more).run(100_000)


def test_the_pass_in_strict_order_takes_other_nodes_or_waits():
    jobs = {"a": job(1, 500), "b": job(1, 10), "c": job(1, 10)}
    found = starts(jobs, FIRST, main_period_s=10_000, **STRICT_ONLY)
    assert found == {"a": 0, "b": 40, "c": 50}


def test_it_stops_whoever_comes_behind_meanwhile():
    jobs = {"both": job(2, 10), "one": job(1, 10)}
    assert starts(jobs, FIRST, **STRICT_ONLY) == {"both": 40, "one": 50}


def test_the_pass_that_looks_ahead_gives_a_slot_where_it_would_start_were_the_node_cleared():
    # n0 is chosen first, so a waits for it, although n1 is free; b passes.
    jobs = {"a": job(1, 500), "b": job(1, 10)}
    found = starts(jobs, FIRST, period_s=30, **AHEAD_ONLY)
    assert found == {"a": 60, "b": 0}


def test_nobody_takes_that_slot():
    # Both nodes are to be had at once, so both is planned for now and keeps n1 as well.
    jobs = {"both": job(2, 10), "one": job(1, 10)}
    assert starts(jobs, FIRST, period_s=50, **AHEAD_ONLY) == {"both": 50, "one": 100}


@pytest.mark.parametrize(
    ("since", "until", "start"),
    [
        pytest.param(10, 20, 100, id="over before anybody could start"),
        pytest.param(100, 130, 130, id="from an end on"),
        pytest.param(100, 100, 100, id="at once"),
        pytest.param(101, 130, 100, id="only afterwards"),
    ],
)
def test_from_when_until_when(since, until, start):
    machine = {"nodes": 1, "clearings": [[since, until, 1]]}
    assert starts({"a": job(1)}, machine, {"r": busy(1, 100)}) == {"a": start}


@pytest.mark.parametrize(
    ("passes", "wait_s", "start"),
    [
        pytest.param(AHEAD_ONLY, 0, 0, id="who lands elsewhere does not wait"),
        pytest.param(AHEAD_ONLY, 60, 40, id="everybody waits until they are cleared"),
        pytest.param(AHEAD_ONLY, 25, 25, id="but so long at most"),
        pytest.param(STRICT_ONLY, 0, 0, id="nor in strict order"),
        pytest.param(STRICT_ONLY, 60, 40, id="where the clearing's end calls for a pass"),
        pytest.param(STRICT_ONLY, 25, 30, id="nothing else does but time"),
    ],
)
def test_everybody_may_have_to_wait(wait_s, start, passes):
    jobs = {"a": job(1, 10, candidates=0b10)}
    rules = {"clearing_wait_s": wait_s, "main_period_s": 15} | passes
    assert starts(jobs, FIRST, **rules) == {"a": start}


def test_who_waited_for_that_is_not_put_off_until_the_next_regular_pass():
    machine = {"nodes": 2, "clearings": [[100, 110, 0b01]]}
    jobs = {"a": job(1, 10, candidates=0b10, not_before=100)}
    rules = {"clearing_wait_s": 60, "period_s": 50} | AHEAD_ONLY
    assert starts(jobs, machine, **rules) == {"a": 110}


@pytest.mark.parametrize(
    ("told", "start"),
    [
        pytest.param({}, 55, id="it begins a pause after the one before"),
        pytest.param({"told_holds": True}, 40, id="unless it is known when it does"),
    ],
)
def test_the_pass_behind_one_that_waited_is_put_off_with_it(told, start):
    # The passes due at 10, 40 and 70; n0 is being cleared from 5 to 25; b comes at 30.
    machine = {"nodes": 2, "clearings": [[5, 25, 0b01]]}
    jobs = {"a": job(1, 10, candidates=0b10), "b": job(1, 10, candidates=0b10, not_before=30)}
    rules = {"clearing_wait_s": 60, "first_at": 10, "told_at": (10, 40, 70)} | AHEAD_ONLY | told
    assert starts(jobs, machine, **rules) == {"a": 25, "b": start}


def test_spans_of_one_node_may_meet():
    machine = {"nodes": 1, "clearings": [[0, 40, 1], [30, 70, 1]]}
    assert starts({"a": job(1)}, machine, main_period_s=10_000, **STRICT_ONLY) == {"a": 70}


@pytest.mark.parametrize(
    ("rules", "start"),
    [
        pytest.param({"main_period_s": 10_000}, 130, id="called for once all are cleared"),
        pytest.param({"main_period_s": 35}, 105, id="made before, as time has come"),
        pytest.param({"main_period_s": 10_000, "main_first_at": 112}, 112, id="whenever that is"),
    ],
)
@pytest.mark.parametrize("ends", ["who ran at first", "who started"])
def test_an_end_calls_for_no_pass_in_strict_order_while_its_nodes_are_cleared(rules, start, ends):
    # r gives back both nodes at 100; n1 could be had at once, n0 only at 130.
    machine = {"nodes": 2, "clearings": [[100, 130, 0b01]]}
    jobs = {"a": job(1, candidates=0b10)}
    if ends == "who ran at first":
        found = starts(jobs, machine, {"r": busy(0b11, 100)}, **STRICT_ONLY | rules)
    else:
        found = starts({"r": job(2, 100)} | jobs, machine, **STRICT_ONLY | rules)
    assert found["a"] == start


def test_a_pass_that_looks_ahead_is_made_meanwhile():
    machine = {"nodes": 2, "clearings": [[100, 130, 0b01]]}
    jobs = {"a": job(1, candidates=0b10)}
    found = starts(jobs, machine, {"r": busy(0b11, 100)}, period_s=30, **AHEAD_ONLY)
    assert found == {"a": 120}
