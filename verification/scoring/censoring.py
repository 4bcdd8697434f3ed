"""Jobs that still wait when the record ends: what they may do to the figures.

Short waits are known sooner than long ones. Those that are known therefore also stand for those
that are not, within the same span of predicted lead.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import not_

from verification.judging.case import Said
from verification.scoring.columns import Columns
from verification.scoring.verdict import Verdict
from verification.scoring.weighted import mean, pick
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


def inverse_probabilities(
    length_s: Sequence[int], decided: Sequence[bool], weights: Sequence[float]
) -> Sequence[float]:
    """Return the weights with which decided spans also stand for others; 0 for the others.

    A span is how long something was watched; it is decided if it ended with what is to be scored
    rather than with the record. Each weight is divided by the chance of being watched so long
    (Kaplan-Meier, of the ends of watching). Without undecided spans nothing changes. Where the
    longest spans are undecided, their weight is lost: nothing stands for them. n log n.
    Source: Robins and Rotnitzky, Recovery of Information ... (1992).
    """
    if all(decided):
        return weights
    found = [0.0] * len(weights)
    at_risk = sum(weights)
    watched = 1.0
    # What is decided in the very second in which watching ends was decided in time.
    ordered = sorted(zip(length_s, map(not_, decided), range(len(weights)), strict=True))
    for _, undecided, place in ordered:
        weight = weights[place]
        if not undecided:
            found[place] = weight / watched if watched > 0 else 0.0
        elif at_risk > 0:
            watched *= max(0.0, 1 - weight / at_risk)
        at_risk -= weight
    return found


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
    undecided = set(columns.open)
    off_s: list[float] = []
    own: list[float] = []
    for rows in by_lead:
        decided = [row not in undecided for row in rows]
        length_s = [columns.watched_s[row] for row in rows]
        standing = inverse_probabilities(length_s, decided, pick(weights, rows))
        for row, weight in zip(rows, standing, strict=True):
            likely_at, started_at = said[row].likely_at, columns.cases[row].started_at
            if started_at is not None and likely_at is not None:
                off_s.append(abs(likely_at - started_at))
                own.append(weight)
    return mean(off_s, own)


def _coverage_weighted(
    columns: Columns, said: Sequence[Said], weights: Sequence[float], by_lead: Sequence[list[int]]
) -> float | None:
    kept: list[float] = []
    own: list[float] = []
    for rows in by_lead:
        judged = list(_judged(columns, said, rows))
        length_s = [length for _, length, _ in judged]
        decided = [verdict is not Verdict.NOT_KNOWN_YET for _, _, verdict in judged]
        standing = inverse_probabilities(
            length_s, decided, pick(weights, [row for row, _, _ in judged])
        )
        for (_, _, verdict), weight in zip(judged, standing, strict=True):
            if verdict is not Verdict.VOID:
                kept.append(verdict is Verdict.KEPT)
                own.append(weight)
    return mean(kept, own)


def _judged(
    columns: Columns, said: Sequence[Said], rows: Sequence[int]
) -> Iterator[tuple[int, int, Verdict]]:
    """Yield each window's row, how long it took to judge it, and how: its end makes it a miss."""
    for row in rows:
        case, low_at, high_at = columns.cases[row], said[row].low_at, said[row].high_at
        if low_at is not None and high_at is not None:
            length_s = min(columns.watched_s[row], max(0, high_at - case.seen_at))
            yield row, length_s, window_verdict(case, low_at, high_at)


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
