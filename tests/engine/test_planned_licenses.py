"""Slots for those who lack licenses, where the scheduler plans for licenses to be given back."""

import pytest
from engine_scenes import Scene, busy, job


def look(jobs, running, **more):
    return Scene(jobs, running, **more).look()


def test_who_ends_in_the_same_second_elsewhere_may_hold_the_license():
    jobs = {"licensed": job(1, 100, cpus=8, partitions=["first"], licenses=[[0, 1]])}
    running = {
        "there": busy(0b01, 70, cpus=8),
        "elsewhere": busy(0b10, 70, cpus=8, licenses=[[0, 1]]),
    }
    machine = {"nodes": 2, "cpus": 8, "licenses": [1]}
    partitions = {"first": 0b01, "second": 0b10}
    rules = {"licenses_planned": True, "group_s": 60}
    found = look(jobs, running, machine=machine, partitions=partitions, **rules)
    assert found == {"licensed": 70}


LACKING = {
    "jobs": {"licensed": job(1, 100, licenses=[[0, 1]])},
    "running": {"r": busy(0b1, 70, licenses=[[0, 1]])},
    "licenses_planned": True,
}


@pytest.mark.parametrize(
    ("over_at", "told"),
    [
        pytest.param(300, {}, id="as long as any reservation is there or to come"),
        pytest.param(-50, {"licensed": 70}, id="they are over"),
    ],
)
def test_who_lacks_licenses_is_not_planned_beside_reservations(over_at, told):
    # It is one of node 3 alone, that nobody wants.
    calendar = [0, [[-100, [0b0111]], [over_at, [0b1111]]]]
    machine = {"licenses": [1], "calendars": [calendar]}
    assert look(**LACKING, machine=machine) == told


def test_who_has_a_license_waits_for_nodes_beside_reservations():
    calendar = [0, [[-100, [0b0111]], [300, [0b1111]]]]
    machine = {"licenses": [2], "calendars": [calendar]}
    jobs = {"licensed": job(3, 100, licenses=[[0, 1]])}
    assert look(jobs, LACKING["running"], machine=machine, licenses_planned=True) == {
        "licensed": 70
    }
