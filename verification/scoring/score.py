"""From cases to all figures: ours, those of each baseline, and how the two compare."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import mul

from verification.judging.case import Case, Said
from verification.scoring.bootstrap import DRAWS, LEVEL, Blocks, Interval, blocks
from verification.scoring.columns import Columns, Weighting, columns_of
from verification.scoring.comparison import Comparison, compared
from verification.scoring.figures import Figures, Json, figures, rounded
from verification.scoring.points import Errors
from verification.scoring.strata import strata

OURS = "ours"
BASELINES = ("slurm", "limits", "persistence", "class_median", "qbets", "now", "never")
"""Who is compared with, in the order of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Another predictor on the same cases, and how ours compares."""

    figures: Figures
    comparison: Comparison

    def as_json(self) -> Json:
        """Return all its figures by name."""
        told = {name: rounded(one) for name, one in asdict(self.comparison).items()}
        return self.figures.as_json() | told


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """All that is known of how good the predictions of some cases were."""

    figures: Figures
    """Ours."""
    intervals: Mapping[str, Interval | None]
    """Where our headline figures lie, by name; None: too little time to say."""
    blocks: int
    """How many blocks of time the intervals rest on."""
    block_s: int
    indicative: bool
    """Whether these are too short to rely on the intervals."""
    baselines: Mapping[str, Baseline]

    def as_json(self) -> Json:
        """Return everything by name; our own figures lie flat. Same scores, same JSON."""
        intervals = {
            "level": LEVEL,
            "blocks": self.blocks,
            "block_s": self.block_s,
            "indicative": self.indicative,
        }
        told = {name: rounded(one) for name, one in self.intervals.items()}
        return self.figures.as_json() | {
            "intervals": intervals | told,
            "baselines": {name: one.as_json() for name, one in self.baselines.items()},
        }


def score(
    cases: Sequence[Case],
    *,
    seed: int,
    draws: int = DRAWS,
    ours: str = OURS,
    baselines: Sequence[str] = BASELINES,
) -> Scores:
    """Return the figures of `ours` and of each baseline. Equal arguments, equal scores.

    The order of the cases does not matter. Who was never asked has answered nothing. `draws` is
    how often blocks of time are drawn for the intervals.
    """
    columns = columns_of(cases)
    weights = {weighting: columns.weights(weighting) for weighting in Weighting}
    labels = strata(columns)
    own = weights[Weighting.PER_JOB]
    drawn = blocks(columns, seed, draws)
    said = columns.said(ours)
    errors = Errors.of(columns, said, own)
    found = {}
    for name in baselines:
        theirs = columns.said(name)
        found[name] = Baseline(
            figures=figures(columns, theirs, weights, labels),
            comparison=compared(errors, Errors.of(columns, theirs, own), drawn),
        )
    return Scores(
        figures=figures(columns, said, weights, labels),
        intervals=_intervals(columns, said, own, errors, drawn),
        blocks=drawn.count,
        block_s=drawn.length_s,
        indicative=drawn.indicative,
        baselines=found,
    )


def _intervals(
    columns: Columns, said: Sequence[Said], weights: Sequence[float], errors: Errors, drawn: Blocks
) -> Mapping[str, Interval | None]:
    """Return the intervals of those headline figures that are means."""
    started = columns.started
    means = {
        "mae_s": errors.off_s,
        "bias_s": errors.error_s,
        "within_60s": [off_s <= 60 for off_s in errors.off_s],
        "within_600s": [off_s <= 600 for off_s in errors.off_s],
    }
    found = {
        name: drawn.interval(errors.rows, list(map(mul, values, errors.weights)), errors.weights)
        for name, values in means.items()
    }
    could = [weights[row] for row in started]
    did = [weights[row] * said[row].answered for row in started]
    return found | {"answered": drawn.interval(started, did, could)}
