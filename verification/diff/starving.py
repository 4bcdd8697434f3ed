"""Who starves: never starts, or waits far longer than anybody of its kind did before."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from predictor.domain.durations import HOUR_S
from verification.diff.draws import Draw, Waits

FAR = 3.0
"""So many times as long as 95 % of its partition's jobs wait at most under the other one."""
LEAST_S = 4 * HOUR_S
"""Nobody starves who waits for less than that."""
TIMES = 2.0
"""Nobody starves whose wait is less than so many times its own under the other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Starving:
    """A job that starves under one of the configurations, and not under the other."""

    recording: str
    job_id: str
    user: str
    partition: str
    qos: str
    nodes: int
    never: bool
    """Whether it does not start at all, in most draws."""
    base_s: float
    """Its mean wait."""
    new_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What is told of a job."""

    user: str
    partition: str
    qos: str
    nodes: int


def starving(
    found: Sequence[Draw], kinds: Mapping[tuple[str, str], Kind], *, new: bool
) -> tuple[Starving, ...]:
    """Return who starves under the new configuration alone, or under the base alone; worst first.

    `kinds` tell of each job by recording and id.
    """
    waits: dict[tuple[str, str], list[Waits]] = defaultdict(list)
    for draw in found:
        for id_, one in draw.jobs.items():
            waits[draw.recording, id_].append(one)
    sides = [{key: _mean(some, side) for key, some in waits.items()} for side in (False, True)]
    here, there = (sides[1], sides[0]) if new else (sides[0], sides[1])
    bounds = _bounds(there, kinds)
    named = [
        Starving(
            recording=key[0],
            job_id=key[1],
            user=kinds[key].user,
            partition=kinds[key].partition,
            qos=kinds[key].qos,
            nodes=kinds[key].nodes,
            never=_never(waits[key], new),
            base_s=sides[0][key],
            new_s=sides[1][key],
        )
        for key in waits
        if _starves(waits[key], here[key], there[key], bounds[kinds[key].partition], new)
    ]
    return tuple(
        sorted(named, key=lambda one: (not one.never, -(one.new_s if new else one.base_s)))
    )


def _starves(
    some: Sequence[Waits], here_s: float, there_s: float, most_s: float, new: bool
) -> bool:
    if _never(some, new):
        return not _never(some, not new)
    return here_s >= max(LEAST_S, FAR * most_s, TIMES * there_s)


def _never(some: Sequence[Waits], new: bool) -> bool:
    missing = sum(not (one.new_starts if new else one.base_starts) for one in some)
    return 2 * missing > len(some)


def _bounds(
    mean_s: Mapping[tuple[str, str], float], kinds: Mapping[tuple[str, str], Kind]
) -> Mapping[str, float]:
    """Return by partition what 95 % of its jobs wait at most."""
    by_partition: dict[str, list[float]] = defaultdict(list)
    for key, one in mean_s.items():
        by_partition[kinds[key].partition].append(one)
    return {name: _quantile(some) for name, some in by_partition.items()}


def _quantile(some: Iterable[float]) -> float:
    ordered = sorted(some)
    return ordered[int(0.95 * (len(ordered) - 1))]


def _mean(some: Sequence[Waits], new: bool) -> float:
    return fmean(one.new_s if new else one.base_s for one in some)
