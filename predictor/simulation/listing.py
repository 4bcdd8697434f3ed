"""Where the batch system's list of jobs holds everybody.

Source: Slurm 22.05 to 26.05. Who is submitted comes to the end of the list. So do those tasks of an
array that are left when one starts: that one keeps the place of them all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from predictor.domain import JobSpec, Snapshot
from predictor.priority.order import id_key
from predictor.simulation.cast import Role
from predictor.simulation.dependencies import single_ids
from predictor.simulation.occupied import Running


class _Entry(NamedTuple):
    """By what those in the list are told apart, the smaller ones before the others."""

    at: int
    """When it was entered, at the soonest. UTC epoch seconds."""
    again: int
    """Whether it was entered behind those of that second, and how often."""
    id: tuple[object, ...]


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
    keys = _of_roles(roles, waits, runs, snapshot.taken_at)
    nobody = _Entry(0, 0, ())
    keys += [runs[record[one.id]] if one.id in record else nobody for one in running]
    places = sorted(range(len(keys)), key=keys.__getitem__)
    numbers = [0] * len(keys)
    for number, person in enumerate(places):
        numbers[person] = number
    return numbers


def _entries(specs: Iterable[JobSpec]) -> Mapping[str, _Entry]:
    """Return when records were entered, by id, of which the list shows these in this order."""
    found: dict[str, _Entry] = {}
    latest = 0
    for spec in specs:
        if spec.restarts:
            # It was submitted anew in its place.
            found[spec.id] = _Entry(latest, 1, id_key(spec))
        elif spec.array is not None:
            found[spec.id] = _Entry(max(latest, spec.submitted_at), 1, id_key(spec))
        else:
            latest = max(latest, spec.submitted_at)
            found[spec.id] = _Entry(spec.submitted_at, 0, id_key(spec))
    return found


def _of_roles(
    roles: Sequence[Role], waits: Mapping[str, _Entry], runs: Mapping[str, _Entry], now: int
) -> list[_Entry]:
    keys: list[_Entry] = []
    begun: set[str] = set()
    for role in roles:
        spec, id_ = role.spec, id_key(role.spec)
        if role.original >= 0:
            keys.append(keys[role.original])
        elif role.asleep and spec.id in runs:
            keys.append(runs[spec.id])
        elif spec.array is not None and spec.id in begun:
            keys.append(_Entry(max(now, spec.submitted_at), 2, (id_, role.entrant.rank)))
        else:
            keys.append(waits.get(spec.id, _Entry(spec.submitted_at, 0, id_)))
            begun.add(spec.id)
    return keys
