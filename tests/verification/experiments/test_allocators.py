"""Where jobs are put: what holds for all allocators, and what each of them is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.experiments.allocators import ALLOCATORS
from verification.experiments.course import Queued
from verification.experiments.jobs import Job
from verification.experiments.machine import Group, Machine, alike
from verification.experiments.state import State

CORE, GPU, BOTH = ((0, 1),), ((0, 1), (1, 1)), ((0, 2), (1, 1))
MIXED = Machine(
    groups=(
        Group(name="gpu", nodes=2, has={"core": 4, "gpu": 2}),
        Group(name="mic", nodes=2, has={"core": 4, "mic": 2}),
        Group(name="thin", nodes=2, has={"core": 4}),
    ),
    grid=(3, 2),
    leaf_nodes=3,
)


def waiting(state, units, need=CORE, rank=0, planned_s=60):
    job = Job(rank, 0, 60, planned_s, units, units, need, -1, 1, 1, 1, 1, 1, 1)
    return Queued(rank, job, state.shape(need), units, planned_s)


def taken(state, busy):
    """Let so many cores of each node be taken."""
    shape = state.shape(CORE)
    state.take(shape, [(node, units) for node, units in enumerate(busy) if units])


def placed(machine, busy, units, allocator, need=CORE, seed=1):
    state = State(machine)
    taken(state, busy)
    return ALLOCATORS[allocator](state, seed).place(waiting(state, units, need))


@pytest.mark.parametrize("allocator", ALLOCATORS)
@given(
    busy=st.lists(st.integers(0, 4), min_size=6, max_size=6),
    need=st.sampled_from([CORE, GPU, BOTH]),
    data=st.data(),
)
def test_every_unit_has_its_place_and_nothing_is_changed(allocator, busy, need, data):
    state = State(MIXED)
    taken(state, busy)
    before = [list(column) for column in state.free]
    shape = state.shape(need)
    if not shape.total:
        return
    units = data.draw(st.integers(1, shape.total))
    places = ALLOCATORS[allocator](state, 1).place(waiting(state, units, need))
    assert sum(count for _, count in places) == units
    assert len({node for node, _ in places}) == len(places)
    assert all(0 < count <= shape.fits[node] for node, count in places)
    assert state.free == before


LINE = alike(6, 4)


@pytest.mark.parametrize(
    ("allocator", "units", "places"),
    [
        pytest.param("first-fit", 3, [(0, 1), (1, 2)], id="first: whatever is free"),
        pytest.param("best-fit", 3, [(0, 1), (4, 1), (1, 1)], id="best: the fullest nodes"),
        pytest.param("weighted", 3, [(0, 1), (4, 1), (1, 1)], id="weighted: the same of one kind"),
        pytest.param("dual-end", 3, [(0, 1), (1, 2)], id="dual end: what a node holds from here"),
        pytest.param("dual-end", 5, [(4, 1), (3, 4)], id="dual end: what is larger from there"),
        pytest.param("virtual-partitions", 1, [(0, 1)], id="virtual: one core on the first nodes"),
        pytest.param("virtual-partitions", 3, [(1, 2), (2, 1)], id="virtual: a node's worth"),
        pytest.param("virtual-partitions", 6, [(3, 4), (1, 2)], id="virtual: over to the next"),
        pytest.param("cartesian", 2, [(1, 2)], id="cartesian: the tightest single node"),
        pytest.param("cartesian", 7, [(2, 4), (3, 3)], id="cartesian: neighbours"),
        pytest.param("balanced", 3, [(0, 1), (1, 2)], id="balanced: nothing is scarce here"),
    ],
)
def test_on_nodes_that_are_alike(allocator, units, places):
    # free: 1 2 4 4 1 0
    assert list(placed(LINE, [3, 2, 0, 0, 3, 4], units, allocator)) == places


def test_balanced_leaves_what_is_scarce_for_last_and_then_takes_turns():
    assert list(placed(MIXED, [0] * 6, 8, "balanced")) == [(4, 4), (5, 4)]
    nodes = [node for node, _ in placed(MIXED, [0] * 6, 24, "balanced")]
    assert nodes == [4, 5, 0, 2, 1, 3]


def test_hybrid_takes_turns_and_of_each_kind_who_has_least_of_value_left():
    state = State(MIXED)
    gpu, core = waiting(state, 1, GPU, rank=1), waiting(state, 23)
    state.take(gpu.shape, [(1, 1)])
    allocator = ALLOCATORS["hybrid"](state, 1)
    allocator.submitted(gpu)
    assert [node for node, _ in allocator.place(core)] == [4, 5, 1, 2, 0, 3]


def test_weighted_spares_what_others_ask_for():
    state = State(MIXED)
    allocator = ALLOCATORS["weighted"](state, 1)
    core, gpu = waiting(state, 1), waiting(state, 1, GPU, rank=1)
    for queued in (core, gpu):
        allocator.submitted(queued)
    assert allocator.place(core)[0][0] == 2  # mics are there, too, but nobody asked for one


def test_priority_weighted_spares_the_more_who_waits_for_it():
    state = State(MIXED)
    allocator = ALLOCATORS["priority-weighted"](state, 1)
    gpu, mic = waiting(state, 1, GPU, rank=1), waiting(state, 1, ((0, 1), (2, 1)), rank=2)
    core = waiting(state, 1, rank=3)
    taken(state, [0, 0, 0, 0, 4, 4])
    for queued in (core, gpu, mic):
        allocator.submitted(queued)
    allocator.blocked(gpu)
    assert allocator.place(core)[0][0] == 2
    for _ in range(2):
        allocator.blocked(mic)
    assert allocator.place(core)[0][0] == 0
    for _ in range(20):
        allocator.started(mic)
    assert allocator.place(core)[0][0] == 2


def test_round_robin_goes_on_behind_whom_it_served_last():
    state = State(LINE)
    allocator, queued = ALLOCATORS["round-robin"](state, 1), waiting(state, 5)
    nodes = []
    for _ in range(4):
        places = allocator.place(queued)
        allocator.place(waiting(state, 1))  # asked, but not started
        places = allocator.place(queued)
        allocator.started(queued)
        nodes.append([node for node, _ in places])
    assert nodes == [[0, 1], [2, 3], [4, 5], [0, 1]]


def test_random_draws_the_same_by_the_same_seed_only():
    def drawn(seed):
        return [placed(LINE, [0] * 6, 9, "random", seed=seed) for _ in range(3)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_topology_takes_the_tightest_leaf_that_suffices_else_begins_with_the_freest():
    busy = [1, 0, 4, 3, 0, 4]  # leaves of three nodes: 7 and 5 cores free
    assert [node for node, _ in placed(MIXED, busy, 5, "topology")] == [3, 4]
    assert [node for node, _ in placed(MIXED, busy, 9, "topology")] == [0, 1, 3, 4]


def test_cartesian_takes_the_smallest_box_with_room():
    # A grid of 3 by 2: with its first row taken, the square behind it is the place for four nodes.
    busy = [4, 4, 0, 0, 0, 0]
    assert [node for node, _ in placed(MIXED, busy, 16, "cartesian")] == [2, 3, 4, 5]
    # Scattered, no box has room enough: first fit.
    assert [node for node, _ in placed(MIXED, [0, 4, 4, 0, 0, 4], 12, "cartesian")] == [0, 3, 4]
