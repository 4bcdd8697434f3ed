"""What is worth telling: pure, so that nobody is told twice, and not of every little change."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from predictor.domain.durations import DAY_S, HOUR_S
from predictor.service.asking.viewers import Sight
from predictor.service.jobids import base_of, parse_job_ids
from predictor.service.published import Published, Query
from predictor.service.rows import Row
from predictor.service.watches.watch import Kind, Notice, Told, Watch

SLIP_S = 1_800
SLIP_SHARE = 0.25
"""A start has slipped that moved by more than both: by so long, by so much of its lead."""
AWAY_S = HOUR_S
"""Who was told "soon" is told so again, once the start has moved away by more than this."""
FORGET_S = DAY_S
"""Of a job that is there no more it is remembered for so long what was told."""
MOST_AT_ONCE = 20
"""Of so many jobs a watch tells one by one at a time."""

Ledger = Mapping[str, Mapping[str, Told]]
"""What was told, by watch and by job: the shared id of an array's tasks, or the id watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is to be told now, and what has then been told."""

    notices: tuple[Notice, ...] = ()
    ledger: Ledger = field(default_factory=dict)
    done: frozenset[str] = frozenset()
    """The watches whose job has started, or is gone."""


def decided(
    watches: Iterable[Watch],
    ledger: Ledger,
    before: Published | None,
    now: Published,
    sees: Callable[[str], Sight],
) -> Decision:
    """Return what is to be told of the result `now`, given what was told.

    `before` is the result before it, None after a restart: then nobody is told of a start that
    was not waited for already. `sees` returns what a user may see. Of a result whose windows are
    still being worked out only starts are told. Linear in the jobs watched.
    """
    notices: list[Notice] = []
    told: dict[str, Mapping[str, Told]] = {}
    done = set()
    for watch in watches:
        known = ledger.get(watch.id, {})
        judged = _Judging(watch, before, now).of(known, _jobs(watch, now, sees(watch.owner)))
        told[watch.id] = judged.told
        notices += _bounded(judged.notices)
        if watch.job is not None and _is_over(judged.told.get(watch.job)):
            done.add(watch.id)
    return Decision(notices=tuple(notices), ledger=told, done=frozenset(done))


def _jobs(watch: Watch, now: Published, seen: Sight) -> Mapping[str, Sequence[Row]]:
    """Return the records of each job watched, waiting ones first."""
    if watch.job is not None:
        try:
            asked = parse_job_ids(watch.job)
        except ValueError:
            # It was kept when more could be asked for.
            return {}
        query = Query(jobs=asked, states=None, sight=seen)
        return {watch.job: [row for _, row in now.select(query)]}
    found: dict[str, list[Row]] = {}
    own = Query(users=frozenset({watch.owner}), states=None, sight=seen)
    for _, row in now.select(own):
        found.setdefault(base_of(row.spec), []).append(row)
    return found


def _is_over(told: Told | None) -> bool:
    return told is None or told.started


def _bounded(notices: Sequence[Notice]) -> Iterable[Notice]:
    """Return as many as somebody can read; the last one tells how many more there are."""
    more = len(notices) - MOST_AT_ONCE
    if more <= 0:
        return notices
    return (*notices[: MOST_AT_ONCE - 1], replace(notices[MOST_AT_ONCE - 1], more=more))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    told: Mapping[str, Told]
    notices: Sequence[Notice]


class _Judging:
    """Goes through the jobs of one watch."""

    def __init__(self, watch: Watch, before: Published | None, now: Published) -> None:
        self._watch = watch
        self._now = now
        self._at = now.snapshot_at
        self._since = None if before is None else max(before.snapshot_at, watch.created_at)

    def of(self, known: Mapping[str, Told], jobs: Mapping[str, Sequence[Row]]) -> _Judged:
        """Return what is told and to be told of each job, those that are gone included."""
        told: dict[str, Told] = {}
        notices = []
        for key in dict.fromkeys((*known, *jobs)):
            after, notice = self._job(key, known.get(key), jobs.get(key, ()))
            if after is not None:
                told[key] = after
            notices += [notice] if notice else []
        return _Judged(told=told, notices=notices)

    def _job(
        self, key: str, told: Told | None, rows: Sequence[Row]
    ) -> tuple[Told | None, Notice | None]:
        if not rows:
            return self._gone(told), None
        told = replace(told, gone_at=None) if told is not None else self._met(rows)
        if told is None or told.started:
            return told, None
        if begun := _begun(rows):
            first = min(begun, key=_start)
            notice = self._notice(Kind.STARTED, key, first, Told(), started_at=first.start_at)
            return Told(started=True), notice
        waiting = [row for row in rows if row.waits and row.start_at is not None]
        if self._now.first or not waiting:
            return told, None
        return self._waiting(key, told, min(waiting, key=_start))

    def _met(self, rows: Sequence[Row]) -> Told | None:
        """Return what is known of a job that was not there before; None if it is over."""
        begun = _begun(rows)
        if not begun:
            return Told()
        if self._since is not None and _start(min(begun, key=_start)) > self._since:
            return Told()
        return Told(started=True) if any(row.ended_at is None for row in rows) else None

    def _gone(self, told: Told | None) -> Told | None:
        if told is None:
            # Only of a watch's own job, which it need not have met yet.
            return Told(gone_at=self._at)
        gone_at = self._at if told.gone_at is None else told.gone_at
        return None if self._at - gone_at > FORGET_S else replace(told, gone_at=gone_at)

    def _waiting(self, key: str, told: Told, row: Row) -> tuple[Told, Notice | None]:
        likely_at = _start(row)
        last_at = likely_at if told.likely_at is None else told.likely_at
        if told.soon_at is not None and likely_at - told.soon_at > AWAY_S:
            told = replace(told, soon_at=None)
        for kind, is_so in self._news(told, last_at, likely_at):
            if is_so and kind in self._watch.kinds:
                soon_at = likely_at if kind is Kind.SOON else told.soon_at
                after = replace(told, likely_at=likely_at, soon_at=soon_at)
                return after, self._notice(kind, key, row, told)
        return replace(told, likely_at=last_at), None

    def _news(self, told: Told, last_at: int, likely_at: int) -> Iterator[tuple[Kind, bool]]:
        """Yield what may be told, the most urgent first: one of them is enough."""
        lead_s = likely_at - self._at
        yield Kind.SOON, told.soon_at is None and lead_s <= self._watch.soon_s
        yield Kind.SLIPPED, likely_at - last_at > max(SLIP_S, SLIP_SHARE * lead_s)

    def _notice(
        self, kind: Kind, key: str, row: Row, told: Told, started_at: int | None = None
    ) -> Notice | None:
        if kind not in self._watch.kinds:
            return None
        entries = self._now.history.get(row.spec.id, ())
        outlook, slipped = row.outlook, kind is Kind.SLIPPED
        return Notice(
            id=_id(self._watch.id, key, kind, self._at),
            watch=self._watch,
            kind=kind,
            cluster=self._now.cluster,
            job_id=row.spec.id,
            user=row.spec.user,
            partition=row.partition,
            at=self._at,
            likely_at=None if started_at is not None else row.start_at,
            low_at=None if outlook is None else outlook.low_at,
            high_at=None if outlook is None else outlook.high_at,
            before_at=told.likely_at if slipped else None,
            moved_by=entries[-1].moved_by if slipped and entries else "",
            started_at=started_at,
            nodelist="" if started_at is None else row.nodelist,
        )


def _begun(rows: Sequence[Row]) -> list[Row]:
    # A job that was sent back to the queue waits, whatever became of its runs before.
    again = {row.spec.id for row in rows if row.waits}
    return [
        row
        for row in rows
        if not row.waits and row.start_at is not None and row.spec.id not in again
    ]


def _start(row: Row) -> int:
    return row.start_at or 0


def _id(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode(errors="replace")).hexdigest()[:32]
