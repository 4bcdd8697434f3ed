"""The first page: who waits, until when, and how old the answer is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta, timezone
from itertools import islice
from typing import Any

from predictor.cli.lately import lately
from predictor.cli.terminal import plain
from predictor.cli.timeformat import window
from predictor.cli.timesyntax import deadline
from predictor.domain import Outlook
from predictor.service.alarms import alarm_sentence, recent
from predictor.service.asking.viewers import Sight
from predictor.service.published import RUNNING, Published, Query
from predictor.service.rows import PENDING, Row, judged
from predictor.web.frame import Frame
from predictor.web.words import CAUSES, REASONS, limit, local, relative, utc

MOST_ROWS = 1_000
LONGEST_NAME = 40
MOST_PARTITIONS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Whose jobs the page shows. Empty: everybody's."""

    user: str = ""
    partition: str = ""
    by: str = ""
    """A time of day in the site's time, or an instant: with which chance they start by then."""

    def query(self, seen: Sight) -> Query:
        """Return the same as a query for waiting jobs, of somebody who sees so much."""
        return Query(
            users=frozenset({self.user}) if self.user else None,
            partitions=frozenset({self.partition}) if self.partition else None,
            sight=seen,
        )


def queue_page(
    current: Published | None, chosen: Filter, seen: Sight, now: float, frame: Frame
) -> str:
    """Return the page as HTML, for who sees so much."""
    if current is None:
        return frame.page("queue.html", None, now)
    by = deadline_of(chosen.by, current.utc_offset_s, now)
    return frame.page(
        "queue.html",
        current,
        now,
        chosen=chosen,
        by="" if by is None else local(by, current.utc_offset_s, now),
        blind=seen.nothing,
        **_facts(current, now),
        **_table(current, chosen, seen, by, now),
        me=plain(frame.viewer.name),
    )


def deadline_of(text: str, utc_offset_s: int, now: float) -> int | None:
    """Return the instant asked for; None if it is none."""
    try:
        return deadline(text, now, timezone(timedelta(seconds=utc_offset_s)))
    except (ValueError, OverflowError):
        return None


def _facts(current: Published, now: float) -> Mapping[str, Any]:
    return {
        "hidden": [plain(sentence) for sentence in current.hidden],
        "quarantined": current.quarantined,
        "partitions": _partitions(current),
        "waiting": _total(current, PENDING),
        "running": _total(current, RUNNING),
        "unpredicted": sum(current.unpredicted.values()),
        "alarms": [
            plain(alarm_sentence(alarm, lambda at: local(at, current.utc_offset_s, now)))
            for alarm in recent(current.alarms, current.snapshot_at)
        ],
    }


def _table(
    current: Published, chosen: Filter, seen: Sight, by: int | None, now: float
) -> Mapping[str, Any]:
    found = [row for _, row in islice(current.select(chosen.query(seen)), MOST_ROWS + 1)]
    shown = found[:MOST_ROWS]
    return {
        "jobs": [cells(row, current, by, now) for row in shown],
        "more": len(found) > MOST_ROWS,
        "most": MOST_ROWS,
        "windows": any(row.outlook is not None for row in shown),
        "lately": lately(judged(shown)),
    }


def cells(row: Row, current: Published, by: int | None, now: float) -> Mapping[str, Any]:
    """Return a waiting job as the pages show it; `start` is None where none can be told."""
    spec = row.spec
    told = {
        "id": plain(spec.id, LONGEST_NAME),
        "name": plain(spec.name.raw, LONGEST_NAME),
        "user": plain(spec.user),
        "partition": plain(row.partition.replace(",", ", ")),
        "nodes": spec.request.nodes,
        "limit": limit(spec.request.limit_s),
        "rank": row.rank,
        "start": None,
    }
    if row.start_at is None:
        return told | {"why": REASONS[row.cause], "detail": plain(row.detail)}
    return told | {
        "start": local(row.start_at, current.utc_offset_s, now),
        "start_utc": utc(row.start_at),
        "relative": relative(row.start_at, now),
        "last": _last(row, current, now),
        "nodelist": plain(row.nodelist, LONGEST_NAME),
        "why": CAUSES[row.cause],
        **_sure(row.outlook, current.utc_offset_s, by, now),
    }


def _sure(
    outlook: Outlook | None, utc_offset_s: int, by: int | None, now: float
) -> Mapping[str, Any]:
    """Return how sure a start is; nothing of it where that is not known."""
    if outlook is None:
        return {"window": "", "chance": None}
    low, high, by95 = (
        local(at, utc_offset_s, now) for at in (outlook.low_at, outlook.high_at, outlook.by_at)
    )
    return {
        "window": window(low, high),
        "by95": by95,
        "basis": plain(outlook.basis),
        "chance": None if by is None else round(100 * outlook.chance_by(by)),
    }


def _last(row: Row, current: Published, now: float) -> str:
    """Return when the last task of an array starts; empty if that is no other instant."""
    if row.last_start_at is None or row.last_start_at == row.start_at:
        return ""
    return local(row.last_start_at, current.utc_offset_s, now)


def _partitions(current: Published) -> list[Mapping[str, Any]]:
    names = sorted({partition for partition, _ in current.counts})
    return list(islice(_counts(current, names), MOST_PARTITIONS))


def _counts(current: Published, names: list[str]) -> Iterator[Mapping[str, Any]]:
    for name in names:
        yield {
            "name": plain(name),
            "waiting": current.counts.get((name, PENDING), 0),
            "running": current.counts.get((name, RUNNING), 0),
        }


def _total(current: Published, state: str) -> int:
    return sum(count for (_, phase), count in current.counts.items() if phase == state)
