"""Plans around a maintenance of all nodes of a partition."""

import pytest
from engine_scenes import AHEAD_ONLY, Scene, busy, job

SHUT = [0, [[-1, [0b1111]], [100, [0], (), 0b1111], [310, [0b1111]]]]
"""From 100 to 310 all four nodes are."""
PARTIAL = [0, [[-1, [0b1111]], [100, [0b0111], (), 0b1000], [310, [0b1111]]]]
"""Then one of them is."""


def look(jobs, running=None, calendar=SHUT, **more):
    machine = {"calendars": [calendar]}
    return Scene(jobs, running, machine=machine, step_s=60, **AHEAD_ONLY, **more).look()


@pytest.mark.parametrize(
    ("length_s", "start"),
    [
        pytest.param(100, 0, id="who ends just before it"),
        pytest.param(101, 310, id="who would meet it starts at its end, in the middle of a step"),
    ],
)
def test_a_maintenance_of_the_whole_partition_puts_a_start_off_to_its_end(length_s, start):
    found = look({"j": job(4, length_s)})
    assert found == {"j": start}


def test_behind_a_maintenance_slots_follow_each_other():
    jobs = {"a": job(4, 100), "b": job(4, 101), "c": job(4, 101)}
    found = look(jobs)
    # n0-n3   [ a ] shut until 310 [ b: 300 to 360 ][ c: from 360 ]
    assert found == {"a": 0, "b": 310, "c": 360}


def test_who_would_meet_it_from_a_slots_end_on_is_tried_behind_it():
    # n0-n3   [ r ] 40 [ a ] 50 [ b: would begin at 60 ] shut until 310
    running = {"r": busy(0b1111, 40)}
    jobs = {"a": job(4, 10), "b": job(4, 41)}
    assert look(jobs, running) == {"a": 40, "b": 310}


@pytest.mark.parametrize(
    ("required", "pinned", "start"),
    [
        pytest.param(0b1000, True, 310, id="to its end"),
        pytest.param(0b1000, False, 361, id="who shares nodes is only tried behind the step"),
        pytest.param(0b0001, True, 0, id="not if it is about others"),
    ],
)
def test_a_reservation_of_nodes_that_it_requires_puts_a_start_off(required, pinned, start):
    asked = job(2, 200, required=required, pinned=pinned)
    assert look({"j": asked}, calendar=PARTIAL) == {"j": start}


def test_a_maintenance_of_some_of_its_nodes_puts_nothing_off():
    elsewhere = job(3, 200, candidates=0b0111)
    assert look({"j": elsewhere}, calendar=PARTIAL) == {"j": 0}


@pytest.mark.parametrize(
    ("gone_through_before", "found"),
    [
        pytest.param(0b0001, 900, id="who had met one before is tried behind the step, too"),
        pytest.param(0, None, id="who had not is not, and cannot see so far from the end"),
    ],
)
def test_who_was_put_off_had_met_what_is_gone_through_before(gone_through_before, found):
    # n0   [ course ] shut until 310 [ a: to 900 ]
    # n1              shut until 310 [ b: to 420 ]
    # n2              shut until 310 [ c: to 540 ]
    partitions = {"left": 0b0001, "right": 0b0110}
    jobs = {
        "a": job(1, 590, partitions=["left"]),
        "b": job(1, 120, partitions=["right"]),
        "c": job(1, 240, partitions=["right"]),
        "j": job(1, 101, partitions=["left"]),
    }
    course = [-1, [0b1110], (), 0, gone_through_before]
    calendar = [0, [course, [100, [0], (), 0b1111], [310, [0b1111]]]]
    assert look(jobs, calendar=calendar, partitions=partitions).get("j") == found
