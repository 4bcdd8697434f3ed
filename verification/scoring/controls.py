"""Predictors whose scores are known beforehand: they tell whether the scores can be trusted.

An oracle must be scored without any error. Answers handed to the wrong jobs must show no skill.
Cases at another date must be scored the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from random import Random

from verification.judging.case import Case, Said

ORACLE = "oracle"
SHUFFLED = "shuffled"
LEVELS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)


def with_oracle(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases with a predictor ORACLE that knows every start, and says so."""
    for case in cases:
        yield _saying(case, ORACLE, _truth(case))


def _truth(case: Case) -> Said:
    at = case.started_at
    if at is None:
        return Said(why_not="never_started")
    quantiles = tuple((level, at) for level in LEVELS)
    return Said(likely_at=at, low_at=at, high_at=at, by_at=at, quantiles=quantiles)


def with_shuffled(cases: Sequence[Case], name: str, seed: int) -> Iterator[Case]:
    """Yield the cases with a predictor SHUFFLED that says of each job what `name` said of another.

    Answers are handed about among the jobs of one instant that started and were answered. Equal
    seeds shuffle equally.
    """
    source = Random(seed)  # noqa: S311 - no secret
    for _, group in groupby(sorted(cases, key=_place), key=lambda case: case.seen_at):
        some = list(group)
        answered = [
            case for case in some if case.started_at is not None and case.said[name].answered
        ]
        told = [case.said[name] for case in answered]
        source.shuffle(told)
        given = dict(zip((case.job.id for case in answered), told, strict=True))
        for case in some:
            yield _saying(case, SHUFFLED, given.get(case.job.id, case.said[name]))


def shifted(case: Case, delta_s: int) -> Case:
    """Return the case with every instant `delta_s` later."""
    said = {
        name: replace(
            one,
            likely_at=_moved(one.likely_at, delta_s),
            low_at=_moved(one.low_at, delta_s),
            high_at=_moved(one.high_at, delta_s),
            by_at=_moved(one.by_at, delta_s),
            quantiles=tuple((level, at + delta_s) for level, at in one.quantiles),
        )
        for name, one in case.said.items()
    }
    return replace(
        case,
        seen_at=case.seen_at + delta_s,
        submitted_at=case.submitted_at + delta_s,
        started_at=_moved(case.started_at, delta_s),
        removed_at=_moved(case.removed_at, delta_s),
        known_until=case.known_until + delta_s,
        said=said,
    )


def _moved(instant: int | None, delta_s: int) -> int | None:
    return None if instant is None else instant + delta_s


def _saying(case: Case, name: str, said: Said) -> Case:
    return replace(case, said={**case.said, name: said})


def _place(case: Case) -> tuple[int, str]:
    return case.seen_at, case.job.id
