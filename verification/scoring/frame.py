"""What is the same for every predictor: the cases, what each counts, and how they are divided."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from verification.judging.case import Case
from verification.judging.classes import DURATIONS, SIZES
from verification.scoring.columns import Columns, Weighting, columns_of
from verification.scoring.points import Asked
from verification.scoring.strata import strata

RANKS = {label: rank for labels in (SIZES, DURATIONS) for rank, label in enumerate(labels)}
"""The places of classes that have an order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """Jobs told apart by one thing."""

    labels: Sequence[str]
    """The class of each row; empty: it is in none."""
    asked: Mapping[str, Asked]
    """What each class holds; sizes and durations ascend, other classes go by name."""

    @classmethod
    def of(cls, columns: Columns, labels: Sequence[str], weights: Sequence[float]) -> Self:
        """Return the division of started jobs by the labels of their rows."""
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row in columns.started:
            rows[labels[row]].append(row)
        names = sorted(filter(None, rows), key=lambda label: (RANKS.get(label, 0), label))
        asked = {label: Asked.of(columns, rows[label], weights) for label in names}
        return cls(labels=labels, asked=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Cases made ready to score any number of predictors on them."""

    columns: Columns
    weights: Mapping[Weighting, Sequence[float]]
    asked: Mapping[Weighting, Asked]
    divisions: Mapping[str, Division]
    """By what jobs are told apart by."""

    @classmethod
    def of(cls, cases: Sequence[Case]) -> Self:
        """Return the frame of the cases; their order does not matter."""
        columns = columns_of(cases)
        weights = {weighting: columns.weights(weighting) for weighting in Weighting}
        return cls(
            columns=columns,
            weights=weights,
            asked={one: Asked.of(columns, columns.started, own) for one, own in weights.items()},
            divisions={
                name: Division.of(columns, labels, weights[Weighting.PER_JOB])
                for name, labels in strata(columns).items()
            },
        )

    @property
    def per_job(self) -> Sequence[float]:
        """The weights of the headline."""
        return self.weights[Weighting.PER_JOB]
