"""Jobs of so many CPUs wherever some are free: when they start, and which node gives how many."""

from types import SimpleNamespace

import pytest
import schedule_referee as referee
from engine_scenes import STRICT_ONLY, Scene, busy, job
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from slow_policies import dealt, slow_starts
from slow_spread import spread as slow_spread

from predictor.engine import codes

NODES, CPUS = 6, 4


def anywhere(total, cpus=1, s=60, **more):
    """A job of tasks that take `cpus` each; without `spread` on any number of nodes."""
    fields = {"task": cpus} | more.pop("spread", {})
    rules = {"allocation": codes.CONSECUTIVE} | more
    return job(s=s, total=total, cpus=cpus, spread=fields, **rules)


def in_use(*used):
    """Somebody on each node, who has so many of its 4 CPUs."""
    return {
        f"r{node}": busy(1 << node, 100, cpus=cpus) for node, cpus in enumerate(used) if cpus > 0
    }


def given_to(one, *used):
    """Return by node what it gives to a job that may start at once; None if it may not."""
    scene = placed(one, *used)
    found = scene.nodes()
    return dict(zip(found["a"], scene.given()["a"], strict=True)) if found else None


def placed(one, *used):
    scene = Scene({"a": one}, in_use(*used), machine={"nodes": len(used), "cpus": CPUS})
    scene.run(until=1)
    return scene


# How many CPUs of each node are in use; then what each node gives.
@pytest.mark.parametrize(
    ("one", "used", "expected"),
    [
        pytest.param(anywhere(7), (0, 1, 4, 4), {0: 4, 1: 3}, id="all that there is"),
        pytest.param(anywhere(5), (0, 0, 4, 4), {0: 4, 1: 1}, id="the last gives the rest"),
        pytest.param(anywhere(3), (3, 3, 3, 4), {0: 1, 1: 1, 2: 1}, id="single CPUs"),
        pytest.param(anywhere(4), (3, 3, 3, 4), None, id="too few"),
        pytest.param(anywhere(2), (0, 2, 1, 4), {1: 2}, id="on the tightest node that has all"),
        pytest.param(anywhere(2), (0, 0, 4, 2), {3: 2}, id="in the tightest run that has all"),
        pytest.param(anywhere(5), (3, 4, 0, 2), {2: 4, 3: 1}, id="else in the largest run"),
        pytest.param(anywhere(6, 2), (1, 1, 4, 4), {0: 3, 1: 2}, id="a task finds less than asked"),
        pytest.param(anywhere(6, 2), (3, 2, 0, 4), {1: 2, 2: 4}, id="a task needs one node"),
        pytest.param(
            anywhere(6, 2, spread={"unit": 2}), (1, 1, 2, 4), {0: 2, 1: 2, 2: 2}, id="whole tasks"
        ),
        pytest.param(
            anywhere(5, spread={"nodes_least": 2, "nodes_wanted": 2, "nodes_most": 2}),
            (0, 0, 4, 4),
            {0: 4, 1: 1},
            id="two nodes, the second with one CPU",
        ),
        pytest.param(
            anywhere(4, spread={"nodes_least": 2, "nodes_wanted": 2, "nodes_most": 2}),
            (0, 0, 4, 4),
            {0: 3, 1: 1},
            id="one CPU is kept for the second node",
        ),
        pytest.param(
            anywhere(5, spread={"nodes_least": 2, "nodes_wanted": 2, "nodes_most": 2}),
            (3, 3, 1, 1),
            {2: 3, 3: 2},
            id="the weakest nodes are left out if there are too many",
        ),
        pytest.param(
            anywhere(6, spread={"nodes_least": 2, "nodes_wanted": 3, "nodes_most": 3}),
            (0, 0, 0, 0),
            {0: 3, 1: 2, 2: 1},
            id="a range of numbers is spread as far as possible",
        ),
        pytest.param(
            anywhere(5, required=0b1000), (0, 0, 0, 3), {2: 4, 3: 1}, id="beside a node named"
        ),
    ],
)
def test_which_node_gives_how_many(one, used, expected):
    assert given_to(one, *used) == expected


def whole(least, most, **more):
    """A job of one CPU on whole nodes, so many at least and at most."""
    counts = {"nodes_least": least, "nodes_wanted": most, "nodes_most": most, "whole": True}
    return anywhere(1, CPUS, spread=counts | {"task": 1}, **more)


@pytest.mark.parametrize(
    ("one", "used", "nodes"),
    [
        pytest.param(whole(2, 3), (0, 0, 1, 0), [0, 1, 3], id="the most there are"),
        pytest.param(whole(2, 3), (0, 0, 0, 0), [0, 1, 2], id="no more than wanted"),
        pytest.param(whole(2, 3), (0, 1, 0, 1), [0, 2], id="the least"),
        pytest.param(whole(3, 4), (0, 1, 0, 1), None, id="too few"),
        pytest.param(
            whole(1, 3), (0, 0, 0, 1, 0), [0, 1, 4], id="the tightest run that has the least first"
        ),
        pytest.param(
            whole(3, 3, required=0b100),
            (0, 0, 0, 0, 1, 0),
            [1, 2, 3],
            id="behind one named, then before",
        ),
        pytest.param(
            whole(3, 3, required=0b100), (0, 1, 0, 0, 1, 0), [0, 2, 3], id="then elsewhere"
        ),
    ],
)
def test_how_many_whole_nodes(one, used, nodes):
    assert placed(one, *used).nodes().get("a") == nodes


THREE = {"nodes_least": 3, "nodes_wanted": 3, "nodes_most": 3}


@pytest.mark.parametrize(
    ("size", "used", "given"),
    [
        pytest.param(12, (4, 0, 0, 0, 0), {1: 4, 2: 4, 3: 4}, id="the first of a run"),
        pytest.param(12, (4, 0, 0, 3, 0), {1: 4, 2: 4, 4: 4}, id="the last one gives the rest"),
        pytest.param(12, (4, 0, 0, 4, 0), None, id="no run"),
        pytest.param(12, (3, 0, 0, 0, 4), {1: 4, 2: 4, 3: 4}, id="without who gives too little"),
        pytest.param(12, (0, 3, 0, 0, 4), None, id="which no run is left without"),
        pytest.param(5, (0, 0, 0, 4, 3, 1, 2), {4: 1, 5: 3, 6: 1}, id="the tightest run"),
    ],
)
def test_neighbours(size, used, given):
    """Nodes of any use at all make a run; which of it are taken need not be neighbours."""
    job = anywhere(size, spread=THREE, contiguous=True)
    assert given_to(job, *used) == given


@pytest.mark.parametrize(
    ("singly", "given"),
    [
        pytest.param(False, {0: 4, 4: 4, 6: 2}, id="both"),
        pytest.param(True, {0: 4, 3: 2, 4: 4}, id="the first one"),
    ],
)
def test_of_nodes_that_give_as_little_all_are_left_out_or_one_by_one(singly, given):
    # With nodes 2 and 3 of the largest run there are too few CPUs, with either of them enough.
    one = anywhere(10, spread=THREE | {"weakest_singly": singly})
    assert given_to(one, 0, 4, 2, 2, 0, 4, 0) == given


def test_a_lighter_run_that_is_too_small_is_of_no_use():
    running = {"one": busy(0b00010, 100, cpus=4)}
    machine = {"nodes": 5, "cpus": 4, "weight": [0, 1, 1, 1, 1]}
    scene = Scene({"a": anywhere(12, spread=THREE, contiguous=True)}, running, machine=machine)
    assert scene.run(until=1) == {"a": 0}
    assert scene.nodes() == {"a": [2, 3, 4]}


def test_neighbours_start_once_a_run_is_free():
    running = {"one": busy(0b010, 10, cpus=4), "other": busy(0b001, 20, cpus=1)}
    jobs = {"a": anywhere(12, spread=THREE, contiguous=True)}
    scene = Scene(jobs, running, machine={"nodes": 4, "cpus": 4})
    assert scene.run() == {"a": 10}
    assert scene.given() == {"a": [4, 4, 4]}


@pytest.mark.parametrize(
    ("allocation", "expected"),
    [
        (codes.FIRST_FIT, {0: 2, 1: 3}),
        (codes.LAST, {3: 4, 2: 1}),
        (codes.BEST_FIT, {2: 1, 0: 2, 1: 2}),
        (codes.BALANCED, {3: 4, 1: 1}),
    ],
    ids=("first fit", "last", "best fit", "balanced"),
)
def test_other_ways_to_choose_take_one_node_after_the_other(allocation, expected):
    assert given_to(anywhere(5, allocation=allocation), 2, 1, 3, 0) == expected


def test_cores_of_two_threads_are_given_whole():
    assert given_to(anywhere(3, 2, spread={"task": 1, "step": 2}), 2, 2, 4, 4) == {0: 2, 1: 2}


@pytest.mark.parametrize(
    ("task", "size", "used", "given"),
    [
        pytest.param(1, 2, (0,), {0: 4}, id="two tasks on both"),
        pytest.param(1, 2, (2,), {0: 2}, id="two on the one that is free"),
        pytest.param(2, 2, (0,), {0: 2}, id="one on one"),
        pytest.param(1, 6, (0, 0), {0: 4, 1: 4}, id="the rest of them on both"),
        pytest.param(2, 6, (0, 0), {0: 4, 1: 2}, id="the rest of them, one, on one"),
    ],
)
def test_tasks_may_be_dealt_over_all_sockets_that_are_free(task, size, used, given):
    """Sockets of two CPUs go whole."""
    spread = {"task": task, "step": 2, "scatters": True}
    assert given_to(anywhere(size, task, spread=spread), *used) == given


def test_it_starts_once_enough_is_free_here_and_there():
    running = {
        "one": busy(0b01, 10, cpus=3),
        "other": busy(0b10, 20, cpus=2),
    }
    scene = Scene({"a": anywhere(6)}, running, machine={"nodes": 2, "cpus": 4})
    assert scene.run() == {"a": 10}
    assert scene.given() == {"a": [4, 2]}


def test_what_was_given_comes_back_node_by_node():
    jobs = {"a": anywhere(5, s=10), "b": anywhere(8, s=10), "c": job(2, 5), "d": anywhere(8)}
    scene = Scene(jobs, machine={"nodes": 2, "cpus": 4})
    assert scene.run() == {"a": 0, "b": 10, "c": 20, "d": 25}


def test_a_slot_of_the_pass_that_looks_ahead_is_of_whole_nodes():
    # "a" gets a slot on both nodes from 50 on; "b" would end behind that, "c" before.
    jobs = {"a": anywhere(7, s=60), "b": anywhere(2, s=60), "c": anywhere(3, s=50)}
    running = {"r": busy(0b01, 50, cpus=4), "q": busy(0b10, 80, cpus=1)}
    scene = Scene(jobs, running, machine={"nodes": 2, "cpus": 4}, main_depth=-1)
    assert scene.look() == {"a": 50, "b": 110, "c": 110}
    jobs["c"] = anywhere(3, s=49)
    scene = Scene(jobs, running, machine={"nodes": 2, "cpus": 4}, main_depth=-1)
    assert scene.look() == {"a": 50, "b": 110, "c": 0}


# -- by chance ------------------------------------------------------------------------------------

tasks = st.tuples(st.integers(1, 9), st.sampled_from((1, 1, 1, 2)))
ranges = st.sampled_from(((1, 1, 0), (1, 1, 0), (2, 2, 2), (1, 1, 2), (2, 3, 3), (3, 3, 0)))
uses = st.lists(st.integers(0, CPUS), min_size=NODES, max_size=NODES)


def drawn(size, span, **more):
    """Return a job of so many tasks of so many CPUs on so many nodes: at least, rather, at most."""
    (count, cpus), (least, wanted, most) = size, span
    fields = {"nodes_least": least, "nodes_wanted": wanted, "nodes_most": most}
    return anywhere(max(count, wanted) * cpus, cpus, spread=fields, **more)


def looked(size, span, used):
    found = given_to(drawn(size, span), *used)
    return found and sorted(found.items())


@settings(deadline=None, max_examples=400)
@given(tasks, ranges, uses)
def test_each_node_gives_what_the_second_opinion_says(size, span, used):
    one = drawn(size, span)
    names = dict(zip(("least", "wanted", "most"), span, strict=True))
    left = {node: CPUS - cpus for node, cpus in enumerate(used)}
    expected = slow_spread(one | names, left)
    assert looked(size, span, used) == (expected and sorted(expected.items()))


POLICIES = {
    "fcfs": {"reservations": 0, "skips": False},
    "list": {"reservations": 0, "skips": True},
    "easy": {"reservations": 1, "skips": True},
    "conservative": {"reservations": -1, "skips": True, "forgets": True},
}
mixed = st.lists(
    st.one_of(
        st.builds(
            lambda size, s, at: anywhere(
                size[0] * size[1], size[1], s, allocation=codes.FIRST_FIT, not_before=at
            ),
            tasks,
            st.integers(1, 12),
            st.sampled_from((0, 0, 4)),
        ),
        st.builds(
            lambda nodes, s, cpus: job(nodes, s, cpus=cpus),
            st.integers(1, 3),
            st.integers(1, 12),
            st.integers(1, CPUS),
        ),
    ),
    max_size=6,
)
occupants = st.lists(
    st.builds(
        lambda node, until, cpus: busy(1 << node, until, cpus=cpus),
        st.integers(0, 3),
        st.integers(1, 15),
        st.integers(1, CPUS),
    ),
    max_size=3,
    unique_by=lambda one: one["nodes"],
)


def scene_of(asked, occupied):
    jobs = {str(number): one for number, one in enumerate(asked)}
    running = {f"r{number}": one for number, one in enumerate(occupied)}
    return Scene(jobs, running, machine={"nodes": 4, "cpus": CPUS})


def followed(asked, occupied, policy):
    scene = scene_of(asked, occupied)
    starts, nodes = scene.follow(**policy), scene.nodes()
    return {name: [starts[name], nodes[name]] for name in starts}


@settings(deadline=None, max_examples=150)
@given(mixed, occupants, st.sampled_from(sorted(POLICIES)))
def test_beside_others_everybody_starts_when_the_second_opinion_says(asked, occupied, name):
    scene = scene_of(asked, occupied)
    expected = slow_starts(scene.jobs, scene.running, 4, CPUS, POLICIES[name])
    assert followed(asked, occupied, POLICIES[name]) == expected


@settings(deadline=None, max_examples=40)
@given(mixed, occupants, st.sampled_from(sorted(POLICIES)))
def test_both_kinds_of_engine_start_the_same(same_in_both, asked, occupied, name):
    same_in_both(followed, asked, occupied, POLICIES[name])


@settings(deadline=None, max_examples=60)
@given(tasks, ranges, uses)
def test_both_kinds_of_engine_choose_the_same(same_in_both, size, span, used):
    same_in_both(looked, size, span, used)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=8))
def test_the_referee_accepts_who_starts_in_strict_order(asked):
    """Nobody has more than there is, all have what they asked for, the first as soon as it fits."""
    jobs = {str(n): anywhere(cpus, s=s) for n, (cpus, s) in enumerate(asked)}
    scene = Scene(jobs, machine={"nodes": 3, "cpus": CPUS}, arrival_delay_s=0, **STRICT_ONLY)
    starts, nodes, portions = scene.run(), scene.nodes(), scene.given()
    courses = [
        SimpleNamespace(
            rank=n,
            submit_s=0,
            start_s=starts[str(n)],
            end_s=starts[str(n)] + s,
            units=cpus,
            need=((0, 1),),
            places=tuple(zip(nodes[str(n)], portions[str(n)], strict=True)),
        )
        for n, (cpus, s) in enumerate(asked)
    ]
    group = SimpleNamespace(nodes=3, has={"core": CPUS})
    machine = SimpleNamespace(groups=[group], resources=["core"])
    referee.judge_capacity(machine, courses)
    referee.judge_fcfs(machine, courses)


@given(st.dictionaries(st.integers(0, 5), st.integers(2, 9), min_size=1), st.sampled_from((1, 2)))
def test_dealing_gives_nobody_more_than_there_is(able, task):
    tasks = sum(able.values()) // task
    assume(tasks >= len(able))
    given_ = dealt(able, tasks, task)
    assert all(0 < given_[node] <= able[node] for node in able)
    assert sum(given_.values()) <= tasks * task
