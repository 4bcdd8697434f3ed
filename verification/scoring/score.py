"""From cases to all figures: ours, those of each baseline, and how the two compare."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import mul

from verification.judging.case import Case, Said
from verification.scoring.bootstrap import DRAWS, LEVEL, Blocks, Interval, blocks
from verification.scoring.columns import Weighting
from verification.scoring.comparison import Comparison, compared
from verification.scoring.controls import ORACLE, SHUFFLED, oracle, shuffled
from verification.scoring.figures import Figures, Json, figures, order_agreement, rounded
from verification.scoring.frame import Frame
from verification.scoring.points import Errors, Points
from verification.scoring.weighted import pick
from verification.scoring.windows import Held

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
class Control:
    """A predictor whose scores are known beforehand."""

    points: Points
    kendall_tau: float | None

    def as_json(self) -> Json:
        """Return its figures by name."""
        told = asdict(self.points) | {"kendall_tau": self.kendall_tau}
        return {name: rounded(one) for name, one in told.items()}


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
    controls: Mapping[str, Control]
    """ORACLE must make no error; SHUFFLED, our answers given to wrong jobs, must show no skill."""

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
            "controls": {name: one.as_json() for name, one in self.controls.items()},
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
    frame = Frame.of(cases)
    drawn = blocks(frame.columns, seed, draws)
    said = {name: frame.columns.said(name) for name in (ours, *baselines)}
    errors = {name: Errors.of(frame.columns, one) for name, one in said.items()}
    own = {name: one.weighing(frame.per_job) for name, one in errors.items()}
    first = figures(frame, said[ours], errors[ours])
    return Scores(
        figures=first,
        intervals=_intervals(frame, said[ours], own[ours], drawn),
        blocks=drawn.count,
        block_s=drawn.length_s,
        indicative=drawn.indicative,
        baselines={
            name: Baseline(
                # Whoever says the very same is worth the very same.
                figures=first
                if said[name] == said[ours]
                else figures(frame, said[name], errors[name]),
                comparison=compared(own[ours], own[name], drawn),
            )
            for name in baselines
        },
        controls={
            ORACLE: _control(frame, oracle(frame.columns)),
            SHUFFLED: _control(frame, shuffled(frame.columns, said[ours], seed)),
        },
    )


def _control(frame: Frame, said: Sequence[Said]) -> Control:
    errors = Errors.of(frame.columns, said).weighing(frame.per_job)
    return Control(
        points=errors.points(frame.asked[Weighting.PER_JOB]),
        kendall_tau=order_agreement(frame.columns, errors),
    )


def _intervals(
    frame: Frame, said: Sequence[Said], errors: Errors, drawn: Blocks
) -> Mapping[str, Interval | None]:
    """Return the intervals of those headline figures that are means."""
    weights, started = frame.per_job, frame.columns.started
    held = Held.of(frame.columns, said, weights)
    means = {
        "mae_s": (errors.rows, errors.off_s, errors.weights),
        "bias_s": (errors.rows, errors.error_s, errors.weights),
        "within_60s": (errors.rows, [off_s <= 60 for off_s in errors.off_s], errors.weights),
        "within_600s": (errors.rows, [off_s <= 600 for off_s in errors.off_s], errors.weights),
        "answered": (started, [said[row].answered for row in started], pick(weights, started)),
        "coverage80": (held.rows, held.kept, held.judged),
    }
    return {
        name: drawn.interval(rows, list(map(mul, values, own)), own)
        for name, (rows, values, own) in means.items()
    }
