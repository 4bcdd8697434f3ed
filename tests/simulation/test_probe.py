"""First starts of single requests against trying every second, on generated machines."""

from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion import Piece, fits, overbooked

from predictor.domain import Node, NodeFlag, NodeState, Provenance, Snapshot
from predictor.scheduling.closures import Closure
from predictor.scheduling.machine import Machine, Shape, numbers
from predictor.scheduling.placing import Holding, Need
from predictor.simulation.probe import Probe

HORIZON = 60  # seconds: short enough to try each one
NOTHING = Snapshot(cluster="scene", taken_at=0, provenance=Provenance(source="scene"))


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
def needs(draw: st.DrawFn, machine: Machine) -> Need:
    shape = Shape(
        whole=draw(st.booleans()),
        cpus=draw(st.integers(1, 3)),
        memory_mb=draw(st.integers(0, 5)),
        gres=draw(st.sampled_from([(), (), (("gpu", 1),)])),
    )
    number = machine.intern(shape)
    # As admission has it: only nodes that could ever hold the job.
    fitting = machine.usable & machine.fits_empty(number)
    return Need(
        partition="batch",
        shape=number,
        nodes=draw(st.integers(1, 2)),
        candidates=draw(st.integers(0, machine.everything)) & fitting,
        duration_s=draw(st.integers(1, 12)),
        reservation=draw(st.sampled_from(["", "", "", "course"])),
    )


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Machine, Closure, list[Need]]:
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
    return machine, closure, [draw(needs(machine)) for _ in range(draw(st.integers(1, 6)))]


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


def pieces_of(machine: Machine, holding: Holding) -> list[Piece]:
    return [
        piece(machine, machine.shape(holding.shape), n, holding.start_at, holding.end_at)
        for n in numbers(holding.nodes)
    ]


def may_use(closure: Closure, reservation: str, number: int, start: int, end: int) -> bool:
    inside = bool(closure.nodes >> number & 1)
    overlaps = start < closure.end_at and closure.start_at < end
    if reservation == closure.reservation:
        return inside and closure.start_at <= start < closure.end_at
    return not reservation and not (inside and overlaps)


def first_start(machine, closure, taken, need: Need) -> int | None:
    """Try each second; at each, count the nodes that would do."""
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


@settings(max_examples=100, deadline=None)
@given(scenes())
def test_every_first_start_is_the_earliest_there_is(scene):
    """Who could start at once does, and is in the way of those that follow."""
    machine, closure, asked = scene
    taken: list[Piece] = []
    held: list[Holding] = []
    for need in asked:
        probe = Probe(NOTHING, machine, held, [closure], [need])
        earliest = first_start(machine, closure, taken, need)
        assert probe.first_start(need) == earliest
        assert probe.opens(need) == (earliest == 0)
        if earliest == 0:
            nodes, end_at = probe.nodes(need), need.duration_s
            held.append(Holding(start_at=0, end_at=end_at, nodes=nodes, shape=need.shape))
            taken += pieces_of(machine, held[-1])
            assert nodes.bit_count() == need.nodes
    assert not overbooked(machine.nodes, taken)
