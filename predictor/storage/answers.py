"""What was answered and when: kept before anybody could know how it went.

Each document names the hash of the one before it, so that one changed, left out or put in later
shows, unless all that follow were made anew.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from predictor.domain import Forecast, Prediction
from predictor.domain.outlook import Quantiles
from predictor.errors import StorageError

SCHEMA = "queuecast.answers/2"
TOO_MUCH = (RecursionError, OverflowError)
"""What JSON may hold that is too deep, or beyond all bounds."""
BEFORE_WINDOWS = "queuecast.answers/1"
"""The form of documents that tell no windows; they are read all the same."""


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
    low_at: int | None = None
    """It starts from here on with 90 %; None: no window was told."""
    high_at: int | None = None
    """It starts by then with 90 %."""
    by_at: int | None = None
    """It starts by then with 95 %."""
    quantiles: Quantiles = ()
    """The whole distribution; empty where there is no window."""


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
        yield _answer(made)
    for refused in forecast.abstentions:
        yield Answer(job_id=refused.job_id, start_at=None, cause=refused.cause.value)


def _answer(made: Prediction) -> Answer:
    sure = made.outlook
    return Answer(
        job_id=made.job_id,
        start_at=made.likely_at,
        last_start_at=made.likely_last_at,
        cause=made.cause.value,
        low_at=None if sure is None else sure.low_at,
        high_at=None if sure is None else sure.high_at,
        by_at=None if sure is None else sure.by_at,
        quantiles=() if sure is None else sure.quantiles,
    )


def written(forecast: Forecast, published_at: int, follows: str) -> bytes:
    """Return the document that keeps a forecast's answers."""
    body = {
        "schema": SCHEMA,
        "snapshot_at": forecast.snapshot_at,
        "published_at": published_at,
        "policy": forecast.policy,
        "fingerprint": forecast.fingerprint,
        "follows": follows,
        "answers": list(map(_kept, answers(forecast))),
    }
    # ASCII only: a strange id may hold a lone surrogate. A line each, so that few bytes change.
    return json.dumps(body, indent=0, separators=(",", ":")).encode("ascii")


def _kept(answer: Answer) -> list[object]:
    told: list[object] = [answer.job_id, answer.start_at, answer.last_start_at, answer.cause]
    if answer.low_at is not None:
        told += [answer.low_at, answer.high_at, answer.by_at, answer.quantiles]
    return told


def digest(document: bytes) -> str:
    """Return the hash by which the next document names this one: SHA-256 in hexadecimal."""
    return hashlib.sha256(document).hexdigest()


def read(document: bytes) -> Answered:
    """Return what a document keeps. Raises StorageError if it is none."""
    try:
        body = json.loads(document)
        if body.pop("schema") not in (SCHEMA, BEFORE_WINDOWS):
            raise StorageError("answers in a form that is not known")
        told = tuple(_read(*kept) for kept in body.pop("answers"))
        return Answered(**body, answers=told)
    except (ValueError, TypeError, KeyError, AttributeError, *TOO_MUCH) as error:
        raise StorageError(f"no answers: {error}") from error


def _read(  # as a document of either form lists it
    id_: object,
    start_at: int | None,
    last_start_at: int | None,
    cause: object,
    low_at: int | None = None,
    high_at: int | None = None,
    by_at: int | None = None,
    quantiles: Iterable[tuple[float, int]] = (),
) -> Answer:
    return Answer(
        job_id=str(id_),
        start_at=start_at,
        last_start_at=last_start_at,
        cause=str(cause),
        low_at=low_at,
        high_at=high_at,
        by_at=by_at,
        quantiles=tuple((float(level), int(at)) for level, at in quantiles),
    )
