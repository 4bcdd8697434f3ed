"""From what is set apart, as it is known from an instant on, to the engine's numbers."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from predictor.engine.calendar_tables import Calendar, Era
from predictor.scheduling.closures import Closure, open_nodes
from predictor.scheduling.machine import Machine
from predictor.simulation.bounds import PAST, bounded, bounded_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The reservations as they are known from an instant on."""

    known_at: int
    closures: tuple[Closure, ...]


def lowered(
    known: Known, machine: Machine, names: Sequence[str], pools: Mapping[str, int]
) -> Calendar:
    """Return what is closed era by era.

    `names` are of reservations, by number, the first of none; `pools`: the numbers of licenses.
    """
    closures = known.closures
    begins = {bounded_at(closure.start_at) for closure in closures}
    ends = {bounded_at(closure.end_at) for closure in closures}
    last_shut = max((i for i, one in enumerate(closures) if one.passed_over), default=0)
    opening = sorted(range(len(closures)), key=lambda number: closures[number].start_at)
    active: list[int] = []
    kept: dict[str, int] = {}
    anywhere = {one.reservation: machine.everything for one in closures if one.flexible}
    for closure in closures:
        kept[closure.reservation] = kept.get(closure.reservation, 0) | closure.own(
            machine.everything
        )
    kept |= anywhere
    eras = []
    for at in sorted({PAST} | begins | ends):
        begun = bisect_right(opening, at, key=lambda number: closures[number].start_at)
        there = sorted([*active, *opening[:begun]])
        active = [number for number in there if closures[number].end_at > at]
        del opening[:begun]
        now = [closures[number] for number in active]
        early = [closures[i] for i in active if i < last_shut and not closures[i].passed_over]
        era = Era(
            start_at=at,
            open_nodes=_open(now, machine, names, anywhere),
            kept_nodes=_open(now, machine, names, kept),
            kept_licenses=_licenses(now, names, pools),
            shut_nodes=reduce(or_, (one.nodes for one in now if one.passed_over), 0),
            early_nodes=reduce(or_, (one.nodes for one in early), 0),
            only_begins=at not in ends,
        )
        eras.append(era)
    return Calendar(known_at=known.known_at, eras=tuple(eras))


def _open(
    active: Sequence[Closure], machine: Machine, names: Sequence[str], kept: Mapping[str, int]
) -> tuple[int, ...]:
    """Return the nodes of each reservation's jobs; `kept`: those that they have anyway."""
    return tuple(open_nodes(active, machine.everything, name, kept.get(name, 0)) for name in names)


def _licenses(
    active: Sequence[Closure], names: Sequence[str], pools: Mapping[str, int]
) -> tuple[tuple[int, ...], ...]:
    """Return how many of each pool are kept from each reservation's jobs; nothing if none are."""
    keeping = [one for one in active if any(name in pools for name, _ in one.licenses)]
    return tuple(_kept_from(name, keeping, pools) for name in names) if keeping else ()


def _kept_from(
    reservation: str, keeping: Sequence[Closure], pools: Mapping[str, int]
) -> tuple[int, ...]:
    kept = dict.fromkeys(pools, 0)
    for closure in keeping:
        for name, amount in closure.licenses:
            if closure.reservation != reservation and name in kept:
                kept[name] += amount
    return bounded(kept.values())
