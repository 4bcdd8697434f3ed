"""Reservations that take nodes first that somebody is on, if so told."""

from engine_scenes import Scene, busy, job, members

from predictor.engine import codes

# n0, n1  idle
# n2      [ b            ] 900
# n3, n4  [ a  ] 100
RUNNING = {"a": busy(0b11000, 100), "b": busy(0b00100, 900)}


def planned(jobs, running=RUNNING, weight=(0, 0, 0, 0, 0), **rules):
    """Return when and where everybody is to start."""
    scene = Scene(jobs, running, machine={"nodes": 5, "weight": list(weight)}, **rules)
    starts = scene.look()
    return {name: (starts[name], members(nodes)) for name, nodes in scene.planned_nodes().items()}


def test_idle_ones_come_last():
    three = {"j": job(3, 50)}
    assert planned(three) == {"j": (100, [0, 1, 3])}
    assert planned(three, busy_first=True) == {"j": (100, [0, 3, 4])}


def test_but_lighter_ones_before_them():
    found = planned({"j": job(3, 50)}, weight=[0, 0, 5, 5, 5], busy_first=True)
    assert found == {"j": (100, [0, 1, 3])}


ALL_BUT_ONE = {"a": busy(0b11110, 100)}


def test_where_busy_ones_suffice_an_idle_one_is_taken_too():
    two = {"j": job(2, 50)}
    assert planned(two, ALL_BUT_ONE) == {"j": (100, [0, 1])}
    assert planned(two, ALL_BUT_ONE, busy_first=True) == {"j": (100, [0, 1, 2])}


def test_but_none_of_another_weight():
    found = planned({"j": job(2, 50)}, ALL_BUT_ONE, weight=[7, 0, 0, 0, 0], busy_first=True)
    assert found == {"j": (100, [1, 2])}


def test_who_lies_anywhere_gets_an_idle_one_too():
    anywhere = job(s=50, total=8, cpus=1, spread={"task": 1})
    assert planned({"j": anywhere}, ALL_BUT_ONE, busy_first=True) == {"j": (100, [0, 1, 2])}
    alone = job(s=50, total=16, cpus=1, spread={"task": 1})
    assert planned({"j": alone}, ALL_BUT_ONE, busy_first=True) == {"j": (100, [0, 1, 2, 3, 4])}


def test_who_starts_now_goes_where_it_would_go_anyway():
    jobs = {"now": job(1, 50), "later": job(4, 50)}
    assert planned(jobs, busy_first=True)["now"] == (0, [0])


def test_who_waits_for_a_slot_to_be_over_but_for_nobody_to_end_does_too():
    running = {"b": busy(0b00100, 900), "c": busy(0b10000, 900)}
    jobs = {"all": job(5, 50), "later": job(1, 2000, allocation=codes.CONSECUTIVE)}
    found = planned(jobs, running, busy_first=True)
    assert (found["all"][0], found["later"][1]) == (900, [3])


def test_who_has_started_in_the_pass_makes_its_node_a_busy_one():
    jobs = {"now": job(1, 50), "later": job(3, 50)}
    assert planned(jobs, busy_first=True)["later"] == (100, [0, 1, 3, 4])
