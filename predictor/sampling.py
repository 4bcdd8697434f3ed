"""When each waiting job starts in many courses of one snapshot."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Self, TypeAlias

from predictor.clock import Clock
from predictor.domain import PendingJob, Snapshot
from predictor.opening import opening, staged, unforeseeable
from predictor.processors import processors
from predictor.simulation.courses import Course
from predictor.simulation.staging import NEVER, Stage, first_starts
from predictor.site import Site, overlay

Starts: TypeAlias = "array[int]"
"""By record, in a fixed order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Starts by course, in the order of the courses: of as many as there was time for.

    Instants are UTC epoch seconds.
    """

    draws: int
    """How many courses were gone through."""
    starts: Mapping[str, tuple[int | None, ...]]
    """By id of the record: one for each of them, of an array that of its next task.

    None: not before the horizon, or it does not come. Of whom nothing can be told is missing.
    """


def starts_of(
    snapshot: Snapshot,
    site: Site,
    courses: Iterable[Course],
    scenarios: Sequence[tuple[PendingJob, ...]] = ((),),
    *,
    awaited: Collection[str] | None = None,
    clock: Clock,
    budget_s: float,
    threads: int | None = None,
) -> Sampled:
    """Return when everybody starts in each of the courses, as many as there is time for.

    `scenarios` are the newcomers of the courses, by number: each comes when it is submitted, and
    has the priority that it then has. An id is that of the same job in all of them. `awaited` are
    the ids of those whose starts are asked for; None: all who wait at the snapshot. With few of
    them a course need not be gone through to its end.

    Courses are taken and gone through in their order; one is begun while there is hope that it
    ends within `budget_s` from now. So the result depends on nothing but how many those were, and
    whoever makes the courses need not make more. `threads`: None for one on each processor.
    Raises IndexError if a course names a scenario that is not there.
    """
    patience = _Patience(clock, clock.monotonic() + budget_s)
    seen = overlay(site, snapshot)
    if unforeseeable(seen):
        return Sampled(draws=0, starts={})
    scene = _Scene.of(seen, site, scenarios, awaited)
    width = threads or processors()
    drawn: list[Future[Starts]] = []
    with ThreadPoolExecutor(width) as pool:
        for course in courses:
            if not patience.allows_another():
                break
            if not 0 <= course.scenario < len(scenarios):
                raise IndexError(f"there is no scenario {course.scenario}")
            drawn.append(pool.submit(patience.timed, partial(scene.starts, course)))
            _wait_for_room(drawn, width)
    found = [one.result() for one in drawn]
    return Sampled(draws=len(found), starts=_by_record(scene.members, found))


class _Patience:
    """Knows how long a draw takes, and until when there is time for another."""

    def __init__(self, clock: Clock, until: float) -> None:
        self._clock = clock
        self._until = until
        self._longest_s = 0.0

    def allows_another(self) -> bool:
        return self._clock.monotonic() + self._longest_s < self._until

    def timed(self, draw: Callable[[], Starts]) -> Starts:
        begun_at = self._clock.monotonic()
        found = draw()
        self._longest_s = max(self._longest_s, self._clock.monotonic() - begun_at)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """A scheduler about to decide, newcomers of several scenarios being on their way."""

    stage: Stage
    members: Mapping[str, Sequence[int]]
    """By id of the record: the jobs that it stands for, by number."""

    @classmethod
    def of(
        cls,
        seen: Snapshot,
        site: Site,
        scenarios: Sequence[Sequence[PendingJob]],
        awaited: Collection[str] | None,
    ) -> Self:
        """Lay it out, once for all draws: that costs more than one of them."""
        scene = opening(seen, site)
        stage = staged(seen, site, scene, scenarios, awaited).rehearsed()
        members = defaultdict[str, list[int]](list)
        for job, role in enumerate(stage.play.roles):
            for id_ in role.entrant.job_ids if role.awaited else ():
                members[id_].append(job)
        return cls(stage=stage, members=members)

    def starts(self, course: Course) -> Starts:
        """Return when the first job of each record starts in the course; NEVER if none does."""
        at = first_starts(self.stage.run(course))
        return array("q", (min(at[job] for job in jobs) for jobs in self.members.values()))


def _wait_for_room(drawn: Sequence[Future[Starts]], width: int) -> None:
    """Return once fewer than `width` are under way."""
    under_way = {one for one in drawn if not one.done()}
    while len(under_way) >= width:
        under_way = wait(under_way, return_when=FIRST_COMPLETED).not_done


def _by_record(
    records: Iterable[str], drawn: Sequence[Starts]
) -> Mapping[str, tuple[int | None, ...]]:
    return {
        id_: tuple(None if at == NEVER else at for at in of_record)
        for id_, of_record in zip(records, zip(*drawn, strict=True), strict=False)
    }
