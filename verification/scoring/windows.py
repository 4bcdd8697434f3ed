"""How well windows hold what they promise, and how wide they are. Durations are seconds."""

from collections.abc import Sequence
from dataclasses import dataclass

from verification.judging.case import Case, Said
from verification.scoring.columns import Columns
from verification.scoring.verdict import Verdict
from verification.scoring.weighted import Ascending, mean

LEVEL = 0.8
"""So often windows are to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """What the windows of LEVEL are worth. None: no window can be judged."""

    coverage80: float | None
    """The share of windows that held, in [0, 1]. See `window_verdict` for jobs still waiting."""
    missed_early80: float | None
    """The share of windows that the job started before."""
    missed_late80: float | None
    """The share of windows that the job did not start in, nor before."""
    width80_median_s: float | None
    """Over all windows told of jobs that started."""
    winkler80_s: float | None
    """The mean width, plus 10 times how far outside jobs started: the smaller the better."""


def window_verdict(case: Case, low_at: int, high_at: int) -> Verdict:
    """Return whether a window held. A job still waiting after its end has missed it already.

    VOID of a job that left the queue: nobody knows when it would have started.
    """
    if case.started_at is not None:
        return Verdict.KEPT if low_at <= case.started_at <= high_at else Verdict.BROKEN
    if case.removed_at is not None:
        return Verdict.VOID
    return Verdict.BROKEN if case.known_until > high_at else Verdict.NOT_KNOWN_YET


def winkler_s(low_at: int, high_at: int, started_at: int, level: float = LEVEL) -> float:
    """Return a window's width, plus what lies outside times 2 / (1 - level).

    Source: Winkler, A Decision-Theoretic Approach to Interval Estimation (1972).
    """
    outside_s = max(low_at - started_at, started_at - high_at, 0)
    return high_at - low_at + 2 / (1 - level) * outside_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One window that was told, and what became of it."""

    row: int
    verdict: Verdict
    early: bool
    """Whether the job started before it."""
    width_s: int
    winkler_s: float | None
    """None: the job did not start."""
    weight: float

    @property
    def judged(self) -> bool:
        """Whether it is known if it held."""
        return self.verdict in (Verdict.KEPT, Verdict.BROKEN)


def held(columns: Columns, said: Sequence[Said], weights: Sequence[float]) -> list[Held]:
    """Return one predictor's windows, as far as they weigh anything, the narrowest first."""
    found = []
    for row, one in enumerate(said):
        weight, low_at, high_at = weights[row], one.low_at, one.high_at
        if weight and low_at is not None and high_at is not None:
            case = columns.cases[row]
            at = case.started_at
            found.append(
                Held(
                    row=row,
                    verdict=window_verdict(case, low_at, high_at),
                    early=at is not None and at < low_at,
                    width_s=high_at - low_at,
                    winkler_s=None if at is None else winkler_s(low_at, high_at, at),
                    weight=weight,
                )
            )
    return sorted(found, key=lambda one: one.width_s)


def windows(told: Sequence[Held]) -> Windows:
    """Return what windows are worth, the narrowest first."""
    judged = [one for one in told if one.judged]
    weights = [one.weight for one in judged]
    missed = [one.verdict is Verdict.BROKEN for one in judged]
    started = [(one, one.winkler_s) for one in told if one.winkler_s is not None]
    own = [one.weight for one, _ in started]
    return Windows(
        coverage80=mean([not one for one in missed], weights),
        missed_early80=mean([one.early for one in judged], weights),
        missed_late80=mean(
            [miss and not one.early for one, miss in zip(judged, missed, strict=True)], weights
        ),
        width80_median_s=Ascending([one.width_s for one, _ in started], own).quantile(0.5),
        winkler80_s=mean([winkler for _, winkler in started], own),
    )
