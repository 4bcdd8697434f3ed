"""The newest result, immutable, and the board it hangs on."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from predictor.cli.lately import Judged
from predictor.clock import Clock
from predictor.domain import Forecast, Snapshot
from predictor.service.accounts import State
from predictor.service.asking.viewers import EVERYTHING, Sight
from predictor.service.demanded import FEWEST, node_s
from predictor.service.history import History
from predictor.service.hours import Hours
from predictor.service.jobids import AskedJob, base_of
from predictor.service.probes import Probes
from predictor.service.rows import PENDING, Row, judged, rows
from predictor.windows.drift import Alarm

PRIVATE_JOBS = "jobs"
FINISHED = "finished"
RUNNING = "running"
STATES = (PENDING, RUNNING, FINISHED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the site says about serving."""

    interval_s: int
    stale_after_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which jobs are asked for. None: any."""

    jobs: tuple[AskedJob, ...] | None = None
    users: frozenset[str] | None = None
    partitions: frozenset[str] | None = None
    accounts: frozenset[str] | None = None
    qos: frozenset[str] | None = None
    states: frozenset[str] | None = frozenset({PENDING})
    """Of STATES."""
    sight: Sight = EVERYTHING
    """Whose jobs may be shown to who asks."""

    def wants(self, row: Row) -> bool:
        """Whether the row is among those asked for."""
        spec = row.spec
        return (
            self.sight.shows(spec)
            and (self.users is None or spec.user in self.users)
            and (self.accounts is None or spec.account in self.accounts)
            and (self.qos is None or spec.qos in self.qos)
            and (self.states is None or phase(row) in self.states)
            and (self.partitions is None or not self.partitions.isdisjoint(spec.partitions))
            and (self.jobs is None or any(asked.means(spec) for asked in self.jobs))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why the newest looks brought nothing."""

    looks: int
    """So many in a row."""
    kind: str
    """What was wrong with the last one, as metrics call it."""
    cause: str
    """The same as a sentence."""
    next_at: float
    """When the cluster will be looked at again, by our own clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A forecast ready to be served. Names ending in `_at` are UTC epoch seconds."""

    cluster: str
    source: str
    policy: str
    snapshot_at: int
    observed_at: float
    """When we looked, by our own clock."""
    lag_s: float
    """How old what we saw was by then, as far as the clocks told."""
    looked_s: float | None = None
    """The same by the clock that never jumps; None: not known."""
    computed_at: float
    terms: Terms
    private: bool
    """The site keeps jobs private between users."""
    hidden: tuple[str, ...]
    """What could not be seen, a sentence each."""
    quarantined: int
    """Records that could not be understood and were left out."""
    utc_offset_s: int
    snapshot: Snapshot = field(repr=False)
    """What was seen, overlaid by the site's own words."""
    forecast: Forecast = field(repr=False)
    rows: tuple[Row, ...]
    by_base: Mapping[str, tuple[int, ...]]
    """Places in `rows` by job id, an array's or a heterogeneous job's being the shared one."""
    by_user: Mapping[str, tuple[int, ...]]
    counts: Mapping[tuple[str, str], int]
    """Jobs by partition and phase, one of STATES; in the first of its list where that is open."""
    unpredicted: Mapping[str, int]
    """Waiting jobs without a start, by cause."""
    backlog: Mapping[str, int] = field(default_factory=dict)
    """Nodes times limit of the waiting jobs, in seconds, by partition.

    None of a partition where so few wait that it would tell of single private ones."""
    lately: Judged | None = None
    """How good answers like these were of late; None: nothing is known."""
    first: bool = False
    """Whether its windows are still being worked out: another result of it follows soon."""
    alarms: tuple[Alarm, ...] = ()
    """Since when, and for whom, answers are other than they were."""
    past: State = State()
    history: History = field(default_factory=dict, repr=False)
    """What its waiting jobs were told before, and are told now."""
    """How much of what no look has shown was known by then."""
    trouble: Trouble | None = None
    """What keeps newer ones away; None: nothing."""

    @property
    def tick(self) -> str:
        """A name for this result that no other one has."""
        edition = "-first" if self.first else ""
        if self.trouble is not None:
            edition += f"-{self.trouble.looks}"
        return f"{self.snapshot_at:x}-{int(self.computed_at * 1000):x}{edition}"

    def as_of(self, clock: Clock) -> "Published":
        """Return it dated by our own clock as it is set now.

        One that was set back meanwhile would make the data young.
        """
        if self.looked_s is None:
            return self
        observed_at = clock.now() - (clock.monotonic() - self.looked_s)
        return (
            self if observed_at >= self.observed_at - 1 else replace(self, observed_at=observed_at)
        )

    def age_s(self, now: float) -> int:
        """Return how old the data are; a cluster whose clock is ahead cannot make them young."""
        return max(0, int(now - self.observed_at + self.lag_s))

    def stale(self, now: float) -> bool:
        """Whether the data are older than the site allows."""
        return self.age_s(now) > self.terms.stale_after_s

    def select(self, query: Query, after: int = 0) -> Iterator[tuple[int, Row]]:
        """Yield the rows asked for from place `after` on, with the place of the next row."""
        for place in self._places(query, after):
            if query.wants(row := self.rows[place]):
                yield place + 1, row

    def _places(self, query: Query, after: int) -> Iterable[int]:
        if query.jobs is not None:
            found = iter([self.by_base.get(base, ()) for job in query.jobs for base in job.bases])
        elif not query.sight.all:
            found = iter([self.by_user.get(query.sight.own, ())])
        elif query.users is not None:
            found = iter([self.by_user.get(user, ()) for user in query.users])
        else:
            return range(after, len(self.rows))
        return sorted({place for places in found for place in places if place >= after})

    def unknown(self, asked: Iterable[AskedJob], sight: Sight = EVERYTHING) -> list[str]:
        """Return those ids, as they were written, that no job has that may be shown."""
        return [
            job.text
            for job in asked
            if next(self.select(Query(jobs=(job,), states=None, sight=sight)), None) is None
        ]


def publication(
    snapshot: Snapshot, forecast: Forecast, terms: Terms, observed_at: float, computed_at: float
) -> Published:
    """Return the forecast ready to be served. Linear in the jobs, up to 0.1 ms each."""
    table = tuple(rows(snapshot, forecast))
    provenance = snapshot.provenance
    return Published(
        cluster=snapshot.cluster,
        source=provenance.source,
        policy=forecast.policy,
        snapshot_at=snapshot.taken_at,
        observed_at=observed_at,
        lag_s=max(0.0, observed_at - snapshot.taken_at),
        computed_at=computed_at,
        terms=terms,
        private=PRIVATE_JOBS in provenance.private,
        hidden=tuple(f"{part.fact.value}: {part.why}" for part in provenance.hidden),
        quarantined=sum(part.count for part in provenance.quarantined),
        utc_offset_s=snapshot.utc_offset_s,
        snapshot=snapshot,
        forecast=forecast,
        rows=table,
        by_base=_index(base_of(row.spec) for row in table),
        by_user=_index(row.spec.user for row in table),
        counts=_counts(snapshot, table),
        unpredicted=Counter(row.cause for row in table if row.unpredicted),
        backlog=_backlog(snapshot, table),
        lately=judged(table),
    )


def phase(row: Row) -> str:
    """Return which of STATES the job is in."""
    if row.waits:
        return PENDING
    return RUNNING if row.ended_at is None else FINISHED


def _counts(snapshot: Snapshot, table: Iterable[Row]) -> Mapping[tuple[str, str], int]:
    counts = Counter({(partition.name, PENDING): 0 for partition in snapshot.partitions})
    counts.update((row.partition.split(",")[0], phase(row)) for row in table)
    return counts


def _backlog(snapshot: Snapshot, table: Iterable[Row]) -> Mapping[str, int]:
    partitions = {partition.name: partition for partition in snapshot.partitions}
    found, jobs = Counter(dict.fromkeys(partitions, 0)), Counter[str]()
    for row in table:
        if row.waits:
            name = row.partition.split(",")[0]
            jobs[name] += 1
            found[name] += node_s(row.spec, partitions.get(name))
    fewest = FEWEST if PRIVATE_JOBS in snapshot.provenance.private else 0
    return {name: found[name] for name in found if not 0 < jobs[name] < fewest}


def _index(keys: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return {key: tuple(found) for key, found in places.items()}


class Board:
    """Holds the newest result; readers never wait and never see half of one."""

    def __init__(self) -> None:
        self._current: Published | None = None
        self._settled: Published | None = None
        self.history: History = {}
        """What was told before the first result."""
        self.past = State()
        """How much of what no look has shown is known."""
        self.probes: Probes = {}
        """What new jobs would wait, as probed of late."""
        self.week: Hours = {}
        """How the last week was."""
        self._trouble: Trouble | None = None
        self._changing = Lock()

    def put(self, result: Published) -> None:
        """Replace what hangs there in one step."""
        with self._changing:
            self._current = result
        if not result.first:
            self._settled = result
        self._trouble = result.trouble

    def remember(self, history: History) -> None:
        """Take up what was told before the first result, or by what hangs there."""
        self.history = history
        if self._current is not None:
            self._current = replace(self._current, history=history)

    @property
    def settled(self) -> Published | None:
        """The newest result with nothing more to come; None before the first."""
        return self._settled

    def note(self, trouble: Trouble | None) -> None:
        """Write on what hangs there why nothing newer does; None: nothing is wrong any more."""
        self._trouble = trouble
        with self._changing:
            if self._current is not None:
                self._current = replace(self._current, trouble=trouble)

    @property
    def trouble(self) -> Trouble | None:
        """Why there is nothing newer, or nothing at all; None: nothing is wrong."""
        return self._trouble

    @property
    def current(self) -> Published | None:
        """The newest result; None before the first."""
        return self._current

    def dated(self, clock: Clock) -> Published | None:
        """Return the newest result, as old as it is though our clock was set back meanwhile."""
        current = self._current
        if current is None or (dated := current.as_of(clock)) is current:
            return current
        with self._changing:
            if self._current is current:
                self._current = dated
        return self._current
