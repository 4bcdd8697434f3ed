"""The planner against trying every second, on generated machines and queues."""

from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion import Piece, fits, overbooked

from predictor.domain import Node, NodeFlag, NodeState
from predictor.scheduling.closures import Closure
from predictor.scheduling.machine import Machine, Shape, numbers
from predictor.scheduling.planner import Ask, Part, Placement, schedule
from predictor.scheduling.policy import CONSERVATIVE, EASY, LIST, Allocation, Policy
from predictor.scheduling.timeline import Holding, Need, Timeline

HORIZON = 60  # seconds: short enough to try each one


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    nodes = [
        Node(
            name=f"n{i}",
            cpus=draw(st.integers(1, 4)),
            memory_mb=draw(st.integers(1, 8)),
            gres=draw(st.sampled_from([(), (("gpu:a", 1),), (("gpu:a", 2),)])),
            weight=draw(st.integers(1, 2)),
            state=NodeState.IDLE,
            flags=draw(st.sampled_from([frozenset()] * 4 + [frozenset({NodeFlag.DRAIN})])),
        )
        for i in range(draw(st.integers(1, 4)))
    ]
    return Machine(nodes)


@st.composite
def asks(draw: st.DrawFn, machine: Machine, id_: str) -> Ask:
    shape = Shape(
        whole=draw(st.booleans()),
        cpus=draw(st.integers(1, 3)),
        memory_mb=draw(st.integers(0, 5)),
        gres=draw(st.sampled_from([(), (), (("gpu", 1),)])),
    )
    need = Need(
        partition="batch",
        shape=machine.intern(shape),
        nodes=draw(st.integers(1, 2)),
        candidates=draw(st.integers(0, machine.everything)),
        duration_s=draw(st.integers(1, 12)),
        reservation=draw(st.sampled_from(["", "", "", "course"])),
    )
    return Ask(id=id_, parts=(Part(job_id=id_, ways=(need,)),))


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Machine, list[Closure], list[Ask], Policy]:
    machine = draw(machines())
    start = draw(st.integers(0, 15))
    closure = Closure(
        reservation=draw(st.sampled_from(["course", "maintenance"])),
        start_at=start,
        end_at=start + draw(st.integers(1, 15)),
        nodes=draw(st.integers(0, machine.everything)),
        overlaps=False,
        flexible=False,
    )
    queue = [draw(asks(machine, f"j{i}")) for i in range(draw(st.integers(1, 6)))]
    policy = draw(st.sampled_from([CONSERVATIVE, EASY, LIST]))
    allocation = draw(st.sampled_from(list(Allocation)))
    return (
        machine,
        [closure],
        queue,
        Policy(
            name=policy.name,
            reservations=policy.reservations,
            skip_blocked=policy.skip_blocked,
            allocation=allocation,
        ),
    )


def piece(machine: Machine, shape: Shape, number: int, start: int, end: int) -> Piece:
    return Piece(
        node=machine.nodes[number].name,
        start=start,
        end=end,
        whole=shape.whole,
        cpus=shape.cpus,
        memory_mb=shape.memory_mb,
        gpus=sum(amount for _, amount in shape.gres),
    )


def pieces_of(machine: Machine, placement: Placement) -> list[Piece]:
    held = [placed.holding for placed in placement.placed]
    return [
        piece(machine, machine.shape(h.shape), n, h.start_at, h.end_at)
        for h in held
        for n in numbers(h.nodes)
    ]


def may_use(closure: Closure, reservation: str, number: int, start: int, end: int) -> bool:
    inside = bool(closure.nodes >> number & 1)
    overlaps = start < closure.end_at and closure.start_at < end
    if reservation == closure.reservation:
        return inside and closure.start_at <= start and end <= closure.end_at
    return not reservation and not (inside and overlaps)


def first_start(machine, closures, taken, need: Need) -> int | None:
    """Try each second; at each, count the nodes that would do."""
    [closure] = closures
    shape = machine.shape(need.shape)
    for start in range(HORIZON):
        end = start + need.duration_s
        good = [
            n
            for n in range(len(machine.nodes))
            if need.candidates >> n & 1
            and may_use(closure, need.reservation, n, start, end)
            and fits(machine.nodes[n], taken, piece(machine, shape, n, start, end))
        ]
        if len(good) >= need.nodes:
            return start
    return None


@settings(max_examples=250, deadline=None)
@given(scenes())
def test_every_start_is_the_earliest_there_is(scene):
    machine, closures, queue, policy = scene
    timeline = Timeline(machine, 0, closed=closures)
    plan = schedule(queue, timeline, policy, now=0)
    placements = {p.ask.id: p for p in plan.placements}
    taken: list[Piece] = []
    waiting = 0
    for ask in queue:
        earliest = first_start(machine, closures, taken, ask.parts[0].ways[0])
        placement = placements.get(ask.id)
        reserved = policy.reservations is None or waiting < policy.reservations
        if earliest is None or (earliest > 0 and not reserved):
            assert placement is None
            continue
        assert placement is not None
        assert placement.start_at == earliest
        waiting += earliest > 0
        taken += pieces_of(machine, placement)
    assert not overbooked(machine.nodes, taken)


@settings(max_examples=250, deadline=None)
@given(scenes(), st.randoms())
def test_giving_back_everything_restores_the_timeline(scene, random):
    machine, closures, queue, _ = scene
    timeline = Timeline(machine, 0, closed=closures)
    breakpoints = tuple(timeline.starts)
    needs = [ask.parts[0].ways[0] for ask in queue]
    before = [timeline.earliest(need, 0) for need in needs]
    plan = schedule(queue, timeline, CONSERVATIVE, now=0)
    held: list[Holding] = [p.holding for placement in plan.placements for p in placement.placed]
    random.shuffle(held)
    for holding in held:
        timeline.give_back(holding)
    assert tuple(timeline.starts) == breakpoints
    assert [timeline.earliest(need, 0) for need in needs] == before


def test_a_holding_is_given_back_whole_although_another_one_followed_it_seamlessly():
    # n1 [ a ][ b ]      b starts as a ends, so that nothing seems to change there;
    # n2 [ c ]           when c, which ended then too, is gone, the breakpoint goes with it.
    machine = Machine(
        [Node(name=n, cpus=1, memory_mb=1, state=NodeState.IDLE) for n in ("n1", "n2")]
    )
    shape = machine.intern(Shape(whole=True, cpus=1, memory_mb=0))
    timeline = Timeline(machine, 0)
    a, b, c = (
        Holding(start_at=start, end_at=start + 10, nodes=nodes, shape=shape)
        for start, nodes in ((0, 0b01), (10, 0b01), (0, 0b10))
    )
    for holding in (a, b, c):
        timeline.take(holding)
    timeline.give_back(c)
    timeline.give_back(a)
    first = Need(partition="", shape=shape, nodes=2, candidates=0b11, duration_s=10)
    assert timeline.opening_at(first, 0) is not None
    assert timeline.opening_at(first, 10) is None
    timeline.give_back(b)
    assert tuple(timeline.starts) == (0,)
