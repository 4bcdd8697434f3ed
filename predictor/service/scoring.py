"""How answers came out: of each waiting job the first of each lead, judged once it starts.

A window counts as missed as soon as it has passed while the job waits: who waited for all starts
would hear only of the quick ones.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from predictor.arrivals.arrivals import LAG_S
from predictor.arrivals.submission import key_of
from predictor.clock import AHEAD_S
from predictor.domain import Cause, Fact, JobSpec, Outlook, Partition, Snapshot
from predictor.experience import runs
from predictor.service.bysize import shape_of
from predictor.service.habit import Habit
from predictor.service.history import Entry, History
from predictor.service.probes import Kind
from predictor.service.published import Published
from predictor.service.rows import Row

LEADS: Mapping[str, float] = {
    "5m": 300,
    "30m": 1_800,
    "2h": 7_200,
    "8h": 28_800,
    "24h": 86_400,
    "72h": 259_200,
    "longer": float("inf"),
}
"""So far ahead at most a start was said to be, in seconds, from short to long."""
SIDES: Mapping[float, tuple[float, float]] = {
    0.5: (0.25, 0.75),
    0.8: (0.1, 0.9),
    0.9: (0.05, 0.95),
}
"""Between which quantiles a window of each level lies."""
KEPT_LEVEL = 0.8
"""That of the windows in what jobs were told before a restart."""
MOST_FOLLOWED = 20_000
"""So many waiting jobs are followed; those beyond are not scored."""
OVERDUE_S = 900
"""Who should have started at once and still waits after so long is overdue."""


class Window(NamedTuple):
    """A window that was told. Instants are UTC epoch seconds."""

    level: float
    low_at: int
    high_at: int


class Told(NamedTuple):
    """One answer to one job. Instants are UTC epoch seconds."""

    likely_at: int
    windows: tuple[Window, ...]
    """Those that are still to be judged."""
    theirs_at: int | None = None
    """What the batch system announced at the same time; None: nothing."""
    guess_at: int | None = None
    """What the waits of the jobs before it would have said; None: nothing."""


class Miss(NamedTuple):
    """By how much an answer was off, in seconds; positive: the job started later."""

    lead: str
    """One of LEADS."""
    partition: str
    late_s: int
    theirs_late_s: int | None
    """The same of what the batch system announced; None: nothing."""
    guess_late_s: int | None = None
    """The same of what past waits would have said; None: nothing."""


class Judged(NamedTuple):
    """Whether a window held."""

    lead: str
    level: float
    held: bool


class Wait(NamedTuple):
    """How long a job waited from when it was allowed to start."""

    partition: str
    shape: str
    """What its shape is called."""
    waited_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What one result tells of the answers before it."""

    misses: tuple[Miss, ...] = ()
    windows: tuple[Judged, ...] = ()
    waits: tuple[Wait, ...] = ()
    overdue: int = 0
    """Jobs that should have started OVERDUE_S ago and still wait."""


@dataclass(frozen=True, slots=True)
class _Begun:
    spec: JobSpec
    started_at: int


@dataclass(slots=True)
class Scoring:
    """Follows waiting jobs from result to result. Its memory is bounded."""

    before: History = field(default_factory=dict)
    """What they were told before the first result."""
    _followed: dict[str, dict[str, Told]] = field(default_factory=dict)
    """By submission and lead."""
    _due_since: dict[str, int] = field(default_factory=dict)
    """Since when it was said that a job starts at once."""
    _habit: Habit = field(default_factory=Habit)
    """How long jobs waited since we began."""
    _ran: frozenset[str] = frozenset()
    _seen_at: int = -1

    def take(self, current: Published) -> Scores:
        """Return what came out since the last result. One that hides jobs, or is old, says nothing.

        Linear in the jobs.
        """
        snapshot = current.snapshot
        if snapshot.taken_at < self._seen_at - AHEAD_S:
            # The last one was dated by a clock that was wrong: nothing would be judged until then.
            self._followed, self._due_since, self._seen_at = {}, {}, -1
        hides = any(hidden.fact is Fact.JOBS for hidden in snapshot.provenance.hidden)
        if hides or snapshot.taken_at <= self._seen_at:
            return Scores(overdue=self._overdue())
        if self._seen_at < 0:
            self._take_up(current)
        begun = self._begun(snapshot)
        self._seen_at = snapshot.taken_at
        misses, windows = [], list[Judged]()
        for key, one in begun.items():
            self._due_since.pop(key, None)
            for lead, told in self._followed.pop(key, {}).items():
                misses.append(_miss(lead, told, one))
                windows += _judged(lead, told, one.started_at)
        partitions = {one.name: one for one in snapshot.partitions}
        waits = tuple(_wait(one, partitions) for one in begun.values())
        for wait in waits:
            self._habit.add((wait.partition, wait.shape), wait.waited_s)
        self._note(current, partitions)
        windows += self._passed()
        return Scores(
            misses=tuple(misses),
            windows=tuple(windows),
            waits=waits,
            overdue=self._overdue(),
        )

    def _take_up(self, current: Published) -> None:
        """Follow those who were told something before we began, as far as they are still there."""
        known = {row.spec.id: key_of(row.spec) for row in current.rows}
        entries = [(known[id_], one) for id_, one in self.before.items() if id_ in known]
        for key, told in entries[:MOST_FOLLOWED]:
            for entry in told:
                lead = lead_of(entry.likely_at - entry.told_at)
                self._followed.setdefault(key, {}).setdefault(lead, _remembered(entry))
        told_at = (entry.told_at for told in self.before.values() for entry in told[-1:])
        self._seen_at = min(max(told_at, default=current.snapshot_at), current.snapshot_at)
        self.before = {}

    def _begun(self, snapshot: Snapshot) -> Mapping[str, _Begun]:
        """Return who started since the last result, by key; of an array's tasks the first."""
        ran = dict(runs(snapshot))
        specs = {job.spec.id: job.spec for job in snapshot.running}
        specs |= {job.spec.id: job.spec for job in snapshot.finished}
        found: dict[str, _Begun] = {}
        for id_, (key, started_at) in ran.items():
            if id_ in self._ran or started_at <= self._seen_at - LAG_S:
                continue
            if key not in found or started_at < found[key].started_at:
                found[key] = _Begun(specs[id_], started_at)
        self._ran = frozenset(ran)
        return found

    def _passed(self) -> Iterator[Judged]:
        """Yield the windows that were missed by waiting on."""
        now = self._seen_at
        for answers in self._followed.values():
            for lead, told in answers.items():
                still = tuple(window for window in told.windows if window.high_at >= now)
                if len(still) < len(told.windows):
                    yield from (
                        Judged(lead, window.level, held=False)
                        for window in told.windows
                        if window.high_at < now
                    )
                    answers[lead] = told._replace(windows=still)

    def _note(self, current: Published, partitions: Mapping[str, Partition]) -> None:
        """Note what is told now, and forget who is gone."""
        theirs = {job.spec.id: job.estimate.start_at for job in current.snapshot.pending}
        followed, due = self._followed, self._due_since
        self._followed, self._due_since = {}, {}
        for row in current.rows:
            if not row.waits:
                continue
            key = key_of(row.spec)
            answers = followed.get(key, {})
            if answers or len(self._followed) < MOST_FOLLOWED:
                self._followed[key] = answers
                if row.start_at is not None:
                    lead = lead_of(row.start_at - self._seen_at)
                    if lead not in answers:  # only the first of each counts
                        theirs_at = theirs.get(row.spec.id)
                        answers[lead] = self._told(row, row.start_at, theirs_at, partitions)
            if row.cause == Cause.STARTS_NOW.value:
                self._due_since[key] = due.get(key, self._seen_at)

    def _told(
        self,
        row: Row,
        start_at: int,
        theirs_at: int | None,
        partitions: Mapping[str, Partition],
    ) -> Told:
        """Return what is told now. A start announced or guessed for the past means: any time."""
        guess_s = self._habit.guess_s(_kind(row.spec, partitions))
        return Told(
            start_at,
            _windows(row.outlook),
            None if theirs_at is None else max(theirs_at, self._seen_at),
            None if guess_s is None else max(row.spec.waits_since + guess_s, self._seen_at),
        )

    def _overdue(self) -> int:
        return sum(self._seen_at - since > OVERDUE_S for since in self._due_since.values())


def lead_of(lead_s: float) -> str:
    """Return which of LEADS a lead belongs to."""
    return next(name for name, most_s in LEADS.items() if lead_s <= most_s)


def _windows(outlook: Outlook | None) -> tuple[Window, ...]:
    told = {} if outlook is None else dict(outlook.quantiles)
    return tuple(
        Window(level, told[low], told[high])
        for level, (low, high) in SIDES.items()
        if low in told and high in told
    )


def _remembered(entry: Entry) -> Told:
    if entry.low_at is None or entry.high_at is None:
        return Told(entry.likely_at, ())
    return Told(entry.likely_at, (Window(KEPT_LEVEL, entry.low_at, entry.high_at),))


def _miss(lead: str, told: Told, begun: _Begun) -> Miss:
    return Miss(
        lead=lead,
        partition=begun.spec.first_partition,
        late_s=begun.started_at - told.likely_at,
        theirs_late_s=None if told.theirs_at is None else begun.started_at - told.theirs_at,
        guess_late_s=None if told.guess_at is None else begun.started_at - told.guess_at,
    )


def _judged(lead: str, told: Told, started_at: int) -> Iterator[Judged]:
    for window in told.windows:
        yield Judged(lead, window.level, held=window.low_at <= started_at <= window.high_at)


def _wait(begun: _Begun, partitions: Mapping[str, Partition]) -> Wait:
    partition, shape = _kind(begun.spec, partitions)
    waited_s = max(0, begun.started_at - begun.spec.waits_since)
    return Wait(partition=partition, shape=shape, waited_s=waited_s)


def _kind(spec: JobSpec, partitions: Mapping[str, Partition]) -> Kind:
    partition = spec.first_partition
    return partition, shape_of(spec, partitions.get(partition))
