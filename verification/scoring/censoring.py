"""Jobs that still wait when the record ends: what they may do to the figures.

Short waits are known sooner than long ones. Those that are known therefore also stand for those
that are not, within the same span of predicted lead.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verification.judging.case import Case, Said
from verification.scoring.columns import Columns
from verification.scoring.verdict import Verdict
from verification.scoring.weighted import mean
from verification.scoring.windows import window_verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Censoring:
    """Figures that also count jobs whose start is not known. None: there is nothing to score."""

    open_share: float | None
    """The share of the weight of all rows that nobody knows the end of."""
    removed_share: float | None
    """The share that left the queue without a start."""
    mae_weighted_s: float | None
    """The MAE if those still waiting fare like the others of their lead that waited as long."""
    coverage80_weighted: float | None
    """The coverage, likewise."""
    mae_pessimistic_s: float | None
    """The MAE if all jobs still waiting started when the record ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """How long one row was watched, and whether that was long enough."""

    length_s: int
    decided: bool
    """Whether it ended with what is to be scored, rather than with the record."""
    weight: float


def inverse_probabilities(spans: Sequence[Span]) -> list[float]:
    """Return the weights with which decided spans also stand for others; 0 for the others.

    Each weight is divided by the chance of being watched so long (Kaplan-Meier, of the ends of
    watching). Without undecided spans nothing changes. Where the longest spans are undecided,
    their weight is lost: nothing stands for them. n log n.
    Source: Robins and Rotnitzky, Recovery of Information ... (1992).
    """
    weights = [0.0] * len(spans)
    at_risk = sum(span.weight for span in spans)
    watched = 1.0
    # What is decided in the very second in which watching ends was decided in time.
    order = sorted(range(len(spans)), key=lambda k: (spans[k].length_s, not spans[k].decided))
    for place in order:
        span = spans[place]
        if span.decided:
            weights[place] = span.weight / watched if watched > 0 else 0.0
        elif at_risk > 0:
            watched *= max(0.0, 1 - span.weight / at_risk)
        at_risk -= span.weight
    return weights


def censoring(
    columns: Columns, said: Sequence[Said], weights: Sequence[float], leads: Sequence[str]
) -> Censoring:
    """Return what one predictor's figures are if open jobs count.

    `leads` are the classes of predicted lead by row, empty where nothing was answered.
    """
    by_lead = _by_lead(weights, leads)
    total = sum(weights)
    return Censoring(
        open_share=sum(weights[row] for row in columns.open) / total if total else None,
        removed_share=sum(weights[row] for row in columns.removed) / total if total else None,
        mae_weighted_s=_mae_weighted_s(columns, said, weights, by_lead),
        coverage80_weighted=_coverage_weighted(columns, said, weights, by_lead),
        mae_pessimistic_s=_mae_pessimistic_s(columns, said, weights),
    )


def _mae_weighted_s(
    columns: Columns, said: Sequence[Said], weights: Sequence[float], by_lead: Sequence[list[int]]
) -> float | None:
    off_s: list[float] = []
    own: list[float] = []
    for rows in by_lead:
        cases = [columns.cases[row] for row in rows]
        spans = [
            Span(length_s=_watched_s(case), decided=not case.open, weight=weights[row])
            for row, case in zip(rows, cases, strict=True)
        ]
        for row, case, weight in zip(rows, cases, inverse_probabilities(spans), strict=True):
            likely_at = said[row].likely_at
            if case.started_at is not None and likely_at is not None:
                off_s.append(abs(likely_at - case.started_at))
                own.append(weight)
    return mean(off_s, own)


def _coverage_weighted(
    columns: Columns, said: Sequence[Said], weights: Sequence[float], by_lead: Sequence[list[int]]
) -> float | None:
    kept: list[float] = []
    own: list[float] = []
    for rows in by_lead:
        judged = list(_judged(columns, said, weights, rows))
        for (_, verdict), weight in zip(
            judged, inverse_probabilities([span for span, _ in judged]), strict=True
        ):
            if verdict is not Verdict.VOID:
                kept.append(verdict is Verdict.KEPT)
                own.append(weight)
    return mean(kept, own)


def _judged(
    columns: Columns, said: Sequence[Said], weights: Sequence[float], rows: Sequence[int]
) -> Iterator[tuple[Span, Verdict]]:
    """Yield what became of each window, and how long that took: its end suffices for a miss."""
    for row in rows:
        case, low_at, high_at = columns.cases[row], said[row].low_at, said[row].high_at
        if low_at is not None and high_at is not None:
            verdict = window_verdict(case, low_at, high_at)
            length_s = min(_watched_s(case), max(0, high_at - case.seen_at))
            decided = verdict is not Verdict.NOT_KNOWN_YET
            yield Span(length_s=length_s, decided=decided, weight=weights[row]), verdict


def _mae_pessimistic_s(
    columns: Columns, said: Sequence[Said], weights: Sequence[float]
) -> float | None:
    off_s: list[float] = []
    own: list[float] = []
    for row in (*columns.started, *columns.open):
        case, likely_at = columns.cases[row], said[row].likely_at
        if likely_at is not None:
            started_at = case.known_until if case.started_at is None else case.started_at
            off_s.append(abs(likely_at - started_at))
            own.append(weights[row])
    return mean(off_s, own)


def _by_lead(weights: Sequence[float], leads: Sequence[str]) -> Sequence[list[int]]:
    """Return the rows that were answered and weigh anything, those of each lead together."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for row, lead in enumerate(leads):
        if lead and weights[row]:
            found[lead].append(row)
    return tuple(found.values())


def _watched_s(case: Case) -> int:
    """Return how long the job was seen to wait: to its start, its leaving, or the record's end."""
    ends = (case.started_at, case.removed_at, case.known_until)
    return max(0, next(end for end in ends if end is not None) - case.seen_at)
