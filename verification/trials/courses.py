"""From starts to courses: who ran when and where, by whose leave, and what kind of a job it was."""

from collections.abc import Iterable, Iterator, Mapping

from predictor.domain import Node, Partition, PendingJob, Snapshot, Unlimited
from predictor.domain.defaults import planned_s
from predictor.scheduling.demand import shape_of
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Start, Story
from verification.judging.classes import size_class
from verification.measures import Ran


def courses(snapshot: Snapshot, story: Story, starts: Mapping[str, Start]) -> tuple[Ran, ...]:
    """Return the course of everybody who waits at the snapshot or comes later, by single id."""
    nodes = {node.name: node for node in snapshot.nodes}
    partitions = {one.name: one for one in snapshot.partitions}
    found: dict[str, Ran] = {}
    for job in (*snapshot.pending, *story.arrivals):
        for id_ in single_ids(job.spec):
            # Components of a heterogeneous job share an id; the first one speaks for all.
            if id_ not in found:
                found[id_] = _course(id_, job, story, starts.get(id_), snapshot, nodes, partitions)
    return tuple(found.values())


def _course(
    id_: str,
    job: PendingJob,
    story: Story,
    start: Start | None,
    snapshot: Snapshot,
    nodes: Mapping[str, Node],
    partitions: Mapping[str, Partition],
) -> Ran:
    spec = job.spec
    name = (start.partition if start else "") or spec.first_partition
    partition = partitions.get(name)
    held = start.node_names if start else ()
    whole = partition is not None and shape_of(spec.request, partition, snapshot.settings).whole
    cpus = sum(nodes[one].cpus for one in held if one in nodes) if whole and held else None
    limit_s = spec.request.limit_s
    return Ran(
        id=id_,
        submit_at=max(spec.submitted_at, job.begin_at or 0),
        start_at=start.at if start else None,
        end_at=start.at + _lasts_s(id_, job, story, partition) if start else None,
        limit_s=None if isinstance(limit_s, Unlimited) else limit_s,
        cpus=spec.request.cpus if cpus is None else cpus,
        nodes=spec.request.nodes,
        node_names=held,
        left_at=None if start else story.leaves_at.get(id_),
        classes={
            "user": spec.user,
            "account": spec.account,
            "partition": ",".join(spec.partitions),
            "qos": spec.qos,
            "size": size_class(spec.request.nodes),
        },
    )


def _lasts_s(id_: str, job: PendingJob, story: Story, partition: Partition | None) -> int:
    run_s = story.run_s.get(id_)
    return planned_s(job.spec.request, partition) if run_s is None else run_s


def ran_before(snapshot: Snapshot, story: Story) -> Iterator[Ran]:
    """Yield the courses of those who run at the snapshot already."""
    for job in snapshot.running:
        for place, id_ in enumerate(single_ids(job.spec)):
            end_at = story.ends_at.get(id_, job.ends_by)
            yield Ran(
                id=id_,
                submit_at=job.spec.submitted_at,
                start_at=job.started_at,
                end_at=None if end_at is None else max(end_at, job.started_at),
                cpus=sum(share.cpus for share in job.allocation) if place == 0 else 0,
                nodes=len(job.allocation),
                node_names=tuple(share.node for share in job.allocation),
                classes={"user": job.spec.user, "qos": job.spec.qos},
            )


def cpus_by_node(nodes: Iterable[Node], removed: frozenset[str]) -> Mapping[str, int]:
    """Return the CPUs of each node there is."""
    return {node.name: node.cpus for node in nodes if node.name not in removed}
