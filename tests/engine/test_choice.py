"""Which of the nodes that would do a job gets, by the way in which a machine hands them out."""

import pytest
from engine_scenes import Scene, busy, job, members
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.engine import codes


def chosen(jobs, running=None, *, allocation, **machine):
    """The nodes of each job on a machine of eight nodes, if all start at once."""
    given = {name: one | {"allocation": allocation} for name, one in jobs.items()}
    scene = Scene(given, running, machine={"nodes": 8, "cpus": 4} | machine)
    scene.run(until=1)
    return scene.nodes()


# node     0 1 2 3 4 5 6 7
# in use   1 . 3 2 . X . .       CPUs; X: all
SOME_IN_USE = {
    "r0": busy(0b00000001, 100, cpus=1),
    "r2": busy(0b00000100, 100, cpus=3),
    "r3": busy(0b00001000, 100, cpus=2),
    "r5": busy(0b00100000, 100),
}


@pytest.mark.parametrize(
    ("allocation", "size", "nodes"),
    [
        pytest.param(codes.FIRST_FIT, 2, [0, 1], id="first fit: in the order of the machine"),
        pytest.param(codes.BEST_FIT, 1, [2], id="best fit: where the least is free"),
        pytest.param(codes.BEST_FIT, 3, [0, 2, 3], id="best fit: then where little is free"),
        pytest.param(codes.BALANCED, 1, [1], id="balanced: where the largest share is free"),
        pytest.param(codes.BALANCED, 5, [0, 1, 4, 6, 7], id="balanced: then the next largest"),
        pytest.param(codes.DUAL_END, 1, [0], id="dual end: one node from the front"),
        pytest.param(codes.DUAL_END, 2, [6, 7], id="dual end: several from the back"),
        pytest.param(codes.CONSECUTIVE, 2, [6, 7], id="runs: the tightest that suffices"),
        pytest.param(codes.CONSECUTIVE, 4, [0, 1, 2, 3], id="runs: one that suffices alone"),
        pytest.param(codes.CONSECUTIVE, 1, [6], id="runs: one node of the tightest run"),
    ],
)
def test_nodes_partly_in_use(allocation, size, nodes):
    assert chosen({"a": job(size, cpus=1)}, SOME_IN_USE, allocation=allocation) == {"a": nodes}


# Runs 0-1, 3-5, 7, whole nodes.
THREE_RUNS = {"r": busy(0b01000100, 100)}


@pytest.mark.parametrize(
    ("size", "nodes"),
    [
        pytest.param(1, [7], id="the run of one"),
        pytest.param(2, [0, 1], id="the run of two"),
        pytest.param(3, [3, 4, 5], id="the run of three"),
        pytest.param(4, [3, 4, 5, 7], id="none suffices: the largest, then the tightest for one"),
        pytest.param(5, [0, 1, 3, 4, 5], id="the largest, then the tightest for two"),
        pytest.param(6, [0, 1, 3, 4, 5, 7], id="all"),
    ],
)
def test_runs_of_neighbours(size, nodes):
    found = chosen({"a": job(size)}, THREE_RUNS, allocation=codes.CONSECUTIVE)
    assert found == {"a": nodes}


def test_a_run_ends_where_neighbourhood_does():
    # Node 4 does not directly follow node 3 at this site.
    found = chosen({"a": job(4)}, THREE_RUNS, allocation=codes.CONSECUTIVE, gaps=0b00010000)
    assert found == {"a": [0, 1, 4, 5]}


@pytest.mark.parametrize(
    "allocation",
    [codes.BEST_FIT, codes.BALANCED, codes.CONSECUTIVE, codes.LAST, codes.LIGHTEST],
    ids=("best", "even", "runs", "last", "first"),
)
def test_the_lightest_come_first_whatever_their_load(allocation):
    weight = [1, 1, 1, 1, 5, 5, 5, 5]
    heavy_in_use = {"r": busy(0b11110000, 100, cpus=3)}
    found = chosen({"a": job(1, cpus=1)}, heavy_in_use, allocation=allocation, weight=weight)
    assert found["a"][0] < 4


def test_the_first_of_the_lightest_is_taken_wherever_it_lies():
    given = {"a": job(1), "b": job(1)}
    weight = [1] * 8
    found = chosen(given, THREE_RUNS, allocation=codes.LIGHTEST, weight=weight)
    assert found == {"a": [0], "b": [1]}


def test_a_run_ends_where_weight_changes():
    weight = [1, 1, 1, 5, 5, 5, 5, 5]
    found = chosen({"a": job(4)}, allocation=codes.CONSECUTIVE, weight=weight)
    assert found == {"a": [0, 1, 2, 3]}


# Runs 0-1, 3-5, 7; nodes 3 to 7 are the heavier ones.
@pytest.mark.parametrize(
    ("given", "now", "later"),
    [
        pytest.param({"size": 2}, [0, 1], [0, 1], id="light enough and the tightest"),
        pytest.param({"size": 1}, [0], [7], id="a light one now, the tightest run later"),
        pytest.param({"size": 3}, [3, 4, 5], [3, 4, 5], id="the light ones are too few"),
        pytest.param({"size": 2, "candidates": 0b11111000}, [3, 4], [3, 4], id="no light ones"),
        pytest.param({"size": 3, "contiguous": True}, [3, 4, 5], [3, 4, 5], id="no light run"),
    ],
)
def test_where_plans_know_no_weights_only_who_starts_prefers_light_nodes(given, now, later):
    asked = {"a": job(given.pop("size"), 50, **given)}
    up_to_weight = (0b00000111, 0b11111111)
    own = {"allocation": codes.CONSECUTIVE, "up_to_weight": up_to_weight}
    assert chosen(asked, THREE_RUNS, **own) == {"a": now}
    rest = {"s": busy(0b10111011, 40)}
    machine = {"nodes": 8, "cpus": 4, "up_to_weight": up_to_weight}
    wanted = {"a": asked["a"] | {"allocation": codes.CONSECUTIVE}}
    scene = Scene(wanted, THREE_RUNS | rest, machine=machine)
    assert scene.look() == {"a": 40}
    assert members(scene.planned_nodes()["a"]) == later


def test_a_contiguous_run_may_have_nodes_of_any_weight():
    weight = [1, 1, 1, 5, 5, 5, 5, 5]
    given = {"a": job(3, contiguous=True)}
    found = chosen(given, THREE_RUNS, allocation=codes.CONSECUTIVE, weight=weight)
    assert found == {"a": [3, 4, 5]}


def test_contiguous_nodes_are_the_tightest_run():
    given = {"a": job(1, contiguous=True), "b": job(2, contiguous=True)}
    found = chosen(given, THREE_RUNS, allocation=codes.CONSECUTIVE)
    assert found == {"a": [7], "b": [0, 1]}


def test_contiguous_nodes_weigh_as_the_last_of_their_run():
    weight = [9, 9, 1, 1, 1, 5, 1, 9]
    given = {"a": job(2, contiguous=True)}
    found = chosen(given, THREE_RUNS, allocation=codes.CONSECUTIVE, weight=weight)
    assert found == {"a": [3, 4]}


def test_contiguous_nodes_are_waited_for():
    scene = Scene({"a": job(4, contiguous=True)}, THREE_RUNS, machine={"nodes": 8})
    assert scene.run() == {"a": 100}
    assert scene.nodes() == {"a": [0, 1, 2, 3]}


ORDERS = {"orders": [[0] * 8, [7, 6, 5, 4, 3, 2, 1, 0], [5, 5, 5, 5, 5, 5, 5, 1]]}


@pytest.mark.parametrize("allocation", range(codes.HYBRID + 1))
def test_the_required_are_always_among_the_chosen(allocation):
    [nodes] = chosen({"a": job(3, required=0b00100010)}, allocation=allocation, **ORDERS).values()
    assert {1, 5} <= set(nodes)
    assert len(nodes) == 3


def test_round_robin_goes_on_behind_the_last_choice_and_comes_round():
    given = {"a": job(3), "b": job(3), "c": job(2)}
    found = chosen(given, allocation=codes.ROUND_ROBIN)
    assert found == {"a": [0, 1, 2], "b": [3, 4, 5], "c": [6, 7]}
    busy_front = {"r": busy(0b00000001, 100)}
    given = {"a": job(5, cpus=4), "b": job(2, cpus=4)}
    found = chosen(given, busy_front, allocation=codes.ROUND_ROBIN)
    assert found == {"a": [1, 2, 3, 4, 5], "b": [6, 7]}


def test_round_robin_begins_at_the_front_again():
    soon = {"r": busy(0b00000011, 10)}
    given = {"a": job(5), "b": job(3, enters_at=11)}
    given = {name: one | {"allocation": codes.ROUND_ROBIN} for name, one in given.items()}
    scene = Scene(given, soon, machine={"nodes": 8})
    scene.run(until=20)
    assert scene.nodes() == {"a": [2, 3, 4, 5, 6], "b": [0, 1, 7]}


# leaf a: 0-1, b: 2-4, c: 5-7; a and b hang on one switch, that and c on the topmost
TREE = {
    "switches": [
        (0b00000011, 3, True),
        (0b00011100, 3, True),
        (0b11100000, 4, True),
        (0b00011111, 4, False),
        (0b11111111, -1, False),
    ]
}


@pytest.mark.parametrize(
    ("size", "in_use", "nodes"),
    [
        pytest.param(1, 0, [0], id="the tightest leaf"),
        pytest.param(2, 0b00000001, [2, 3], id="the tightest leaf that suffices"),
        pytest.param(2, 0b00001101, [5, 6], id="one leaf rather than two"),
        pytest.param(4, 0, [0, 2, 3, 4], id="the tightest switch above, its largest leaf first"),
        pytest.param(
            5, 0b00000001, [2, 3, 5, 6, 7], id="a leaf right below a switch that suffices"
        ),
        pytest.param(6, 0, [2, 3, 4, 5, 6, 7], id="no switch but the topmost: the largest leaves"),
        pytest.param(4, 0b00011100, [0, 5, 6, 7], id="the largest leaf, then the tightest"),
    ],
)
def test_nodes_under_switches(size, in_use, nodes):
    running = {"r": busy(in_use, 100)} if in_use else {}
    found = chosen({"a": job(size)}, running, allocation=codes.TREE, **TREE)
    assert found == {"a": nodes}


def test_near_the_nodes_that_a_job_names():
    named = job(3, required=0b00000010)
    assert chosen({"a": named}, allocation=codes.TREE, **TREE) == {"a": [0, 1, 2]}


# leaf x: 0-2, below a switch of its own; y: 3-6 and z: 7-8 below another
PAIR = {
    "switches": [
        (0b000000111, 3, True),
        (0b001111000, 4, True),
        (0b110000000, 4, True),
        (0b000000111, 5, False),
        (0b111111000, 5, False),
        (0b111111111, -1, False),
    ]
}


def test_a_switch_counts_what_was_taken_below_it_too():
    # Behind `y` four are wanted: no leaf has them, but the switch above `y` and `z` had six.
    found = chosen({"a": job(8)}, allocation=codes.TREE, **PAIR | {"nodes": 9})
    assert found == {"a": [0, 1, 3, 4, 5, 6, 7, 8]}


def test_a_switch_may_count_only_what_is_left_below_it():
    # Behind `y` no switch but the topmost has four: the largest leaf is next, however far.
    down = PAIR | {"nodes": 9, "switches_count_down": True}
    found = chosen({"a": job(8)}, allocation=codes.TREE, **down)
    assert found == {"a": [0, 1, 2, 3, 4, 5, 6, 7]}


def test_what_was_taken_of_begun_leaves_is_left_out_again_with_each_of_them():
    # One light node each on `x` and `y`; then two more of `x` and three of `y` are taken.
    weight = [1, 1, 2, 2, 2, 2, 2, 2, 2, 2]
    leaves = [
        (0b0000000101, 3, True),
        (0b0000011010, 3, True),
        (0b1111100000, 3, True),
        (0b1111111111, -1, False),
    ]
    for down in (False, True):
        tree = {"nodes": 10, "switches": leaves, "switches_count_down": down, "weight": weight}
        found = chosen({"a": job(6)}, allocation=codes.TREE, **tree)
        assert found == {"a": [0, 1, 2, 3, 4, 5]}


def test_lighter_nodes_are_taken_as_a_whole_and_then_what_their_leaves_have():
    weight = [1, *[5] * 8]
    found = chosen({"a": job(4)}, allocation=codes.TREE, weight=weight, **PAIR | {"nodes": 9})
    assert found == {"a": [0, 1, 2, 7]}


def test_light_nodes_that_are_enough_come_before_any_switch():
    weight = [1, 1, 1, 1, 1, 1, 9, 9]
    found = chosen(
        {"a": job(3)}, {"r": busy(0b100, 100)}, allocation=codes.TREE, weight=weight, **TREE
    )
    assert found == {"a": [0, 1, 3]}


def test_the_last_that_fits():
    assert chosen({"a": job(2)}, THREE_RUNS, allocation=codes.LAST) == {"a": [5, 7]}


# Two of its nodes must be of 0-3, one of 2-5; the others may be any.
GROUPS = [(0b00001111, 2), (0b00111100, 1)]


@pytest.mark.parametrize(
    ("size", "in_use", "nodes"),
    [
        pytest.param(3, 0, [0, 1, 2], id="those that only one group wants come first"),
        pytest.param(3, 0b00000001, [1, 2, 3], id="then shared ones, for both are enough left"),
        pytest.param(3, 0b00000111, None, id="not one node for both"),
        pytest.param(3, 0b00110011, None, id="no two nodes for three"),
        pytest.param(5, 0, [0, 1, 2, 3, 4], id="the rest is any"),
    ],
)
def test_so_many_nodes_of_each_group(size, in_use, nodes):
    running = {"r": busy(in_use, 100)} if in_use else {}
    found = chosen({"a": job(size, groups=GROUPS)}, running, allocation=codes.FIRST_FIT)
    assert found == ({} if nodes is None else {"a": nodes})


@pytest.mark.parametrize(
    ("allocation", "order", "size", "nodes"),
    [
        pytest.param(codes.IN_ORDER, 1, 2, [6, 7], id="the first in its own order"),
        pytest.param(codes.IN_ORDER, 2, 2, [0, 7], id="equal ones as the machine has them"),
        pytest.param(codes.HYBRID, 2, 2, [1, 7], id="hybrid: of equal ones the emptiest"),
    ],
)
def test_an_order_of_their_own(allocation, order, size, nodes):
    one = job(size, cpus=1, order=order)
    assert chosen({"a": one}, SOME_IN_USE, allocation=allocation, **ORDERS) == {"a": nodes}


GAPS = (64, 100)
"""The nodes that do not directly follow the one before."""


def best_runs(free, size):
    """The nodes of the shortest run that suffices, else of the longest and then of others."""
    nodes, found = sorted(free), []
    while len(found) < size:
        ends = [i for i, node in enumerate(nodes) if node + 1 not in nodes or node + 1 in GAPS]
        runs = [nodes[i + 1 : j + 1] for i, j in zip([-1, *ends], ends, strict=False)]
        wanted = size - len(found)
        enough = [run for run in runs if len(run) >= wanted]
        best = min(enough, key=len) if enough else max(runs, key=len)
        found += best[:wanted]
        nodes = [node for node in nodes if node not in best]
    return sorted(found)


@settings(max_examples=200, deadline=None)
@given(held=st.integers(0, (1 << 130) - 1), size=st.integers(1, 130))
def test_runs_of_nodes_that_are_all_alike(held, size):
    # More nodes than two compiled words have bits.
    free = {node for node in range(130) if not held >> node & 1}
    scene = Scene(
        {"a": job(size, allocation=codes.CONSECUTIVE)},
        {"r": busy(held, 1000)} if held else None,
        machine={"nodes": 130, "exact": True, "gaps": sum(1 << node for node in GAPS)},
    )
    scene.run(until=1)
    assert scene.nodes() == ({"a": best_runs(free, size)} if len(free) >= size else {})
