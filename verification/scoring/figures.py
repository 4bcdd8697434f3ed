"""All figures of one predictor, under the names of the JSON."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from verification.fidelity.scores import kendall_tau
from verification.judging.case import Said
from verification.scoring.censoring import Censoring, censoring
from verification.scoring.columns import Columns, Weighting
from verification.scoring.distributions import Distributions, distributions
from verification.scoring.frame import Division, Frame
from verification.scoring.points import Errors, Points
from verification.scoring.promises import Promises, promises
from verification.scoring.stability import Stability, stability
from verification.scoring.strata import leads
from verification.scoring.windows import Held, Windows

Json = dict[str, object]
DIGITS = 6
"""So many decimals are told: more depend on the machine that adds up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one predictor is worth, each job weighing 1, spread evenly over its snapshots."""

    points: Points
    windows: Windows
    distributions: Distributions
    promises: Promises
    stability: Stability
    censoring: Censoring
    kendall_tau: float | None
    """How far said and real starts agree in order at each snapshot, in [-1, 1]; None: no two."""
    abstentions: Mapping[str, float]
    """The share of the weight of started jobs that was not answered, by reason."""
    false_starts: float | None
    """Of jobs that left without a start: the share that was said to start before. None: none."""
    weightings: Mapping[str, Points]
    """The points if something else counts as one, by `Weighting`."""
    by: Mapping[str, Mapping[str, "Stratum"]]
    """By what they are told apart by (`lead`, `partition`, ...) and its classes."""

    def as_json(self) -> Json:
        """Return all figures by name; those of jobs as a whole lie flat."""
        flat: Json = {}
        for part in (self.points, self.windows, self.promises, self.distributions, self.stability):
            flat |= asdict(part)
        flat |= {
            "kendall_tau": self.kendall_tau,
            "abstentions": dict(self.abstentions),
            "false_starts": self.false_starts,
            "censoring": asdict(self.censoring),
            "weightings": {name: asdict(points) for name, points in self.weightings.items()},
            "by": {
                name: {label: stratum.as_json() for label, stratum in strata.items()}
                for name, strata in self.by.items()
            },
        }
        return {name: rounded(value) for name, value in flat.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """One class of jobs. Jobs keep the weights that they have among all."""

    points: Points
    windows: Windows

    def as_json(self) -> Json:
        """Return its figures by name."""
        return asdict(self.points) | asdict(self.windows)


def rounded(value: object) -> object:
    """Return a value of JSON with all its numbers rounded."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, Mapping):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return value


def figures(frame: Frame, said: Sequence[Said], every: Errors) -> Figures:
    """Return the figures of one predictor, whose errors are `every` with weight 1."""
    columns, weights = frame.columns, frame.per_job
    errors = every.weighing(weights)
    held = Held.of(columns, said, weights)
    ahead = leads(columns, said)
    divisions = {"lead": Division.of(columns, ahead, weights), **frame.divisions}
    return Figures(
        points=errors.points(frame.asked[Weighting.PER_JOB]),
        windows=held.windows(),
        distributions=distributions(columns, said, weights),
        promises=promises(columns, said),
        stability=stability(columns, said),
        censoring=censoring(columns, said, weights, ahead),
        kendall_tau=order_agreement(columns, errors),
        abstentions=_abstentions(columns, said, weights),
        false_starts=_false_starts(columns, said, weights),
        weightings={
            weighting.value: every.weighing(frame.weights[weighting]).points(asked)
            for weighting, asked in frame.asked.items()
            if weighting is not Weighting.PER_JOB
        },
        by={name: _strata(errors, held, division) for name, division in divisions.items()},
    )


def order_agreement(columns: Columns, errors: Errors) -> float | None:
    """Return Kendall's tau of real and said starts within each snapshot; None: no two differ."""
    seen = sorted(zip(errors.rows, errors.error_s, strict=True))
    orders = []
    for _, group in groupby(seen, key=lambda one: columns.cases[one[0]].seen):
        real = [(columns.cases[row].started_at or 0, error_s) for row, error_s in group]
        orders.append([(at, at + round(error_s)) for at, error_s in real])
    return kendall_tau(orders)


def _abstentions(
    columns: Columns, said: Sequence[Said], weights: Sequence[float]
) -> Mapping[str, float]:
    found: dict[str, float] = defaultdict(float)
    total = sum(weights[row] for row in columns.started)
    for row in columns.started:
        if not said[row].answered:
            found[said[row].why_not] += weights[row] / total
    return dict(sorted(found.items()))


def _false_starts(columns: Columns, said: Sequence[Said], weights: Sequence[float]) -> float | None:
    false = total = 0.0
    for row in columns.removed:
        likely_at, removed_at = said[row].likely_at, columns.cases[row].removed_at
        total += weights[row]
        if likely_at is not None and removed_at is not None and likely_at < removed_at:
            false += weights[row]
    return false / total if total else None


def _strata(errors: Errors, held: Held, division: Division) -> Mapping[str, Stratum]:
    points, windows = errors.grouped(division.labels), held.grouped(division.labels)
    return {
        label: Stratum(
            points=points.get(label, errors.only(())).points(asked),
            windows=windows.get(label, held.only(())).windows(),
        )
        for label, asked in division.asked.items()
    }
