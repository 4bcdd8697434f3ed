"""A notice as JSON for programs and as text for people: job ids and names cannot do harm."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain.durations import duration
from predictor.domain.instants import rfc3339
from predictor.service.chances import instant
from predictor.service.watches.watch import Kind, Notice

SCHEMA = "queuecast.notice/1"
LONGEST_ID = 80
LONGEST_LIST = 300
HEADLINES = {
    Kind.SOON: "starts soon",
    Kind.SLIPPED: "starts later than told",
    Kind.STARTED: "has started",
}


def encoded(notice: Notice) -> bytes:
    """Return the notice as one JSON object in ASCII."""
    return json.dumps(_body(notice)).encode("ascii")


def _body(notice: Notice) -> Mapping[str, Any]:
    return {
        "schema": SCHEMA,
        "id": notice.id,
        "watch": notice.watch.id,
        "sent_for": notice.watch.owner,
        "kind": notice.kind.value,
        "cluster": notice.cluster,
        "job_id": notice.job_id,
        "user": notice.user,
        "partition": notice.partition,
        "snapshot_at": instant(notice.at),
        "likely_start": instant(notice.likely_at),
        "p10": instant(notice.low_at),
        "p90": instant(notice.high_at),
        "told_before": instant(notice.before_at),
        "moved_by": notice.moved_by or None,
        "started_at": instant(notice.started_at),
        "nodelist": notice.nodelist or None,
        "more_jobs": notice.more,
        "text": headline(notice),
    }


def headline(notice: Notice) -> str:
    """Return it in a few words on one line of printable characters."""
    job, cluster = plain(notice.job_id, LONGEST_ID), plain(notice.cluster, LONGEST_ID)
    more = f", and {notice.more} more" if notice.more else ""
    return f"Job {job} on {cluster} {HEADLINES[notice.kind]}{more}"


def letter(notice: Notice) -> str:
    """Return it as the text of a mail; instants are told in UTC."""
    return "\n".join(plain(line) for line in _lines(notice)) + "\n"


def _lines(notice: Notice) -> Iterator[str]:
    yield f"{headline(notice)}."
    yield ""
    if notice.started_at is not None:
        where = f" on {notice.nodelist[:LONGEST_LIST]}" if notice.nodelist else ""
        yield f"It started at {rfc3339(notice.started_at)}{where}."
    if notice.likely_at is not None:
        lead = duration(max(notice.likely_at - notice.at, 0))
        yield f"Likely start: {rfc3339(notice.likely_at)}, in {lead}."
    if notice.started_at is None and notice.low_at is not None and notice.high_at is not None:
        yield f"With 80% between {rfc3339(notice.low_at)} and {rfc3339(notice.high_at)}."
    if notice.before_at is not None:
        yield f"Told before: {rfc3339(notice.before_at)}."
    if notice.moved_by:
        yield f"What moved it: {notice.moved_by}."
    if notice.more:
        yield f"Of {notice.more} more of your jobs there is news as well; ask queuecast."
    yield ""
    yield f"Seen at {rfc3339(notice.at)}. To be told no more: queuecast watch --delete"
    yield notice.watch.id
