"""In which row of a partition's CPUs each running job is, where several jobs may have one CPU."""

from collections import defaultdict
from collections.abc import Mapping

from predictor.domain import RunningJob, Snapshot
from predictor.scheduling.admission import Rules


def rows_of(snapshot: Snapshot, rules: Rules) -> Mapping[str, int]:
    """Return the rows by id of the record; who is not among them shares its CPUs with nobody.

    Nothing tells them: everybody is taken to be in the first row that has room, as it began.
    """
    all_rows = rules.crowding.rows
    if not all_rows:
        return {}
    taken: defaultdict[tuple[str, int], int] = defaultdict(int)
    """By node and row: how many CPUs are."""
    found: dict[str, int] = {}
    for job in sorted(snapshot.running, key=lambda one: (one.started_at, one.spec.id)):
        name = next(iter(job.spec.partitions), "")
        partition = rules.partitions.get(name)
        if partition is None:
            continue
        rows = rules.crowding.rows_for(job.spec.request, partition)
        if rows:
            row = _first_with_room(job, rows, taken, rules)
            found[job.spec.id] = row
        for share in job.allocation:
            for held in (row,) if rows else all_rows.get(name, ()):
                taken[share.node, held] += share.cpus
    return found


def _first_with_room(
    job: RunningJob, rows: range, taken: Mapping[tuple[str, int], int], rules: Rules
) -> int:
    """Return the first of the rows with room for the job on all its nodes; else the first."""
    machine = rules.machine
    places = [(machine.number(share.node), share) for share in job.allocation]
    return next(
        (
            row
            for row in rows
            if all(
                taken.get((share.node, row), 0) + share.cpus <= machine.nodes[place].cpus
                for place, share in places
                if place is not None
            )
        ),
        rows.start,
    )
