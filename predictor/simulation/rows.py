"""In which row of a partition's CPUs each running job is, where several jobs may have one CPU."""

from collections import defaultdict
from collections.abc import Mapping

from predictor.domain import RunningJob, Snapshot
from predictor.scheduling.admission import Rules


def rows_of(snapshot: Snapshot, rules: Rules) -> Mapping[str, int]:
    """Return the rows by id of the record; who is not among them shares its CPUs with nobody.

    Nothing tells them: everybody is taken to be in the first row that has room, as it began.
    """
    most = rules.crowding.rows
    if not most:
        return {}
    taken: defaultdict[tuple[str, int], int] = defaultdict(int)
    """By node and row: how many CPUs are."""
    found: dict[str, int] = {}
    for job in sorted(snapshot.running, key=lambda one: (one.started_at, one.spec.id)):
        name = next(iter(job.spec.partitions), "")
        partition = rules.partitions.get(name)
        if partition is None:
            continue
        count = rules.crowding.rows_for(job.spec.request, partition)
        if count:
            row = _first_with_room(job, count, taken, rules)
            found[job.spec.id] = row
        for share in job.allocation:
            for held in (row,) if count else range(most.get(name, 0)):
                taken[share.node, held] += share.cpus
    return found


def _first_with_room(
    job: RunningJob, count: int, taken: Mapping[tuple[str, int], int], rules: Rules
) -> int:
    """Return the first of so many rows with room for the job on all its nodes; without one, 0."""
    machine = rules.machine
    places = [(machine.number(share.node), share) for share in job.allocation]
    return next(
        (
            row
            for row in range(count)
            if all(
                taken.get((share.node, row), 0) + share.cpus <= machine.nodes[place].cpus
                for place, share in places
                if place is not None
            )
        ),
        0,
    )
