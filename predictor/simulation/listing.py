"""Where the batch system's list of jobs holds everybody.

Source: Slurm 22.05 to 26.05. Who is submitted comes to the end of the list. So do those tasks of an
array that are left when one starts: that one keeps the place of them all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from predictor.domain import JobSpec, PendingJob, Snapshot
from predictor.priority.order import IdKey, id_key
from predictor.simulation.cast import Role
from predictor.simulation.dependencies import single_ids
from predictor.simulation.occupied import Running


class _Entry(NamedTuple):
    """By what those in the list are told apart, the smaller ones before the others."""

    since: tuple[int, IdKey]
    """When, in UTC epoch seconds, and under which id the last one was submitted up to there."""
    place: int
    """How many entries of the same snapshot stand before it."""


def ordinals(snapshot: Snapshot, roles: Sequence[Role], running: Sequence[Running]) -> list[int]:
    """Return by role, and then by who runs, numbers that ascend in the order of that list.

    A snapshot shows in that order who waits, and who runs; between these the times of submission
    decide. Of the tasks of one record the first keeps its place, the others go behind all there
    are.
    """
    waits = _entries(job.spec for job in snapshot.pending)
    runs = _entries(job.spec for job in snapshot.running)
    record = {
        id_: job.spec.id for job in reversed(snapshot.running) for id_ in single_ids(job.spec)
    }
    nobody = _Entry((0, ((), 0)), 0)
    keys = _of_roles(roles, waits, runs, snapshot.taken_at)
    keys += [runs[record[one.id]] if one.id in record else nobody for one in running]
    numbers = [0] * len(keys)
    for number, person in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
        numbers[person] = number
    return numbers


def places(snapshot: Snapshot, others: Iterable[PendingJob]) -> Mapping[str, int]:
    """Return by id the places of the snapshot's records in that list, and of others to come."""
    keys = dict(_entries(job.spec for job in snapshot.running))
    keys = {**_entries(job.spec for job in snapshot.pending), **keys}
    for job in others:
        keys.setdefault(job.spec.id, _Entry(_since(job.spec), 0))
    return {id_: place for place, id_ in enumerate(sorted(keys, key=keys.__getitem__))}


def _entries(specs: Iterable[JobSpec]) -> Mapping[str, _Entry]:
    """Return where records were entered, by id, of which the list shows these in this order."""
    found: dict[str, _Entry] = {}
    latest: tuple[int, IdKey] = (0, ((), 0))
    for place, spec in enumerate(specs):
        # Who was sent back was submitted anew in its place.
        if not spec.restarts:
            latest = max(latest, _since(spec))
        found[spec.id] = _Entry(latest, place)
    return found


def _since(spec: JobSpec) -> tuple[int, IdKey]:
    return spec.submitted_at, id_key(spec)


def _of_roles(
    roles: Sequence[Role], waits: Mapping[str, _Entry], runs: Mapping[str, _Entry], now: int
) -> list[_Entry]:
    found: list[_Entry] = []
    begun: set[str] = set()
    for role in roles:
        spec, rank = role.spec, role.entrant.rank
        if role.original >= 0:
            found.append(found[role.original])
        elif role.asleep and spec.id in runs:
            found.append(runs[spec.id])
        elif spec.id in begun:
            found.append(_Entry((max(now, spec.submitted_at), id_key(spec)), rank))
        else:
            found.append(waits.get(spec.id, _Entry(_since(spec), rank)))
            begun.add(spec.id)
    return found
