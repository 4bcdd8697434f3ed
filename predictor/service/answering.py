"""Answers cut from the newest result: with its age, its ETag, and nothing a site keeps private."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from email.utils import formatdate
from itertools import islice
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from predictor.cli.lately import Judged
from predictor.cli.terminal import plain
from predictor.clock import Clock
from predictor.domain.instants import rfc3339
from predictor.service.alarms import alarm_body, recent
from predictor.service.asking.viewers import Sight, Viewer, sight
from predictor.service.bodies import SCHEMA
from predictor.service.chances import instant, with_deadline
from predictor.service.explained import explanation_body
from predictor.service.history import Entry
from predictor.service.hours import Hours
from predictor.service.jobids import parse_job_ids
from predictor.service.probes import Probes
from predictor.service.problems import PLAIN, STARTING, Refused
from predictor.service.published import FINISHED, RUNNING, Board, Published, Query, Trouble
from predictor.service.rows import PENDING, Row

UNCHANGED: dict[int | str, dict[str, Any]] = {
    304: {"description": "The result is the one with this ETag"}
}
RETRY_S = 5
LONGEST_CAUSE = 300
"""In characters: what is wrong with a source may be told by anything."""
WINDOWS_SOON_S = 5
"""For so long an answer may be kept whose windows are still being worked out."""


class Newest:
    """Where the handlers get the newest result, or the reason why there is none for them."""

    def __init__(self, board: Board, clock: Clock, *, open_: bool) -> None:
        """`open_`: jobs that are not private are shown to everybody, known or not."""
        self._board = board
        self._clock = clock
        self._open = open_

    def now(self) -> float:
        """Return UTC epoch seconds."""
        return self._clock.now()

    @property
    def current(self) -> Published | None:
        """The newest result, whoever asks; None before the first."""
        return self._board.dated(self._clock)

    @property
    def trouble(self) -> str:
        """Why the newest looks brought nothing, in whole sentences; empty: they did not fail."""
        return "" if self._board.trouble is None else trouble_sentence(self._board.trouble)

    @property
    def probes(self) -> Probes:
        """What new jobs would wait, as probed of late."""
        return self._board.probes

    @property
    def week(self) -> Hours:
        """How the last week was."""
        return self._board.week

    def seen_by(self, viewer: Viewer, current: Published) -> Sight:
        """Return whose jobs the viewer sees."""
        return sight(viewer, private=current.private, open_=self._open)

    def any(self, cluster: str | None = None) -> Published:
        """Return it. Raises Refused: 503 before the first, 404 for another cluster."""
        current = self.current
        if current is None:
            headers = {"Retry-After": str(RETRY_S)}
            why = f". {self.trouble}" if self.trouble else ""
            kind = PLAIN if self.trouble else STARTING
            raise Refused(503, f"the first forecast is not ready yet{why}", headers, type_=kind)
        if cluster not in (None, current.cluster):
            raise Refused(404, "no such cluster is served here")
        return current

    def with_jobs(self, cluster: str | None, viewer: Viewer) -> tuple[Published, Sight]:
        """Return it and what the viewer sees of it. Raises Refused, 403 for who sees none."""
        current = self.any(cluster)
        seen = self.seen_by(viewer, current)
        if seen.nothing:
            trouble = f"; {viewer.trouble}" if viewer.trouble else ""
            told = f"single jobs are shown to known users only; counts to everybody{trouble}"
            raise Refused(403, told)
        return current, seen


def freshness(current: Published, now: float) -> dict[str, Any]:
    """Return the fields that tell how old an answer is."""
    return {
        "schema": SCHEMA,
        "cluster": current.cluster,
        "snapshot_at": rfc3339(current.snapshot_at),
        "computed_at": rfc3339(int(current.computed_at)),
        "age_seconds": current.age_s(now),
        "stale": current.stale(now),
        "policy": current.policy,
    }


def cluster_body(current: Published, now: float) -> dict[str, Any]:
    """Return the cluster in numbers."""
    partitions = sorted({partition for partition, _ in current.counts})
    return {
        **freshness(current, now),
        "source": current.source,
        "jobs_private": current.private,
        "hidden": list(current.hidden),
        "quarantined": current.quarantined,
        "partitions": [_count(current.counts, partition) for partition in partitions],
        "unpredicted": dict(current.unpredicted),
        "quality": quality_body(current.lately),
        "trouble": _trouble(current.trouble),
        "alarms": [alarm_body(alarm) for alarm in recent(current.alarms, current.snapshot_at)],
        "accounting": asdict(current.past),
    }


def _trouble(trouble: Trouble | None) -> dict[str, Any] | None:
    if trouble is None:
        return None
    return {
        "looks": trouble.looks,
        "kind": trouble.kind,
        "cause": plain(trouble.cause, LONGEST_CAUSE),
        "next_look_at": rfc3339(int(trouble.next_at)),
        "sentence": trouble_sentence(trouble),
    }


def trouble_sentence(trouble: Trouble) -> str:
    """Return it in English, with the instant in UTC."""
    looks = "The last look" if trouble.looks == 1 else f"The last {trouble.looks} looks"
    cause = plain(trouble.cause, LONGEST_CAUSE)
    stop = "" if cause.endswith((".", "?", "!")) else "."
    return (
        f"{looks} at the cluster brought nothing new: {cause}{stop}"
        f" The next one is at {rfc3339(int(trouble.next_at))}."
    )


def quality_body(lately: Judged | None) -> dict[str, Any] | None:
    """Return how good answers were of late; None: nothing is known yet."""
    if lately is None:
        return None
    jobs, error_s, held = lately
    return {"jobs": jobs, "typical_error_s": error_s, "coverage80": round(held, 3)}


def _count(counts: Mapping[tuple[str, str], int], partition: str) -> dict[str, Any]:
    states = {state: counts.get((partition, state), 0) for state in (PENDING, RUNNING, FINISHED)}
    return {"partition": partition, **states}


def page(
    current: Published, query: Query, after: int, limit: int, now: float, by: int | None = None
) -> tuple[bytes, str | None]:
    """Return the body of a page of jobs and the cursor of the next page; None: the last.

    `by`: the chance of a start by then is told too. Costs little: rows were encoded beforehand.
    """
    found = list(islice(current.select(query, after), limit + 1))
    more = str(found[limit - 1][0]) if len(found) > limit else None
    head = {
        **freshness(current, now),
        "unknown_jobs": current.unknown(query.jobs or (), query.sight),
        "next": more,
    }
    return _joined(head, "jobs", (row for _, row in found[:limit]), by), more


def one_job(
    current: Published, job_id: str, seen: Sight, now: float, by: int | None = None
) -> bytes:
    """Return the body of the first of its records, waiting ones in queue order first.

    `by`: the chance of a start by then is told too. Raises Refused: 404 if there is no such job
    among those seen, or no such id.
    """
    row = row_of(current, job_id, seen)
    body = {
        **freshness(current, now),
        "explanation": explanation_body(row, current.snapshot_at, current.utc_offset_s),
        "history": history_body(current, row),
    }
    head = json.dumps(body).encode()
    return head[:-1] + b", " + with_deadline(row.encoded, row.outlook, by)[1:]


def row_of(current: Published, job_id: str, seen: Sight) -> Row:
    """Return the first of a job's records, waiting ones in queue order first.

    Raises Refused: 404 if there is no such job among those seen, or no such id.
    """
    try:
        asked = parse_job_ids(job_id)
    except ValueError as error:
        raise Refused(404, str(error)) from error
    found = next(current.select(Query(jobs=asked[:1], states=None, sight=seen)), None)
    if found is None:
        raise Refused(404, "the newest snapshot has no such job")
    return found[1]


def history_body(current: Published, row: Row) -> list[Mapping[str, Any]]:
    """Return what the row's job was told so far, the newest last; empty unless it waits."""
    return list(map(_told, current.history.get(row.spec.id, ()) if row.waits else ()))


def _told(entry: Entry) -> Mapping[str, Any]:
    return {
        "at": instant(entry.told_at),
        "likely_start": instant(entry.likely_at),
        "p10": instant(entry.low_at),
        "p90": instant(entry.high_at),
        "moved_by": entry.moved_by or None,
    }


def _joined(head: Mapping[str, Any], key: str, rows: Iterable[Row], by: int | None) -> bytes:
    told = (with_deadline(row.encoded, row.outlook, by) for row in rows)
    opened = json.dumps(head)[:-1] + f', "{key}": ['
    return opened.encode() + b", ".join(told) + b"]}"


def cached(current: Published, now: float) -> Mapping[str, str]:
    """Return the headers that let a client ask again only when there is something new."""
    next_in_s = int(current.observed_at + current.terms.interval_s - now)
    longest_s = WINDOWS_SOON_S if current.first else current.terms.interval_s
    return {
        "ETag": f'W/"{current.tick}{"-stale" if current.stale(now) else ""}"',
        "Last-Modified": formatdate(current.computed_at, usegmt=True),
        "Vary": "Authorization",
        "Cache-Control": f"private, max-age={min(max(next_in_s, 0), longest_s)}",
    }


def as_form(headers: Mapping[str, str], form: str) -> Mapping[str, str]:
    """Return the headers of an answer that is to be had in several forms; empty: the usual."""
    tag = f'{headers["ETag"][:-1]}-{form}"' if form else headers["ETag"]
    return {**headers, "ETag": tag, "Vary": "Authorization, Accept"}


def unchanged(request: Request, headers: Mapping[str, str]) -> Response | None:
    """Return 304 if the client has this result already; None if it has not."""
    known = {tag.strip() for tag in request.headers.get("if-none-match", "").split(",")}
    if headers["ETag"] in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return None
