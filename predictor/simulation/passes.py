"""Move time forward as a scheduler of two passes does: event by event, pass by pass."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from sortedcontainers import SortedList

from predictor.domain import PassSettings, SchedulerHealth
from predictor.scheduling.planner import Ask, Placement
from predictor.scheduling.timeline import Holding, Timeline
from predictor.scheduling.two_passes import Gate, backfill_pass, main_pass
from predictor.simulation.entrants import Entrant
from predictor.simulation.lives import Lives
from predictor.simulation.occupied import Running
from predictor.simulation.ranking import Ranking

RunTime = Callable[[str, int], int]
"""How long the job of an id really runs, given how long it is planned; in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """When the pass that looks ahead is made: a pause after the end of the one before."""

    period_s: int
    """From the beginning of one to that of the next."""
    last_at: int | None = None
    """When the latest one began; None: not known."""

    @classmethod
    def of(cls, settings: PassSettings, health: SchedulerHealth | None) -> Self:
        """Return the rhythm by the scheduler's own statistics."""
        mean_us = health.backfill_cycle_mean_us if health else None
        return cls(
            period_s=max(1, settings.interval_s + round((mean_us or 0) / 1_000_000)),
            last_at=health.backfill_last_at if health else None,
        )

    def first_at(self, now: int) -> int:
        """Return when the next one is due, from `now` on."""
        if self.last_at is None:
            return now
        return max(now, min(self.last_at, now) + self.period_s)


class TwoPasses:
    """One simulation. The planned end decides who may start before whom; the real one, when."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        lives: Lives,
        running: Iterable[Running],
        timeline: Timeline,
        ranking: Ranking | None,
        gate: Gate,
        settings: PassSettings,
        run_time: RunTime,
    ) -> None:
        self._timeline = timeline
        self._gate = gate
        self._settings = settings
        self._run_time = run_time
        self._waiting = {entrant.id: entrant for entrant in entrants}
        self._started: dict[str, Placement] = {}
        self._held: dict[str, list[Holding]] = {}
        self._ends: SortedList[tuple[int, str]] = SortedList()
        for job in running:
            self._held.setdefault(job.id, []).extend(job.held)
        self._lives = lives
        self._ranking = ranking
        self._ends.update((self._lives.end_of(id_), id_) for id_ in self._held)

    def forward(self, now: int, until: int, rhythm: Rhythm, looks_max: int) -> int | None:
        """Start who can start before `until`, and return when it stopped with somebody waiting.

        None: nobody waits any more, or nothing changes any more. The pass in strict order is made
        at every event, the one that looks ahead when its pause is over and something has changed
        since the last one; it stops when that one has looked at `looks_max` jobs in all.
        """
        due_at, fresh, looks = rhythm.first_at(now), True, 0
        at: int | None = now
        while at is not None and at < until and self._waiting:
            if looks > looks_max:
                return at
            fresh |= self._end(at)
            fresh |= self._rank(at)
            fresh |= self._begin(main_pass(self._main_queue(at), self._timeline, self._gate, at))
            if fresh and at >= due_at:
                queue = [entrant.ask for entrant in self._capped(at)]
                looked = backfill_pass(queue, self._timeline, self._gate, self._settings, at)
                fresh, due_at = self._begin(looked.started), at + rhythm.period_s
                looks += len(queue)
            at = self._next(at, due_at if fresh else None)
            if at is not None:
                self._timeline.forget_before(at)
        return None

    @property
    def started(self) -> Mapping[str, Placement]:
        """Who has started, by entrant id."""
        return self._started

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        """Who has not, in queue order."""
        return tuple(self._waiting.values())

    def _end(self, at: int) -> bool:
        """Let everyone end whose time is up, and return whether anybody did."""
        over = list(self._ends.irange(maximum=(at, "\U0010ffff")))
        for ended in over:
            self._ends.remove(ended)
            for holding in self._held.pop(ended[1]):
                if holding.end_at > at:
                    self._timeline.give_back(holding)
            self._gate.ended(ended[1], at)
        return bool(over)

    def _rank(self, at: int) -> bool:
        """Bring the queue into the order that holds at `at`, and return whether it changed."""
        if self._ranking is None or at < self._ranking.due_at:
            return False
        before = list(self._waiting)
        self._waiting = {e.id: e for e in self._ranking.order(self._waiting.values(), at)}
        return list(self._waiting) != before

    def _begin(self, placements: Iterable[Placement]) -> bool:
        """Note what a pass started, and return whether it started anything."""
        began = False
        for placement in placements:
            entrant = self._waiting.pop(placement.ask.id)
            planned_s = placement.end_at - placement.start_at
            end_at = placement.start_at + self._run_time(entrant.id, planned_s)
            held = [placed.holding for placed in placement.placed]
            held += self._overtime(held, end_at)
            self._held[entrant.id] = held
            self._ends.add((end_at, entrant.id))
            self._lives.begin(entrant.id, placement.start_at, end_at, entrant.lane)
            if self._ranking is not None:
                self._ranking.started(placement, end_at)
            self._started[entrant.id] = placement
            began = True
        return began

    def _overtime(self, held: Iterable[Holding], end_at: int) -> list[Holding]:
        """Take and return what a job holds beyond its planned end."""
        beyond = [
            replace(holding, start_at=holding.end_at, end_at=end_at)
            for holding in held
            if holding.end_at < end_at
        ]
        for holding in beyond:
            self._timeline.take(holding)
        return beyond

    def _ready(self, at: int) -> Iterator[Entrant]:
        return self._lives.ready(self._waiting.values(), self._waiting, at)

    def _main_queue(self, at: int) -> Iterator[Ask]:
        return (entrant.ask for entrant in islice(self._ready(at), self._settings.main_depth))

    def _capped(self, at: int) -> Iterator[Entrant]:
        """Yield those that the pass looking ahead considers, as far as its caps let it."""
        settings = self._settings
        caps = (
            settings.jobs_max,
            settings.jobs_max_per_user,
            settings.jobs_max_per_partition,
            settings.jobs_max_per_user_and_partition,
            settings.array_tasks_max,
        )
        seen: Counter[tuple[str, ...]] = Counter()
        for entrant in self._ready(at):
            user, partition = entrant.user, entrant.ask.partition
            groups = (
                ("all",),
                ("user", user),
                ("partition", partition),
                ("both", user, partition),
                ("array", entrant.array or entrant.id),
            )
            if all(not cap or seen[group] < cap for cap, group in zip(caps, groups, strict=True)):
                seen.update(groups)
                yield entrant

    def _next(self, at: int, due_at: int | None) -> int | None:
        """Return the next instant at which a pass could start somebody; None: never again."""
        instants = [self._lives.eligible_at(entrant) for entrant in self._waiting.values()]
        instants += [due_at, self._ranking.due_at if self._ranking else None]
        instants.append(self._ends[0][0] if self._ends else None)
        instants += self._timeline.edges
        return min((time for time in instants if time is not None and time > at), default=None)
