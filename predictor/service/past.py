"""What of the past is still to be asked of accounting: a ledger, and the rules by which it changes.

Three stretches of time may be open: the `history` before the first look, read once, oldest first;
`unseen`, in which jobs may have come and gone between two looks; and `owed`, in which jobs are
gone of which accounting knew nothing when it was asked, as its news may be late.
"""

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from predictor.arrivals.submission import key_of
from predictor.domain import Fact, JobSpec, Snapshot
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.simulation.dependencies import Roll

UNSEEN, OWED, HISTORY = KINDS = ("unseen", "owed", "history")
"""In the order in which they are asked for."""
EARLIEST_AT = DAY_S
"""Batch systems take an instant of 0 for none."""
SETTLED_S = 60
"""So long after an end accounting is trusted to know of it."""
GATHER_S = 300
"""So long what is unseen gathers before it is asked for anew."""
OVERLAP_S = 60
"""So much earlier than the look before we ask: its records were read one after the other."""
GIVE_UP_S = DAY_S
"""Who is not told of in such a time never will be."""
SELDOM_S = 6 * HOUR_S
"""So often at least what is owed is asked for anew."""
FIRST_WIDTH_S = 6 * HOUR_S
NARROWEST_S = 60
WIDEST_S = 14 * DAY_S
FEW_BYTES = 4 * 2**20
QUICK_S = 3.0
"""After a small answer that came as quickly, more is asked for at a time."""
MOST_MISSING = 50_000
"""So many are remembered by name that are gone without a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """From `since` on, before `until`."""

    since: int
    until: int
    due_at: int
    """Not asked for before this instant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """What is asked for at a time, cut from the open stretch of the kind `of`."""

    of: str
    since: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The ledger. All instants are by the batch system's clock."""

    cluster: str
    first_at: int
    """When the first snapshot was taken that is recorded."""
    open: Mapping[str, Stretch] = field(default_factory=dict)
    """What is still to be asked for, by one of `KINDS`."""
    missing: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Who is gone without a word, by single id, and between which looks."""
    width_s: int = FIRST_WIDTH_S
    """So much time is asked for at once."""

    @property
    def behind_s(self) -> int:
        """Return how much time is still to be asked for in all."""
        return sum(stretch.until - stretch.since for stretch in self.open.values())

    def opened(self, kind: str, stretch: Stretch | None) -> "Past":
        """Return the ledger with this stretch of a kind; None: with none."""
        others = {name: one for name, one in self.open.items() if name != kind}
        return replace(self, open=others | ({kind: stretch} if stretch else {}))


def begun(cluster: str, now: int, past_s: int, first_at: int) -> Past:
    """Return the ledger of somebody who has asked for nothing yet."""
    history = Stretch(since=max(EARLIEST_AT, now - past_s), until=now, due_at=now)
    return Past(cluster=cluster, first_at=first_at, open={HISTORY: history})


def looked(past: Past, before: Snapshot | None, snapshot: Snapshot, past_s: int) -> Past:
    """Return the ledger after a look; `before` is the look before it.

    Nothing is open if who has ended since that is still shown, and nobody is gone without a word.
    """
    past = _possible(past, snapshot.taken_at)
    if before is None or _hides(before) or _hides(snapshot):
        return past
    if snapshot.taken_at <= before.taken_at:
        return past
    shown = [job.spec for job in snapshot.pending]
    shown += [job.spec for job in snapshot.running]
    shown += [job.spec for job in snapshot.finished]
    there = Roll.of(shown)
    missing = {id_: when for id_, when in past.missing.items() if id_ not in there}
    between = before.taken_at, snapshot.taken_at
    shown_s = snapshot.settings.min_job_age_s
    soon = between[1] - between[0] < shown_s
    left = {spec.array.job_id for spec in shown if spec.array is not None} if soon else set()
    gone = set(_gone(before, there, left))
    missing |= dict.fromkeys(sorted(gone)[: max(0, MOST_MISSING - len(missing))], between)
    past = replace(past, missing=missing)
    if not gone and (shown_s <= 0 or soon):
        return past
    since = max(EARLIEST_AT, between[0] - OVERLAP_S, between[1] - past_s)
    # What joins others that wait to be asked for is asked for with them.
    new = Stretch(since=since, until=between[1], due_at=between[1] + SETTLED_S)
    others = past.open.get(UNSEEN, new)
    whole = replace(others, since=min(others.since, since), until=new.until)
    return past.opened(UNSEEN, whole)


def _gone(before: Snapshot, there: Roll, left: Container[str]) -> Iterator[str]:
    """Yield who waited or ran before and is not there, but for tasks that were given up together.

    Those shared a record with others, and are of an array of which something is `left`. Had one of
    them been started it would still be shown. Who gives up some tasks of an array leaves no word of
    these anywhere: they never had a record of their own, in accounting either.
    Source: Slurm 22.05, as measured.
    """
    waited = (job.spec for job in before.pending)
    specs = [spec for spec in waited if not (_is_shared(spec) and key_of(spec) in left)]
    specs += [job.spec for job in before.running]
    yield from (id_ for spec in specs for id_ in single_ids(spec) if id_ not in there)


def _is_shared(spec: JobSpec) -> bool:
    return spec.array is not None and len(spec.array.tasks) > 1


def _possible(past: Past, now: int) -> Past:
    """Return the ledger less what lies in the future, where a clock that was wrong has put it."""
    open_ = {
        kind: replace(one, until=min(one.until, now), due_at=min(one.due_at, now + SELDOM_S))
        for kind, one in past.open.items()
        if one.since < now
    }
    missing = {id_: (min(a, now), min(b, now)) for id_, (a, b) in past.missing.items()}
    return replace(past, open=open_, missing=missing)


def next_slice(past: Past, now: int) -> Slice | None:
    """Return what to ask for now, the oldest of a stretch first; None: nothing."""
    for kind in KINDS:
        stretch = past.open.get(kind)
        if stretch is None:
            continue
        until = min(stretch.until, now - SETTLED_S, stretch.since + past.width_s)
        if kind == HISTORY and stretch.since < past.first_at < until:
            until = past.first_at
        # For the seconds that settle meanwhile alone, nobody is asked.
        whole = until == stretch.until or until - stretch.since >= min(GATHER_S, past.width_s)
        if stretch.due_at <= now and stretch.since < until and whole:
            return Slice(of=kind, since=stretch.since, until=until)
    return None


def narrowed(past: Past, asked: Slice) -> Past | None:
    """Return the ledger after too long an answer; None if less cannot be asked for."""
    if asked.until - asked.since <= NARROWEST_S:
        return None
    return replace(past, width_s=max(NARROWEST_S, (asked.until - asked.since) // 2))


def told(
    past: Past, asked: Slice, ids: Collection[str], now: int, *, size_bytes: int, took_s: float
) -> Past:
    """Return the ledger after an answer that told of these single `ids`."""
    missing = {id_: when for id_, when in past.missing.items() if id_ not in ids}
    past = _without(replace(past, missing=missing), asked, now)
    if OWED not in past.open:
        past = past.opened(OWED, _owed(past, now))
    if asked.until - asked.since >= past.width_s and size_bytes < FEW_BYTES and took_s < QUICK_S:
        past = replace(past, width_s=min(WIDEST_S, 2 * past.width_s))
    return past


def given_up(past: Past, now: int) -> Past:
    """Return the ledger less those who were missed so long ago that nobody will tell of them."""
    missing = {id_: when for id_, when in past.missing.items() if now - when[1] <= GIVE_UP_S}
    return past if len(missing) == len(past.missing) else replace(past, missing=missing)


def _without(past: Past, asked: Slice, now: int) -> Past:
    """Return the ledger less what was asked for."""
    stretch = past.open[asked.of]
    rest: Stretch | None = replace(stretch, since=asked.until)
    if asked.until >= stretch.until:
        rest = None
    elif asked.of == UNSEEN and asked.until >= now - SETTLED_S:
        rest = replace(stretch, since=asked.until, due_at=now + GATHER_S)
    return past.opened(asked.of, rest)


def _owed(past: Past, now: int) -> Stretch | None:
    """Return what accounting was asked for in vain: due after as long again as it is old."""
    asked_until = past.open[UNSEEN].since if UNSEEN in past.open else now
    late = [when for when in past.missing.values() if when[1] <= asked_until]
    if not late:
        return None
    since, until = min(when[0] for when in late), max(when[1] for when in late)
    wait_s = min(max(GATHER_S, now - since), SELDOM_S)
    return Stretch(since=max(EARLIEST_AT, since - OVERLAP_S), until=until, due_at=now + wait_s)


def single_ids(spec: JobSpec) -> Collection[str]:
    """Return the ids of the jobs that a record stands for."""
    if spec.array is not None and spec.array.tasks:
        return [f"{spec.array.job_id}_{task}" for task in spec.array.tasks]
    return (spec.id,)


def _hides(snapshot: Snapshot) -> bool:
    return any(hidden.fact is Fact.JOBS for hidden in snapshot.provenance.hidden)
