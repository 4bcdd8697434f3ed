"""When the pass in strict order is made that something calls for.

Source: Slurm 22.05, the scheduler's thread and the one in the background. As seen on a real one
without an epilog, whose regular passes were made at 44, 49, 54 and so on: ends at 40.5, 42.6 and
46.9 were followed by passes at 42.9, 44.9 and 47.9, the end of who was killed at 27.5 by one at
once.
"""

import pytest
from engine_scenes import FAR, STRICT_ONLY, Scene, busy, job

ALONE = {"main_period_s": 10_000, "arrival_delay_s": 3, **STRICT_ONLY}
"""Without regular passes."""
WAITING = {**ALONE, "ends_wait": True}


def starts(jobs, running=None, **rules):
    return Scene(jobs, running, **rules).run()


def leaving(nodes, at):
    """Somebody who ends before its limit does."""
    return busy(nodes, at, planned_s=1000)


@pytest.mark.parametrize(("waits", "second"), [(False, 43), (True, 45)])
def test_an_end_shares_the_turns_of_submissions_if_nodes_have_nothing_to_do_after_it(waits, second):
    running = {"r": leaving(0b0111, 43), "s": busy(0b1000, 42)}
    jobs = {"a": job(1, enters_at=42), "b": job(3)}
    assert starts(jobs, running, **{**WAITING, "ends_wait": waits}) == {"a": 42, "b": second}


@pytest.mark.parametrize(("waits", "start"), [(False, 51), (True, 53)])
def test_only_an_end_that_took_a_turn_puts_submissions_off(waits, start):
    running = {"r": leaving(0b0001, 50), "s": busy(0b0100, FAR)}
    rules = {**WAITING, "ends_wait": waits}
    assert starts({"a": job(1, enters_at=51)}, running, **rules) == {"a": start}


def test_whose_time_has_run_out_calls_for_a_pass_at_once():
    jobs = {"a": job(1, enters_at=42), "b": job(3)}
    assert starts(jobs, {"r": busy(0b0111, 43)}, **WAITING) == {"a": 42, "b": 43}


@pytest.mark.parametrize(("run_s", "start"), [(5, 12), (6, 11)])
def test_who_has_started_meanwhile_does_so_too(run_s, start):
    jobs = {
        "a": job(3, 6, run_s=run_s, enters_at=5),
        "b": job(1, enters_at=9),
        "c": job(3, enters_at=9),
    }
    assert starts(jobs, **WAITING) == {"a": 5, "b": 9, "c": start}


def test_a_pass_that_is_called_for_directly_leaves_turns_as_they_are():
    running = {"r": leaving(0b0011, 42), "s": leaving(0b0100, 43), "t": busy(0b1000, 44)}
    jobs = {"a": job(2), "b": job(1), "c": job(1, enters_at=45)}
    found = starts(jobs, running, **WAITING)
    assert found == {"a": 42, "b": 44, "c": 45}


def test_a_regular_pass_takes_the_turn_of_who_waits():
    running = {"r": leaving(0b0001, 58), "s": leaving(0b0010, 59), "t": leaving(0b1100, 61)}
    jobs = {"a": job(1), "b": job(1), "c": job(2)}
    found = starts(jobs, running, **{**WAITING, "main_period_s": 60})
    assert found == {"a": 58, "b": 60, "c": 63}


def test_a_regular_pass_that_had_nothing_to_do_puts_off_who_comes_next():
    found = starts({"a": job(1, enters_at=61)}, **{**ALONE, "main_period_s": 60})
    assert found == {"a": 63}


def test_a_release_waits_for_its_turn():
    jobs = {"a": job(1, enters_at=42), "b": job(1, held=[(0, 43)])}
    assert starts(jobs, **ALONE) == {"a": 42, "b": 45}


SPAN = [[-1, [0b1111, 0]], [100, [0b0000, 0b1111], [], 0, "begins"], [310, [0b1111, 0]]]
"""From 100 to 310 all nodes are reserved."""


@pytest.mark.parametrize(
    ("begins", "reserved", "others"),
    [
        pytest.param(SPAN, 100, 360, id="others wait for the next regular pass after its end"),
        pytest.param([*SPAN[:1], [100, *SPAN[1][1:4]], SPAN[2]], 120, 360, id="one is over then"),
    ],
)
def test_the_begin_of_a_reservation_calls_for_a_pass_but_no_end_does(begins, reserved, others):
    jobs = {"own": job(1, 10, reservation=1), "other": job(1, 10, enters_at=80, not_before=105)}
    machine = {"calendars": [[0, begins]]}
    rules = {"main_period_s": 60, "arrival_delay_s": 3, **STRICT_ONLY}
    assert starts(jobs, machine=machine, **rules) == {"own": reserved, "other": others}
