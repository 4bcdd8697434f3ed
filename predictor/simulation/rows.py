"""In which row of a partition's CPUs each running job is, where several jobs may have one CPU."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from predictor.domain import RunningJob, Snapshot
from predictor.scheduling.machine import Machine
from predictor.scheduling.rules import Rules

Taken = Mapping[str, int]
"""By node: how many of its CPUs are taken in one row."""


def rows_of(snapshot: Snapshot, rules: Rules) -> Mapping[str, int]:
    """Return the rows by id of the record; who is not among them shares its CPUs with nobody.

    Nothing tells them: everybody is taken to be where Slurm sorts them into when a job has ended.
    """
    if not rules.crowding.rows:
        return {}
    sharing: defaultdict[str, list[RunningJob]] = defaultdict(list)
    alone: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for job in snapshot.running:
        name = job.spec.first_partition
        partition = rules.partitions.get(name)
        if partition is None:
            continue
        if rules.crowding.rows_for(job.spec.request, partition):
            sharing[name].append(job)
        else:
            alone[name].update({share.node: share.cpus for share in job.allocation})
    order = {node.name: place for place, node in enumerate(snapshot.nodes)}
    found: dict[str, int] = {}
    for name, jobs in sharing.items():
        found |= _sorted_in(jobs, rules.crowding.rows[name], alone[name], rules.machine, order)
    return found


def _sorted_in(
    jobs: Iterable[RunningJob],
    rows: range,
    alone: Taken,
    machine: Machine,
    order: Mapping[str, int],
) -> Mapping[str, int]:
    """Return the rows of a partition's jobs, by id: in the order of their first nodes.

    Each goes into the fullest row that has room for it, or the first. Where it begins on its first
    node is not told; of two the one with fewer CPUs is taken to come first.
    Source: Slurm 22.05, part_data_build_row_bitmaps.
    """
    taken = {row: Counter(alone) for row in rows}
    fullest = list(rows)
    found: dict[str, int] = {}

    def place(job: RunningJob) -> tuple[int, int, int, str]:
        first = min((order.get(share.node, len(order)) for share in job.allocation), default=0)
        return first, sum(share.cpus for share in job.allocation), job.started_at, job.spec.id

    for job in sorted(jobs, key=place):
        row = _first_with_room(job, fullest, taken, machine)
        found[job.spec.id] = row
        taken[row].update({share.node: share.cpus for share in job.allocation})
        fullest.sort(key=lambda one: -taken[one].total())
    numbers = dict(zip(fullest, rows, strict=True))
    return {id_: numbers[row] for id_, row in found.items()}


def _first_with_room(
    job: RunningJob, rows: Sequence[int], taken: Mapping[int, Taken], machine: Machine
) -> int:
    """Return the first of the rows with room for the job on all its nodes; else the first."""
    places = [(machine.number(share.node), share) for share in job.allocation]
    return next(
        (
            row
            for row in rows
            if all(
                taken[row].get(share.node, 0) + share.cpus <= machine.nodes[place].cpus
                for place, share in places
                if place is not None
            )
        ),
        rows[0],
    )
