"""What a timeline remembers of its room is what it would find by looking anew."""

from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import Node, NodeState
from predictor.scheduling.machine import Machine, Shape
from predictor.scheduling.timeline import Holding, Need, Timeline

UNLIKE = (
    Node(name="thin", cpus=4, memory_mb=8, state=NodeState.IDLE),
    Node(name="twin", cpus=4, memory_mb=8, state=NodeState.IDLE),
    Node(name="fat", cpus=8, memory_mb=32, state=NodeState.IDLE, gres=(("gpu", 2),)),
    Node(name="gone", cpus=4, memory_mb=8, state=NodeState.DOWN),
)
SHAPES = (
    Shape(whole=False, cpus=1, memory_mb=4),
    Shape(whole=False, cpus=3, memory_mb=1),
    Shape(whole=False, cpus=2, memory_mb=16),
    Shape(whole=False, cpus=1, memory_mb=0, gres=(("gpu", 1),)),
    Shape(whole=True, cpus=4, memory_mb=1),
)
END = 10


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 8), st.integers(1, 8)), max_size=12))
def test_room_follows_what_is_taken_and_given_back(wishes):
    machine = Machine(UNLIKE)
    shapes = [machine.intern(shape) for shape in SHAPES]
    timeline = Timeline(machine, 0)
    taken = []
    for number, start, length in wishes:
        assert_remembered_room_is_right(timeline, shapes)
        need = need_of(shapes[number], length)
        opening = timeline.opening_at(need, start)
        if opening is not None:
            lowest = opening.nodes & -opening.nodes
            held = Holding(start_at=start, end_at=start + length, nodes=lowest, shape=need.shape)
            timeline.take(held)
            taken.append(held)
    assert_remembered_room_is_right(timeline, shapes)
    for held in taken:
        timeline.give_back(held)
        assert_remembered_room_is_right(timeline, shapes)


def need_of(shape, length):
    return Need(partition="", shape=shape, nodes=1, candidates=0b111, duration_s=length)


def assert_remembered_room_is_right(timeline, shapes):
    for at in range(END):
        for shape in shapes:
            opening = timeline.opening_at(need_of(shape, 1), at)
            told = 0 if opening is None else opening.nodes
            assert told == timeline.room_at(shape, at) & 0b111
