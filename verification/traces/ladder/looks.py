"""What a forecast may know of a trace's cluster at an instant: no running job's end, no future."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from predictor.domain import JobSpec, Outcome
from predictor.runtimes.ended import Ended
from verification.traces.ladder.world import World

One = TypeVar("One")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A job that has started."""

    number: int
    """Its place in order of submission; its id as a number."""
    spec: JobSpec
    limit_s: int
    started_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiter:
    """A job that waits."""

    number: int
    spec: JobSpec
    limit_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """All that a forecast may know at `at` (UTC epoch seconds)."""

    at: int
    since_at: int
    """Of the look before."""
    machine: int
    """Processors."""
    running: Sequence[Start]
    """In the order in which they started."""
    waiting: Sequence[Waiter]
    """In order of submission."""
    submitted: Sequence[JobSpec]
    """Who was since the look before; likewise below, each in time."""
    started: Sequence[Start]
    ended: Sequence[Ended]

    @property
    def jobs(self) -> Sequence[Start | Waiter]:
        """Those who run, and after them those who wait."""
        return [*self.running, *self.waiting]


def looks(world: World, every_s: int) -> Iterator[Look]:
    """Yield a look every so many seconds, until the last submission."""
    by_start = sorted(range(len(world.starts)), key=world.starts.__getitem__)
    by_end = sorted(range(len(world.ends)), key=world.ends.__getitem__)
    start_at = [world.starts[number] for number in by_start]
    end_at = [world.ends[number] for number in by_end]
    since_at = world.submits[0] - 1
    running: dict[int, Start] = {}
    waiting: dict[int, Waiter] = {}
    for at in range(world.submits[0] + every_s, world.submits[-1], every_s):
        new = range(bisect_right(world.submits, since_at), bisect_right(world.submits, at))
        waiting |= {n: _waiter(world, n) for n in new}
        begun = by_start[bisect_right(start_at, since_at) : bisect_right(start_at, at)]
        over = by_end[bisect_right(end_at, since_at) : bisect_right(end_at, at)]
        running |= {n: _start(world, n) for n in begun}
        yield Look(
            at=at,
            since_at=since_at,
            machine=world.machine,
            submitted=[world.specs[n] for n in new],
            started=[running[n] for n in begun],
            ended=[_ended(world, n) for n in over],
            running=_without(running, over),
            waiting=_without(waiting, begun),
        )
        since_at = at


def _without(there: dict[int, One], gone: Sequence[int]) -> list[One]:
    for number in gone:
        del there[number]
    return list(there.values())


def _waiter(world: World, number: int) -> Waiter:
    return Waiter(number=number, spec=world.specs[number], limit_s=world.limits[number])


def _start(world: World, number: int) -> Start:
    return Start(
        number=number,
        spec=world.specs[number],
        limit_s=world.limits[number],
        started_at=world.starts[number],
    )


def _ended(world: World, number: int) -> Ended:
    run_s, limit_s = world.runs[number], world.limits[number]
    return Ended(
        spec=world.specs[number],
        run_s=run_s,
        limit_s=limit_s,
        ended_at=world.ends[number],
        outcome=Outcome.TIMEOUT if run_s >= limit_s else Outcome.COMPLETED,
    )
