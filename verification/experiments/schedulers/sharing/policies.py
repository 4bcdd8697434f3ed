"""Who goes first, and beside whom a job likes to be: the policies by name.

Each is told of a job, and of who has the other half of a node (None: nobody has); nodes worth more
are taken first, equal ones in their order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Final

from verification.experiments.course import Queued, Running
from verification.experiments.neighbours import Speedups

Worth = tuple[float, ...]
LIKE: Final = 0.2
"""Two jobs end together if the times differ by less than this share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """What a policy sees of the machine at one instant."""

    now_s: int
    speedups: Speedups
    idle_cores: int
    busy_cores: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What makes one co-scheduler differ from another."""

    worth: Callable[[Queued, Running | None, Hall], Worth | None]
    """What a node is worth to a job; None: it does not go there."""
    urgency: Callable[[Queued, int, Hall], float] | None = None
    """Who has more is tried first, by its place in the queue from 1 on; None: all are equal."""
    whole: Callable[[Queued, Hall], bool] = lambda queued, hall: False
    """Whether a job shares its nodes with nobody."""
    heeds: bool = True
    """Whether who passes a blocked job must be expected to end before that may start."""


def _alone(queued: Queued, hall: Hall) -> float:
    return hall.speedups.alone[hall.speedups.kind(queued.job.program)]


def _speed(queued: Queued, other: Running, hall: Hall) -> float:
    return hall.speedups.speed(queued.job.program, other.queued.job.program)


def _pair(queued: Queued, other: Running, hall: Hall) -> tuple[float, float]:
    """Return the pair's mean speed, and how many of the two do not lose."""
    one, two = queued.job.program, other.queued.job.program
    speeds = hall.speedups.speed(one, two), hall.speedups.speed(two, one)
    return hall.speedups.together(one, two), float(sum(speed >= 1 for speed in speeds))


def fastest(queued: Queued, other: Running | None, hall: Hall) -> Worth:
    """Return the job's own speed there."""
    return (_alone(queued, hall) if other is None else _speed(queued, other, hall),)


def in_use(queued: Queued, other: Running | None, hall: Hall) -> Worth:
    """Prefer nodes where somebody runs, whoever it is."""
    return (float(other is not None),)


def pairs_speed(queued: Queued, other: Running | None, hall: Hall) -> Worth:
    """Return the pair's mean speed, then how many of the two do not lose."""
    return (_alone(queued, hall), inf) if other is None else _pair(queued, other, hall)


def pairs_losers(queued: Queued, other: Running | None, hall: Hall) -> Worth:
    """Return how many of the two do not lose, then the pair's mean speed."""
    if other is None:
        return inf, _alone(queued, hall)
    mean, gainers = _pair(queued, other, hall)
    return gainers, mean


def points(queued: Queued, other: Running | None, hall: Hall) -> Worth:
    """Prefer idle nodes, then a companion that ends with the job or is of its size."""
    if other is None:
        return inf, inf
    mean, _ = _pair(queued, other, hall)
    left_s = max(1, other.expected_end_s - hall.now_s)
    alike = 2 * queued.units >= other.queued.units and 4 * hall.idle_cores > hall.busy_cores
    together = abs(queued.planned_s - left_s) < LIKE * left_s and mean >= 1
    return float(alike + together), mean


COMPATIBLE: Final = frozenset(
    {("spread", "robust"), ("robust", "spread"), ("frail", "robust"), ("robust", "frail")}
)


def by_rules(queued: Queued, other: Running | None, hall: Hall) -> Worth | None:
    """Prefer a companion whose character agrees; an idle node else; nobody else's company."""
    if other is None:
        return (0.0,)
    mine = hall.speedups.character(queued.job.program)
    theirs = hall.speedups.character(other.queued.job.program)
    return (1.0,) if (mine, theirs) in COMPATIBLE else None


def suffers(queued: Queued, hall: Hall) -> bool:
    """Return whether company costs the job more than it brings."""
    return hall.speedups.character(queued.job.program) in ("compact", "frail")


def fills(queued: Queued, place: int, hall: Hall) -> float:
    """Return how near the job comes to filling what is idle, early ones more."""
    if not hall.idle_cores:
        return 1 / place
    return (queued.units / hall.idle_cores if queued.units <= hall.idle_cores else -1) / place


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {
        "co-fastest": Policy(worth=fastest),
        "co-random-ranks": Policy(worth=in_use),
        "co-filler": Policy(worth=in_use, urgency=fills),
        "co-jungle": Policy(worth=pairs_speed),
        "co-slowdown": Policy(worth=pairs_losers),
        "co-bester": Policy(worth=points, heeds=False),
        "co-rules": Policy(worth=by_rules, whole=suffers),
    }
)
