"""A conservative plan of a generated queue: each job as early as nobody before it is delayed."""

from predictor.scheduling.machine import Machine, Shape
from predictor.scheduling.planner import Ask, Part, schedule
from predictor.scheduling.policy import Allocation, Policy
from predictor.scheduling.timeline import Holding, Need, Timeline
from verification.bench.cluster import snapshot_of
from verification.bench.generated import PARTITIONS, Generated, Wish
from verification.bench.measure import NEVER, Starts, Work

POLICY = Policy(
    name="conservative",
    reservations=None,
    skip_blocked=True,
    allocation=Allocation.FIRST_FIT,
)
WHOLE = Shape(whole=True, cpus=0, memory_mb=0)


def prepare(generated: Generated) -> Work:
    """Return the work of planning it, on the machine's lowest-numbered free nodes."""
    machine = Machine(snapshot_of(generated).nodes)
    shape = machine.intern(WHOLE)
    members = [_bitmap(nodes) for nodes in generated.partitions]
    queue = [
        Ask(id=str(place), parts=(Part(job_id=str(place), ways=(_need(wish, members, shape),)),))
        for place, wish in enumerate(generated.queue)
    ]
    held = [
        Holding(start_at=0, end_at=end_s, nodes=1 << node, shape=shape)
        for node, end_s in enumerate(generated.free_at)
        if end_s
    ]

    def work() -> Starts:
        plan = schedule(queue, Timeline(machine, 0, held=held), POLICY, 0)
        starts = {placement.ask.id: placement.start_at for placement in plan.placements}
        return [starts.get(ask.id, NEVER) for ask in queue]

    return work


def _need(wish: Wish, members: list[int], shape: int) -> Need:
    return Need(
        partition=PARTITIONS[wish.partition],
        shape=shape,
        nodes=wish.nodes,
        candidates=members[wish.partition],
        duration_s=wish.limit_s,
        members=members[wish.partition],
    )


def _bitmap(nodes: range) -> int:
    return (1 << nodes.stop) - (1 << nodes.start)
