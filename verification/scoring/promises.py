"""How often jobs start later than the instant by which they were promised to."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verification.judging.case import Case, Said
from verification.scoring.columns import Columns
from verification.scoring.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """What "starts by then" was worth; each job counts once. None: no promise can be judged."""

    broken95: float | None
    """The share of jobs that were not started by the instant they were shown first."""
    broken95_latest: float | None
    """The same of the instant they were shown last."""
    promises_open: int
    """Jobs of which nobody knows yet whether the first promise is kept."""


def promise_verdict(case: Case, by_at: int) -> Verdict:
    """Return whether a job started by then. Who waits on after it, or left after it, did not."""
    if case.started_at is not None:
        return Verdict.KEPT if case.started_at <= by_at else Verdict.BROKEN
    if case.removed_at is not None:
        return Verdict.BROKEN if case.removed_at > by_at else Verdict.VOID
    return Verdict.BROKEN if case.known_until > by_at else Verdict.NOT_KNOWN_YET


def promises(columns: Columns, said: Sequence[Said]) -> Promises:
    """Return what one predictor's promises are worth."""
    first: dict[int, Verdict] = {}
    latest: dict[int, Verdict] = {}
    for wait, case, one in zip(columns.wait, columns.cases, said, strict=True):
        if one.by_at is not None:
            verdict = promise_verdict(case, one.by_at)
            first.setdefault(wait, verdict)
            latest[wait] = verdict
    return Promises(
        broken95=_broken(first.values()),
        broken95_latest=_broken(latest.values()),
        promises_open=sum(one is Verdict.NOT_KNOWN_YET for one in first.values()),
    )


def _broken(verdicts: Iterable[Verdict]) -> float | None:
    counts = Counter(verdicts)
    judged = counts[Verdict.KEPT] + counts[Verdict.BROKEN]
    return counts[Verdict.BROKEN] / judged if judged else None
