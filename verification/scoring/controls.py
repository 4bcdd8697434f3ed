"""Predictors whose scores are known beforehand: they tell whether the scores can be trusted.

An oracle must be scored without any error. Answers handed to the wrong jobs must show no skill.
Cases at another date must be scored the same.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from verification.judging.case import Case, Said
from verification.scoring.columns import Columns

ORACLE = "oracle"
SHUFFLED = "shuffled"
LEVELS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)


def oracle(columns: Columns) -> list[Said]:
    """Return what somebody says who knows every start."""
    return [_truth(case.started_at) for case in columns.cases]


def _truth(at: int | None) -> Said:
    if at is None:
        return Said(why_not="never_started")
    quantiles = tuple((level, at) for level in LEVELS)
    return Said(likely_at=at, low_at=at, high_at=at, by_at=at, quantiles=quantiles)


def shuffled(columns: Columns, said: Sequence[Said], seed: int) -> list[Said]:
    """Return what a predictor said, but of each job what it said of another.

    Answers change hands among the jobs of one snapshot that started and were answered. Equal seeds
    shuffle equally.
    """
    source = Random(seed)  # noqa: S311 - no secret
    rows: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for row in columns.started:
        if said[row].answered:
            rows[columns.cases[row].seen].append(row)
    found = list(said)
    for of_snapshot in rows.values():
        answers = [said[row] for row in of_snapshot]
        source.shuffle(answers)
        for row, answer in zip(of_snapshot, answers, strict=True):
            found[row] = answer
    return found


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
