"""The timeline, in plain Python: what is done can be undone, and is what adding up would say."""

import pytest
from engine_scenes import Scene, job, members
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.engine import store
from predictor.engine.timeline import Timeline

NODES, CPUS, LICENSES = 5, 4, 30
SHAPES = (1, 3, None)
"""CPUs of a node; None: all."""

instants = st.integers(-5, 60)
spans = st.tuples(instants, instants).filter(lambda span: span[0] < span[1])
deeds = st.lists(
    st.tuples(
        st.integers(1, (1 << NODES) - 1),
        st.integers(0, len(SHAPES) - 1),
        spans,
    ),
    max_size=14,
)


def possible(given_deeds, exact):
    """Leave out what nobody may do: take too much."""
    done = []
    for nodes, shape, (start_at, end_at) in given_deeds:
        deed = [nodes, 2 if exact else shape, start_at, end_at]
        # Between two edges nothing changes, so it is enough to look at these.
        edges = {at for other in [*done, deed] for at in other[2:]}
        if all(is_possible(state_at([*done, deed], at)) for at in edges):
            done.append(deed)
    return done


def state_at(done, at):
    """Add up the free CPUs and licenses: the obvious way."""
    free, licenses = [CPUS] * NODES, LICENSES
    for nodes, shape, start_at, end_at in done:
        if not start_at <= at < end_at:
            continue
        for node in members(nodes):
            free[node] -= SHAPES[shape] or CPUS
        licenses -= shape == 1
    return free, licenses


def is_possible(state):
    free, licenses = state
    return min(free) >= 0 and licenses >= 0


def played(done, undone, exact):
    """Do all, undo some in the order given; return the slots before, after, and at the end."""
    jobs = {str(cpus): job(1, cpus=cpus) for cpus in SHAPES}
    jobs["3"]["licenses"] = [[0, 1]]
    machine = {"nodes": NODES, "cpus": CPUS, "licenses": [LICENSES], "exact": exact}
    scene = Scene(jobs, machine=machine)
    timeline = Timeline(scene.forward.layout, 0)
    shape_of = {shape: scene.shapes.index((cpus, 1, False)) for shape, cpus in enumerate(SHAPES)}
    before = slots(timeline, scene)
    for deed in done:
        perform(timeline, deed, shape_of, undo=False)
    after = slots(timeline, scene)
    for number in undone:
        perform(timeline, done[number], shape_of, undo=True)
    return before, after, slots(timeline, scene)


def perform(timeline, deed, shape_of, *, undo):
    nodes, shape, start_at, end_at = deed
    row = store.rows([nodes], NODES)
    do = timeline.give_back if undo else timeline.take
    do(row, 0, 1 if shape == 1 else -1, shape_of[shape], start_at, end_at)


def slots(timeline, scene):
    """Return each slot: since when, room by CPUs, licenses and the rest of it."""
    layout = timeline.layout
    found = []
    for slot in range(timeline.count):
        row = timeline.row[slot]
        room = [
            layout.bitmap(
                timeline.room,
                (row * layout.shapes + scene.shapes.index((cpus, 1, False))) * timeline.words,
            )
            for cpus in SHAPES
        ]
        kinds = [timeline.most[row * layout.kinds + kind] for kind in range(layout.kinds)]
        cpus = [timeline.free_cpus(slot, node) for node in range(layout.nodes)]
        rest = [timeline.uses[row], kinds, cpus]
        found.append([timeline.time[slot], room, timeline.pools[row], rest])
    return found


@pytest.mark.parametrize("exact", [False, True], ids=["shared", "whole nodes"])
@given(deeds=deeds, chance=st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)  # the first waits for a process
def test_what_is_undone_leaves_no_trace(pure_python, exact, deeds, chance):
    done = possible(deeds, exact)
    order = list(range(len(done)))
    chance.shuffle(order)
    before, _, end = pure_python.call(played, done, order, exact)
    assert end == before


@pytest.mark.parametrize("exact", [False, True], ids=["shared", "whole nodes"])
@given(deeds=deeds, chance=st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_what_is_undone_in_part_is_as_if_only_the_rest_had_been_done(
    pure_python, exact, deeds, chance
):
    done = possible(deeds, exact)
    undone = [number for number in range(len(done)) if chance.random() < 0.5]
    kept = [deed for number, deed in enumerate(done) if number not in undone]
    chance.shuffle(undone)
    _, _, end = pure_python.call(played, done, undone, exact)
    _, alone, _ = pure_python.call(played, kept, [], exact)
    assert end == alone


@pytest.mark.parametrize("exact", [False, True], ids=["shared", "whole nodes"])
@given(deeds=deeds)
@settings(max_examples=80, deadline=None)
def test_each_slot_is_what_adding_up_says(pure_python, exact, deeds):
    done = possible(deeds, exact)
    _, after, _ = pure_python.call(played, done, [], exact)
    for at, room, licenses, _ in after:
        free, left = state_at(done, at)
        wanted = [cpus or CPUS for cpus in SHAPES]
        if not exact:
            assert [members(nodes) for nodes in room] == [
                [node for node in range(NODES) if free[node] >= cpus] for cpus in wanted
            ]
        assert members(room[2]) == [node for node in range(NODES) if free[node] == CPUS]
        assert licenses == left


@given(deeds=deeds)
@settings(max_examples=60, deadline=None)
def test_there_is_a_slot_from_each_edge_to_the_next(pure_python, deeds):
    done = possible(deeds, exact=False)
    _, after, _ = pure_python.call(played, done, [], False)
    edges = {0} | {edge for deed in done for edge in deed[2:] if edge > 0}
    assert [slot[0] for slot in after] == sorted(edges)
