"""All that windows learn, as it is kept when a service restarts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from pydantic import ConfigDict, TypeAdapter, ValidationError

from predictor.errors import StorageError
from predictor.windows.answers import Answer, Followed
from predictor.windows.drift import Alarm, Figure, Watch
from predictor.windows.lately import CameOut, Stratum
from predictor.windows.outcomes import Outcome
from predictor.windows.raw import BINS, LEVELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a calibration knows. Lists by bin have BINS members."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    now: int = 0
    jobs: Mapping[str, Followed] = field(default_factory=dict)
    outcomes: Sequence[Sequence[Outcome]] = ((),) * BINS
    firsts: Sequence[Sequence[float]] = ((),) * BINS
    waits: Sequence[tuple[str, Sequence[int]]] = ()
    merits: Sequence[tuple[float, tuple[float, float]]] = ((0.0, (0.0, 0.0)),) * BINS
    levels: Sequence[Mapping[str, float]] = ({},) * BINS
    record: Sequence[tuple[Stratum, Sequence[CameOut]]] = ()
    watches: Sequence[tuple[tuple[Figure, str], Watch]] = ()
    alarms: Sequence[Alarm] = ()


def written(kept: Kept) -> object:
    """Return it as lists, texts and numbers only."""
    return _form().dump_python(kept, mode="json")


def read(state: object) -> Kept:
    """Return what was written. Raises StorageError if that is not what `state` is."""
    try:
        json.dumps(state, allow_nan=False)
        kept = _form().validate_python(state)
        _check(kept)
    except (TypeError, ValueError, ValidationError, RecursionError) as error:
        raise StorageError(f"not the state of windows: {error}") from error
    return kept


@cache
def _form() -> TypeAdapter[Kept]:
    """Return what takes it apart; making that takes longer than using it."""
    return TypeAdapter(Kept)


def _check(kept: Kept) -> None:
    """Raise ValueError if there is what could never have been written."""
    by_bin = (kept.outcomes, kept.firsts, kept.merits, kept.levels)
    if any(len(one) != BINS for one in by_bin):
        raise ValueError(f"expected {BINS} bins of leads")
    for job_id, job in kept.jobs.items():
        numbers = {number: sample.answer for number, sample in job.samples.items()}
        if any(number != answer.bin for number, answer in numbers.items()) or not numbers:
            raise ValueError(f"job {job_id}: answers of other bins than told")
        for answer in (job.first, *numbers.values()):
            _check_answer(job_id, answer)
        if len(job.drawn_at) != len(LEVELS):
            raise ValueError(f"job {job_id}: not as many quantiles as told")
        if any(sample.of < 1 for sample in job.samples.values()):
            raise ValueError(f"job {job_id}: one of no answers")


def _check_answer(job_id: str, answer: Answer) -> None:
    told_s = answer.told_s
    if not 0 <= answer.bin < BINS or len(told_s) != len(LEVELS) or min(told_s) < 0:
        raise ValueError(f"job {job_id}: no answer that was ever given")
    if min(answer.marks) < 0 or not 0 <= answer.passed <= 2:
        raise ValueError(f"job {job_id}: no answer that was ever given")
