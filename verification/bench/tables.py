"""A generated cluster on the engine: nodes taken whole, one kind of request for each partition."""

from predictor.domain import PassSettings
from predictor.engine.forward import Forward
from predictor.engine.layout import Layout
from predictor.engine.tables import (
    Holding,
    Kind,
    LayoutTables,
    QueueTables,
    Record,
    Runner,
    Waiting,
    Way,
)
from predictor.simulation.passes import Rhythm, rules
from verification.bench.generated import Generated


def engine(generated: Generated, allocation: int) -> Forward:
    """Return the engine at second 0, its rules those of Slurm where nothing is configured.

    Jobs get the nodes that `allocation` chooses, a number of `predictor.engine.codes`.
    """
    settings = PassSettings()
    rhythm = Rhythm(period_s=settings.interval_s, first_at=0)
    layout = Layout(_machine(generated, allocation))
    return Forward(layout, _queue(generated), rules(settings, rhythm), None, None, 0)


def _machine(generated: Generated, allocation: int) -> LayoutTables:
    everything = _bitmap(range(generated.nodes))
    return LayoutTables(
        nodes=generated.nodes,
        node_class=[0] * generated.nodes,
        capacity=[(1,)],
        cpus=[1] * generated.nodes,
        weight=[1] * generated.nodes,
        gaps=1,
        usable=everything,
        amounts=[[(1,)]],
        fits_empty=[everything],
        kinds=[
            Kind(shape=0, candidates=nodes, members=nodes, allocation=allocation, whole=True)
            for nodes in map(_bitmap, generated.partitions)
        ],
        exact=True,
    )


def _queue(generated: Generated) -> QueueTables:
    jobs = len(generated.queue)
    held: dict[int, int] = {}
    for node, end_s in enumerate(generated.free_at):
        if end_s:
            held[end_s] = held.get(end_s, 0) | 1 << node
    ways = (
        Way(kind=wish.partition, nodes=wish.nodes, length_s=wish.limit_s)
        for wish in generated.queue
    )
    return QueueTables(
        records=[
            Record(job=job, partition=way.kind, parts=((way,),)) for job, way in enumerate(ways)
        ],
        waiting=[Waiting(user=0, array=job) for job in range(jobs)],
        running=[Runner(ends_at=end_s) for end_s in held],
        holdings=[
            Holding(person=jobs + number, nodes=nodes, kind=-1, shape=0, planned_end_at=end_s)
            for number, (end_s, nodes) in enumerate(held.items())
        ],
        lane_width=[],
        partitions=len(generated.partitions),
        users=1,
        arrays=jobs,
    )


def _bitmap(nodes: range) -> int:
    return (1 << nodes.stop) - (1 << nodes.start)
