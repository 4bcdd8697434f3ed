"""What was answered and when: kept before anybody could know how it went.

Each document names the hash of the one before it, so that one changed, left out or put in later
shows, unless all that follow were made anew.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from predictor.domain import Forecast, Prediction
from predictor.domain.outlook import Quantiles
from predictor.errors import StorageError

SCHEMA = "queuecast.answers/3"
BY_ROWS = ("queuecast.answers/1", "queuecast.answers/2")
"""Older forms, the first one without windows; they are read all the same."""
TOO_MUCH = (RecursionError, OverflowError)
"""What JSON may hold that is too deep, or beyond all bounds."""
FINEST_S = 60
STEPS = 64
"""Windows are kept in steps of a minute, doubled until a lead has no more than so many."""

LOW, HIGH, BY = 0.1, 0.9, 0.95
"""The levels of an answer's own instants."""


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
    """The whole distribution, as it is kept; empty where there is no window."""


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
    """Return the document that keeps a forecast's answers: starts to the second, windows in steps.

    Raises ValueError for windows that are not all told at the same levels.
    """
    told = list(answers(forecast))
    levels = next(([level for level, _ in one.quantiles] for one in told if one.quantiles), [])
    rows = [_steps(one, levels, forecast.snapshot_at) for one in told]
    body = {
        "schema": SCHEMA,
        "snapshot_at": forecast.snapshot_at,
        "published_at": published_at,
        "policy": forecast.policy,
        "fingerprint": forecast.fingerprint,
        "follows": follows,
        "job_id": [one.job_id for one in told],
        "start_at": [one.start_at for one in told],
        "last_start_at": [one.last_start_at for one in told],
        "cause": [one.cause for one in told],
        "levels": levels,
        "windows": list(zip(*rows, strict=True)),
    }
    # ASCII only: a strange id may hold a lone surrogate. A line each, so that few bytes change.
    return json.dumps(body, separators=(",\n", ":")).encode("ascii")


def _steps(answer: Answer, levels: list[float], snapshot_at: int) -> Sequence[int | None]:
    """Return how many steps from its start each level lies; None: it has no window."""
    if answer.start_at is None or not answer.quantiles:
        return [None] * len(levels)
    if [level for level, _ in answer.quantiles] != levels:
        raise ValueError(f"a window at other levels than {levels}")
    start_at, step_s = answer.start_at, _step_s(answer.start_at - snapshot_at)
    return [(at - start_at + step_s // 2) // step_s for _, at in answer.quantiles]


def _step_s(lead_s: int) -> int:
    step_s = FINEST_S
    while step_s * STEPS < lead_s:
        step_s *= 2
    return step_s


def digest(document: bytes) -> str:
    """Return the hash by which the next document names this one: SHA-256 in hexadecimal."""
    return hashlib.sha256(document).hexdigest()


def read(document: bytes) -> Answered:
    """Return what a document keeps. Raises StorageError if it is none."""
    try:
        body = json.loads(document)
        form = body.pop("schema")
        if form == SCHEMA:
            told = tuple(_from_columns(body))
        elif form in BY_ROWS:
            told = tuple(_from_row(*row) for row in body.pop("answers"))
        else:
            raise StorageError("answers in a form that is not known")
        return Answered(**body, answers=told)
    except (ValueError, TypeError, KeyError, AttributeError, *TOO_MUCH) as error:
        raise StorageError(f"no answers: {error}") from error


def _from_columns(body: dict[str, Any]) -> Iterator[Answer]:
    columns = [body.pop(key) for key in ("job_id", "start_at", "last_start_at", "cause")]
    levels, windows, snapshot_at = body.pop("levels"), body.pop("windows"), body["snapshot_at"]
    for id_, start_at, last_start_at, cause, *steps in zip(*columns, *windows, strict=True):
        quantiles: Quantiles = ()
        if steps and steps[0] is not None:
            # As whole numbers: no step would ever suffice for an infinite lead.
            step_s = _step_s(int(start_at) - int(snapshot_at))
            at = [int(start_at) + int(count) * step_s for count in steps]
            quantiles = tuple(zip(levels, at, strict=True))
        own = dict(quantiles)
        yield Answer(
            job_id=str(id_),
            start_at=start_at,
            last_start_at=last_start_at,
            cause=str(cause),
            low_at=own.get(LOW),
            high_at=own.get(HIGH),
            by_at=own.get(BY),
            quantiles=quantiles,
        )


def _from_row(
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
