"""A search from a later instant, as if it had come: who is gone, what counts as one, how far."""

import pytest
from engine_scenes import Scene, busy, job, members

from predictor.engine import codes

GROUPS = {"group_s": 30}
ANEW = GROUPS | {"seeks_anew": True}
OWN = ANEW | {"own_ends": True}


def look(jobs, running, rules):
    scene = Scene(jobs, running, **rules)
    return scene.look(), {name: members(nodes) for name, nodes in scene.planned_nodes().items()}


# nodes    100   150 200      "j" is in the way of "first" if it starts now, and is tried when that
# 0     r  |     | f |        one's slot is over: on nodes that are free now, or on any that are
# 1     s        | i |        free then.
# 2              | r |
# 3              | s |
@pytest.mark.parametrize(("rules", "nodes"), [(GROUPS, [2]), (ANEW, [0]), (OWN, [0])])
def test_nodes_are_chosen_as_of_the_instant_that_is_tried(rules, nodes):
    jobs = {"first": job(4, 50), "j": job(1, 200)}
    told, planned = look(jobs, {"r": busy(0b0001, 100), "s": busy(0b0010, 150)}, rules)
    assert told == {"first": 150, "j": 200}
    assert planned["j"] == nodes


# nodes    10       500      1000 1025 1500     "j" waits for a pair from 500 on. From now on, all
# 0     r  | other  |                           ends up to 1950 belong to the third group; from 500
# 1     a                    |                  on, those up to 1050 to the first. It gets node 1,
# 2     b                         |             and not node 2.
# 3     c                              |
@pytest.mark.parametrize(("rules", "start"), [(GROUPS, 1500), (ANEW, 1025), (OWN, 1000)])
def test_ends_count_as_one_from_the_instant_on_that_is_tried(rules, start):
    ends = {"r": (0b0001, 10), "a": (0b0010, 1000), "b": (0b0100, 1025), "c": (0b1000, 1500)}
    running = {name: busy(*one) for name, one in ends.items()}
    jobs = {"other": job(1, 490), "j": job(2, 100)}
    assert look(jobs, running, rules)[0] == {"other": 10, "j": start}


# nodes    50  100 110 120    The ends at 100 and 120 count as one, but "j" is tried anew at 110,
# 0     a      |              when the slot of "k" is over: for that, or only up to then.
# 1     b              |
# 2     c  | k     |
@pytest.mark.parametrize(("rules", "start"), [(GROUPS, 110), (ANEW, 100), (OWN, 100)])
def test_ends_count_up_to_the_next_instant_that_would_be_tried(rules, start):
    running = {"a": busy(0b0001, 100), "b": busy(0b0010, 120), "c": busy(0b0100, 50)}
    jobs = {"k": job(1, 60), "j": job(1, 500)}
    given = {"partitions": {"p": 0b0111}} | rules
    assert Scene(jobs, running, **given).look() == {"k": 50, "j": start}


@pytest.mark.parametrize(("rules", "start"), [(ANEW, 210), (OWN, 200)])
def test_who_ends_just_when_it_is_tried_may_be_gone(rules, start):
    # The slot of "first" is over at 200, when "a" ends, too; "b" counts as one with it.
    running = {"r": busy(0b0001, 100), "a": busy(0b0010, 200), "b": busy(0b0100, 210)}
    jobs = {"first": job(1, 100), "pair": job(2, 400)}
    given = {"partitions": {"p": 0b0111}} | rules
    assert Scene(jobs, running, **given).look() == {"first": 100, "pair": start}


# CPUs     50  100  150 200    Of nodes 0, 2 and 4 there are 2, 3 and 4 CPUs, once "x" and "r" have
# 0     x  |     | f |         ended. "j" takes 2 of each of two nodes: it starts now, or waits for
# 2              | i |         ends, or gets what is free when the slot of "first" is over.
# 4              | r |
RESTS = {0: 2, 2: 3, 4: 4}


@pytest.mark.parametrize(
    ("trimmed", "now", "after_ends", "after_slots"),
    [
        pytest.param(codes.TRIMMED_NEVER, [0, 4], [0, 4], [0, 4], id="by all their CPUs"),
        pytest.param(codes.TRIMMED_SHARED, [0, 2], [0, 2], [0, 4], id="unless nobody must end"),
        pytest.param(codes.TRIMMED_ALWAYS, [0, 2], [0, 2], [0, 2], id="by those it takes"),
    ],
)
def test_nodes_are_compared_by_all_their_cpus_or_by_those_taken(
    trimmed, now, after_ends, after_slots
):
    rest = {f"o{n}": busy(1 << n, 900, cpus=4 - RESTS.get(n, 0)) for n in range(4)}
    shared = {"cpus": 2, "allocation": codes.CONSECUTIVE, "trimmed": trimmed}
    own = {"partitions": {"p": 0b10101}, "machine": {"nodes": 5, "cpus": 4}} | ANEW

    def planned(jobs, running):
        found = Scene(jobs, rest | running, **own)
        found.look()
        return members(found.planned_nodes()["j"])

    short, long = job(2, 50, **shared), job(2, 200, **shared)
    assert planned({"j": short}, {}) == now
    held = {f"r{n}": busy(1 << n, 100, cpus=free) for n, free in RESTS.items()}
    assert planned({"j": short}, held) == after_ends
    first = job(3, 50, cpus=2, allocation=codes.CONSECUTIVE)
    assert planned({"first": first, "j": long}, {"x": busy(1, 50, cpus=2)}) == after_slots


@pytest.mark.parametrize(("bounded", "told"), [(False, [50, 50, 50]), (True, [50, 50])])
def test_no_more_tasks_of_an_array_may_have_slots_than_may_run(bounded, told):
    # Of two lanes, none is in use; tasks that have no slot are told nothing.
    jobs = {f"t{n}": job(1, 100, array=0, lane=0) for n in range(3)}
    scene = Scene(jobs, {"r": busy(0b1111, 50)}, lanes=(2,), tasks_bounded=bounded)
    assert list(scene.look().values()) == told


def test_tasks_that_run_count_beside_those_with_slots():
    jobs = {f"t{n}": job(1, 100, array=0, lane=0) for n in range(3)}
    running = {"r": busy(0b0111, 50), "task": busy(0b1000, 500, lane=0)}
    scene = Scene(jobs, running, lanes=(2,), tasks_bounded=True)
    assert list(scene.look().values()) == [50]
