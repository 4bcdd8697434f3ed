"""What was answered and when: kept before anybody could know how it went.

Each document names the hash of the one before it, so that one changed, left out or put in later
shows, unless all that follow were made anew.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from predictor.domain import Forecast
from predictor.errors import StorageError

SCHEMA = "queuecast.answers/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was said of one waiting record; of an array, of its next task."""

    job_id: str
    start_at: int | None
    """None: nothing could be said."""
    last_start_at: int | None = None
    """When the last task of an array starts; None: no array, or not known."""
    cause: str
    """Why it does not start at once, or why nothing could be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """All answers of one forecast, as published."""

    snapshot_at: int
    published_at: int
    """By our own clock."""
    policy: str
    fingerprint: str
    """That of the configuration it was made under."""
    follows: str
    """The hash of the document before it; empty: it was the first."""
    answers: tuple[Answer, ...]


def answers(forecast: Forecast) -> Iterator[Answer]:
    """Yield what a forecast says of each waiting record, starts in queue order first."""
    for made in forecast.predictions:
        yield Answer(
            job_id=made.job_id,
            start_at=made.start_at,
            last_start_at=made.last_start_at,
            cause=made.cause.value,
        )
    for refused in forecast.abstentions:
        yield Answer(job_id=refused.job_id, start_at=None, cause=refused.cause.value)


def written(forecast: Forecast, published_at: int, follows: str) -> bytes:
    """Return the document that keeps a forecast's answers."""
    body = {
        "schema": SCHEMA,
        "snapshot_at": forecast.snapshot_at,
        "published_at": published_at,
        "policy": forecast.policy,
        "fingerprint": forecast.fingerprint,
        "follows": follows,
        "answers": [[a.job_id, a.start_at, a.last_start_at, a.cause] for a in answers(forecast)],
    }
    # ASCII only: a strange id may hold a lone surrogate. A line each, so that few bytes change.
    return json.dumps(body, indent=0, separators=(",", ":")).encode("ascii")


def digest(document: bytes) -> str:
    """Return the hash by which the next document names this one: SHA-256 in hexadecimal."""
    return hashlib.sha256(document).hexdigest()


def read(document: bytes) -> Answered:
    """Return what a document keeps. Raises StorageError if it is none."""
    try:
        body = json.loads(document)
        if body.pop("schema") != SCHEMA:
            raise StorageError("answers in a form that is not known")
        told = tuple(
            Answer(job_id=str(id_), start_at=start, last_start_at=last, cause=str(cause))
            for id_, start, last, cause in body.pop("answers")
        )
        return Answered(**body, answers=told)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorageError(f"no answers: {error}") from error
