"""How well windows hold what they promise, and how wide they are. Durations are seconds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from verification.judging.case import Case, Said
from verification.scoring.columns import Columns
from verification.scoring.verdict import Verdict
from verification.scoring.weighted import Ascending, mean, pick, places_of

LEVEL = 0.8
"""So often windows are to hold."""
JUDGED = (Verdict.KEPT, Verdict.BROKEN)


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
    """Windows that were told, the narrowest first, and what became of them. Lists run alike."""

    rows: Sequence[int]
    kept: Sequence[float]
    """1 where the window held, else 0; likewise below."""
    early: Sequence[float]
    """The job started before it."""
    judged: Sequence[float]
    """The row's weight; 0: nobody knows yet, or ever."""
    width_s: Sequence[float]
    winkler_s: Sequence[float]
    started: Sequence[float]
    """The row's weight; 0: the job did not start."""

    @classmethod
    def of(cls, columns: Columns, said: Sequence[Said], weights: Sequence[float]) -> Self:
        """Return one predictor's windows, as far as they weigh anything."""
        found = []
        for row, one in enumerate(said):
            weight, low_at, high_at = weights[row], one.low_at, one.high_at
            if weight and low_at is not None and high_at is not None:
                found.append(_held(row, columns.cases[row], low_at, high_at, weight))
        found.sort()
        width_s, rows, kept, early, judged, winkler, started = (
            map(list, zip(*found, strict=True)) if found else ([] for _ in range(7))
        )
        return cls(
            rows=[int(row) for row in rows],
            kept=kept,
            early=early,
            judged=judged,
            width_s=width_s,
            winkler_s=winkler,
            started=started,
        )

    def grouped(self, labels: Sequence[str]) -> Mapping[str, Self]:
        """Return the windows apart by the label of their rows."""
        return {label: self.only(places) for label, places in places_of(self.rows, labels).items()}

    def only(self, places: Sequence[int]) -> Self:
        """Return those at the places, which ascend."""
        return type(self)(
            rows=[self.rows[place] for place in places],
            kept=pick(self.kept, places),
            early=pick(self.early, places),
            judged=pick(self.judged, places),
            width_s=pick(self.width_s, places),
            winkler_s=pick(self.winkler_s, places),
            started=pick(self.started, places),
        )

    def windows(self) -> Windows:
        """Return what they are worth."""
        kept, early = mean(self.kept, self.judged), mean(self.early, self.judged)
        return Windows(
            coverage80=kept,
            missed_early80=early,
            missed_late80=None if kept is None or early is None else max(0.0, 1 - kept - early),
            width80_median_s=Ascending(self.width_s, self.started).quantile(0.5),
            winkler80_s=mean(self.winkler_s, self.started),
        )


def _held(row: int, case: Case, low_at: int, high_at: int, weight: float) -> tuple[float, ...]:
    """Return width, row, kept, early, judged, Winkler's score and started of one window."""
    verdict = window_verdict(case, low_at, high_at)
    at = case.started_at
    return (
        high_at - low_at,
        row,
        verdict is Verdict.KEPT,
        at is not None and at < low_at,
        weight if verdict in JUDGED else 0.0,
        0.0 if at is None else winkler_s(low_at, high_at, at),
        0.0 if at is None else weight,
    )
