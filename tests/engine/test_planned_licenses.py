"""Slots for those who lack licenses, where the scheduler plans for licenses to be given back."""

import pytest
from engine_scenes import Scene, busy, job

MANY = 70


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


def test_who_has_a_reservation_is_planned_without_licenses_too():
    calendar = [0, [[-100, [0b0111, 0b1111]], [300, [0b1111, 0b1111]]]]
    machine = {"licenses": [1], "calendars": [calendar]}
    jobs = {"licensed": job(1, 100, licenses=[[0, 1]], reservation=1)}
    assert look(**LACKING | {"jobs": jobs}, machine=machine) == {"licensed": 70}


def test_who_has_a_license_waits_for_nodes_beside_reservations():
    calendar = [0, [[-100, [0b0111]], [300, [0b1111]]]]
    machine = {"licenses": [2], "calendars": [calendar]}
    jobs = {"licensed": job(3, 100, licenses=[[0, 1]])}
    assert look(jobs, LACKING["running"], machine=machine, licenses_planned=True) == {
        "licensed": 70
    }


# nodes    50   150   250   350    Where licenses change hands slots are parted, though no node is
# 0-3    r | a   | b   | d   |     given back. "brief" looks from now on as far as the second change
#                                  behind its end: that is when "d" ends, or when "b" begins.
@pytest.mark.parametrize(
    ("having", "planned", "told"),
    [
        pytest.param("", True, {"brief": 350}, id="none"),
        pytest.param("b", True, {}, id="one that changes hands"),
        pytest.param("b", False, {"brief": 350}, id="one that nobody plans for"),
        pytest.param("abd", True, {"brief": 350}, id="one that is handed on"),
    ],
)
def test_who_runs_short_looks_less_far_where_licenses_change_hands(having, planned, told):
    jobs = {name: job(4, 100, licenses=[[0, 1]] if name in having else []) for name in "abd"}
    jobs["brief"] = job(4, 40)
    rules = {"machine": {"licenses": [1]}, "licenses_planned": planned}
    slots = {"a": 50, "b": 150, "d": 250}
    assert look(jobs, {"r": busy(0b1111, 50)}, **rules) == slots | told


# nodes     95  155  215  275   "brief" is tried at 60, when nobody has node 0 any more, and looks
# 0     r   |                   on to the second change behind 90: that is 240, where nodes are
# 1, 2  t                 |     given back, or 180, where "u" gives its license back after "s".
@pytest.mark.parametrize(("planned", "told"), [(True, {}), (False, {"brief": 275})])
def test_licenses_of_who_runs_part_slots_too(planned, told):
    running = {
        "r": busy(0b0001, 95, whole=True),
        "s": busy(0, 155, licenses=[[0, 1]]),
        "u": busy(0, 215, licenses=[[0, 1]]),
        "t": busy(0b0110, 275, whole=True),
    }
    rules = {"step_s": 60, "running_reserved": True, "licenses_planned": planned}
    assert look({"brief": job(3, 30)}, running, machine={"licenses": [2]}, **rules) == told


# 0   70     licenses are given back, and lent, in whole steps: for what is planned. Who runs has
# r |        them to its very end, where that is seen.
@pytest.mark.parametrize(
    ("rules", "start"),
    [
        pytest.param({}, 60, id="steps that are full"),
        pytest.param({"rounds_up": True}, 120, id="steps that have begun"),
        pytest.param({"licenses_seen": True}, 70, id="who runs is seen"),
    ],
)
def test_licenses_are_given_back_with_the_last_step(rules, start):
    given = {"step_s": 60, "running_reserved": True, "licenses_planned": True} | rules
    jobs, running = {"j": job(1, 100, licenses=[[0, 1]])}, {"r": busy(1, 70, licenses=[[0, 1]])}
    assert look(jobs, running, machine={"licenses": [1]}, **given) == {"j": start}


# nodes 20       120          The slot of "first" begins with the step that runs, and so do its
# 0   r | first |             licenses: "second" has a node, but may not start.
# 1             | second |   It ends with a full step.
@pytest.mark.parametrize(
    ("least_s", "told"),
    [
        pytest.param(100, {"first": 20, "second": 120}, id="over in a later step"),
        pytest.param(30, {"first": 20, "second": 60}, id="for that one at least"),
    ],
)
def test_slots_keep_licenses_from_the_step_on_that_runs(least_s, told):
    jobs = {
        "first": job(1, least_s, licenses=[[0, 1]], partitions=["left"]),
        "second": job(1, 100, licenses=[[0, 1]], partitions=["right"]),
    }
    given = {"step_s": 60, "licenses_planned": True, "machine": {"licenses": [1]}}
    parts = {"left": 0b01, "right": 0b10}
    assert look(jobs, {"r": busy(0b01, 20)}, partitions=parts, **given) == told


# licenses  50      150     "both" is planned for when "r" gives its license back. Until then one is
# 0      r  | both   |      free: for who is over by then. Who is not is tried behind "both".
# 1         |        |
@pytest.mark.parametrize(
    ("length", "told"),
    [
        pytest.param(49, {"one": 0}, id="over before"),
        pytest.param(50, {"one": 150}, id="just as it begins"),
        pytest.param(60, {"one": 150}, id="too long"),
    ],
)
def test_slots_keep_licenses(length, told):
    jobs = {"both": job(1, 100, licenses=[[0, 2]]), "one": job(1, length, licenses=[[0, 1]])}
    running = {"r": busy(0b1, 50, licenses=[[0, 1]])}
    given = {"running_reserved": True, "licenses_planned": True, "machine": {"licenses": [2]}}
    assert look(jobs, running, **given) == {"both": 50} | told


# nodes    100 110   "j" waits for a node, and wants a license that is free. Who gives one back
# 0     a  |         elsewhere counts as one with who gives the node back, where that is seen.
# 1     b      |
@pytest.mark.parametrize(("seen", "start"), [(False, 100), (True, 110)])
@pytest.mark.parametrize("planned", [False, True])
def test_who_gives_back_licenses_counts_as_one_with_who_gives_back_nodes(seen, start, planned):
    jobs = {"j": job(1, 50, partitions=["first"], licenses=[[0, 1]])}
    running = {"a": busy(0b01, 100), "b": busy(0b10, 110, licenses=[[0, 1]])}
    rules = {"group_s": 30, "licenses_seen": seen, "licenses_planned": planned}
    partitions = {"first": 0b01, "second": 0b10}
    machine = {"nodes": 2, "licenses": [2]}
    assert look(jobs, running, machine=machine, partitions=partitions, **rules) == {"j": start}


def test_however_many_give_licenses_back_each_is_noted():
    ends = range(60, 60 + 60 * MANY, 60)
    running = {f"r{at}": busy(0, at, licenses=[[0, 1]]) for at in ends}
    rules = {"step_s": 60, "running_reserved": True, "licenses_planned": True}
    scene = Scene({"a": job(1, 10)}, running, machine={"licenses": [MANY]}, **rules)
    scene.look()
    bookings = scene.forward.ahead.bookings
    noted = [bookings.time[i] for i in range(bookings.count) if bookings.relent[bookings.row[i]]]
    assert noted == [*ends]
