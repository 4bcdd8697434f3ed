"""What each waiting job was told before, and what moved it: so that nobody is left guessing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from predictor.domain import Snapshot
from predictor.domain.counts import counted
from predictor.service.history import Entry, History
from predictor.service.published import Published
from predictor.service.rows import Row
from predictor.service.schedule import ends_by
from predictor.storage import Answered

NOTABLE_S = 120
NOTABLE_SHARE = 0.1
"""A likely start that moves by less, or by less of its lead, is the same answer."""
MOST = 32
"""So many answers are remembered of a job: the first, and the more the newer they are."""
EARLY_S = 300
"""A job has ended early that had so much left up to its limit."""


def remembered(kept: Iterable[Answered]) -> History:
    """Return what was told by the answers that are kept, which come oldest first."""
    history: dict[str, tuple[Entry, ...]] = {}
    for each in kept:
        told = {}
        for one in each.answers:
            if one.start_at is not None:
                entry = Entry(
                    told_at=each.snapshot_at,
                    likely_at=one.start_at,
                    low_at=one.low_at,
                    high_at=one.high_at,
                )
                told[one.job_id] = _added(history.get(one.job_id, ()), entry)
        history = told
    return history


def continued(history: History, before: Published | None, current: Published) -> History:
    """Return the history with what is told now. Linear in the waiting jobs."""
    known = {} if before is None else {row.spec.id: row for row in before.rows}
    changes = None if before is None else _changes(before.snapshot, current.snapshot)
    found = {}
    for row in current.rows:
        if row.waits and row.start_at is not None:
            same = _is_same(row, known.get(row.spec.id))
            entries = history.get(row.spec.id, ()) if same else ()
            entry = _entry(row, current.snapshot_at)
            if entries and changes is not None and _moved(entries[-1], entry):
                why = moved_by(entries[-1], entry, known.get(row.spec.id), row, changes)
                entry = replace(entry, moved_by=why)
            found[row.spec.id] = _added(entries, entry)
    return found


def _is_same(row: Row, before: Row | None) -> bool:
    """Whether it is still the same job: its id may be given anew, to anybody."""
    return before is None or before.spec.submitted_at == row.spec.submitted_at


def _entry(row: Row, told_at: int) -> Entry:
    outlook = row.outlook
    return Entry(
        told_at=told_at,
        likely_at=row.start_at or told_at,
        low_at=None if outlook is None else outlook.low_at,
        high_at=None if outlook is None else outlook.high_at,
    )


def _added(entries: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    if entries and not _moved(entries[-1], entry):
        return entries
    if len(entries) >= MOST:
        # Every other one of the older half goes, but never the first.
        older, newer = entries[: MOST // 2], entries[MOST // 2 :]
        entries = (*older[::2], *newer)
    return (*entries, entry)


def _moved(last: Entry, now: Entry) -> bool:
    lead_s = max(now.likely_at - now.told_at, last.likely_at - last.told_at, 0)
    return abs(now.likely_at - last.likely_at) > max(NOTABLE_S, NOTABLE_SHARE * lead_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened between two snapshots that may move starts."""

    ended_early: int
    nodes_lost: int
    """Nodes that can be used no more, less those that can be again."""


def _changes(before: Snapshot, now: Snapshot) -> Changes:
    still = {job.spec.id for job in now.running}
    partitions = {one.name: one for one in before.partitions}
    early = 0
    for job in before.running:
        limit_at = ends_by(job, partitions)
        early += job.spec.id not in still and limit_at > now.taken_at + EARLY_S
    usable = [sum(node.usable for node in each.nodes) for each in (before, now)]
    return Changes(ended_early=early, nodes_lost=usable[0] - usable[1])


def moved_by(last: Entry, now: Entry, before: Row | None, row: Row, changes: Changes) -> str:
    """Return what most likely moved a start, as a clause."""
    later = now.likely_at > last.likely_at
    return next(_causes(later, before, row, changes), _beliefs(later))


def _beliefs(later: bool) -> str:
    return f"others are believed to run {'longer' if later else 'shorter'}, or to come otherwise"


def _causes(later: bool, before: Row | None, row: Row, changes: Changes) -> Iterator[str]:
    if before is not None and before.spec.request != row.spec.request:
        yield "the job asks for something else now"
    ahead = _ahead(row) - _ahead(before) if before is not None else 0
    if later:
        if changes.nodes_lost > 0:
            yield f"{counted(changes.nodes_lost, 'node')} went down"
        if ahead > 0:
            yield f"{counted(ahead, 'job')} more ahead"
        return
    if changes.nodes_lost < 0:
        yield f"{counted(-changes.nodes_lost, 'node')} came back"
    if changes.ended_early:
        yield f"{counted(changes.ended_early, 'job')} ended before the limit"
    if ahead < 0:
        yield f"{counted(-ahead, 'job')} fewer ahead"


def _ahead(row: Row) -> int:
    return 0 if row.explanation is None else row.explanation.ahead_jobs
