"""Which snapshots of a recording agree with one another, and sentences about the others."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mode

from predictor.domain import Snapshot
from predictor.domain.instants import rfc3339
from predictor.storage.catalogue import Catalogue
from predictor.storage.frames import Kind

AHEAD_S = 120
"""Facts dated so much later than the snapshot that shows them tell of a clock that was wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """The snapshots that may be judged by."""

    instants: tuple[int, ...]
    """Ascending."""
    findings: tuple[str, ...]
    """What is cut off, there twice, or left out."""


def sound_part(found: Catalogue) -> Sound:
    """Return the longest series of snapshots whose clock goes on from one to the next as written.

    Where a clock was set back, the shorter of the parts that contradict one another is left out.
    """
    written = sorted(found.snapshots.values(), key=lambda one: (one.segment, one.entry.offset))
    instants = [place.entry.taken_at for place in written]
    kept = _longest_rise(instants)
    return Sound(
        instants=kept,
        findings=(*_twice(found), *_set_back(instants, set(kept)), *_cut(found)),
    )


def contradictions(snapshots: Sequence[Snapshot]) -> Mapping[int, str]:
    """Return a sentence for each snapshot that cannot be as it says, by its number.

    The cluster is that of most of them.
    """
    found: dict[int, str] = {}
    if not snapshots:
        return found
    cluster = mode(snapshot.cluster for snapshot in snapshots)
    for number, snapshot in enumerate(snapshots):
        at = rfc3339(snapshot.taken_at)
        ahead_s = _latest_fact(snapshot) - snapshot.taken_at
        if snapshot.cluster != cluster:
            found[number] = f"{at}: a snapshot of cluster {snapshot.cluster!r}: left out"
        elif ahead_s > AHEAD_S:
            found[number] = f"{at}: shows what happened {ahead_s} s later: left out"
    return found


def _latest_fact(snapshot: Snapshot) -> int:
    starts = (job.started_at for job in snapshot.running)
    ends = (job.ended_at for job in snapshot.finished)
    return max((*starts, *ends), default=snapshot.taken_at)


def _longest_rise(instants: Sequence[int]) -> tuple[int, ...]:
    """Return the longest ascending series in the order given; n log n."""
    lows: list[int] = []
    last_at: list[int] = []
    before: list[int | None] = []
    for number, at in enumerate(instants):
        place = bisect_left(lows, at)
        before.append(last_at[place - 1] if place else None)
        lows[place : place + 1] = [at]
        last_at[place : place + 1] = [number]
    rise = []
    number_ = last_at[-1] if last_at else None
    while number_ is not None:
        rise.append(instants[number_])
        number_ = before[number_]
    return tuple(reversed(rise))


def _twice(found: Catalogue) -> Iterator[str]:
    """Yield what was recorded several times; the last of them is in the catalogue."""
    ours = (each for each in found.scans if each.cluster in (None, found.cluster))
    entries = (entry for each in ours for entry in each.entries)
    counts = Counter(entry.taken_at for entry in entries if entry.kind is Kind.SNAPSHOT)
    for at, count in sorted(counts.items()):
        if count > 1 and at in found.snapshots:
            yield f"{rfc3339(at)}: recorded {count} times: the last one counts"


def _set_back(instants: Sequence[int], kept: set[int]) -> Iterator[str]:
    for before, at in pairwise(instants):
        if at < before:
            yield f"{rfc3339(before)}: the clock was set back by {before - at} s"
    gone = [at for at in instants if at not in kept]
    if gone:
        first, last = rfc3339(min(gone)), rfc3339(max(gone))
        yield f"{len(gone)} snapshots, {first} to {last}, contradict the others: left out"


def holes(instants: Sequence[int]) -> Iterator[str]:
    """Yield the stretches without snapshots, between `instants` that ascend."""
    steps = sorted(b - a for a, b in pairwise(instants))
    usual_s = steps[(len(steps) - 1) // 2] if steps else 0
    for since, until in pairwise(instants):
        if until - since > 2 * usual_s:
            yield f"{rfc3339(since)} to {rfc3339(until)}: no snapshots"


def _cut(found: Catalogue) -> Iterator[str]:
    """Yield whether the newest segment ends amid a record: nobody is to go on with it."""
    for newest in found.scans[-1:]:
        if newest.unfinished:
            yield f"{newest.segment}: byte {newest.end}: ends in the middle of a record"
