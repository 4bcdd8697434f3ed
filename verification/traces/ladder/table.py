"""How far off each forecast of a trace was."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verification.judging.case import Case
from verification.scoring.columns import Weighting
from verification.scoring.frame import Frame
from verification.scoring.points import Errors, Points
from verification.scoring.promises import Promises, promises
from verification.scoring.windows import Held, Windows
from verification.traces.ladder.rows import RUN_TIMES
from verification.traces.ladder.simple import LIMITS

HEADING = (
    f"{'':<30}{'MAE s':>8}{'median s':>10}{'<=10 min':>10}{'bias s':>9}{'closed':>8}"
    f"{'covers':>8}{'Winkler s':>11}{'broken':>8}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one forecast is worth. Each who waits at each look counts once, a promise by job."""

    points: Points
    windows: Windows
    promises: Promises
    closed: float | None
    """How much of the gap between limits and perfect run times it closes: 1 is all of it.

    The difference of mean absolute errors, L - this, by that of L - B. Nobody comes in either.
    """


def figures(cases: Sequence[Case], rows: Sequence[str]) -> Mapping[str, Figures]:
    """Return the figures of each row."""
    frame = Frame.of(cases)
    weights, asked = frame.weights[Weighting.PER_SNAPSHOT], frame.asked[Weighting.PER_SNAPSHOT]
    said = {row: frame.columns.said(row) for row in rows}
    worth = {
        row: Errors.of(frame.columns, one).weighing(weights).points(asked)
        for row, one in said.items()
    }
    return {
        row: Figures(
            points=worth[row],
            windows=Held.of(frame.columns, one, weights).windows(),
            promises=promises(frame.columns, one),
            closed=closed(worth[row].mae_s, worth[LIMITS].mae_s, worth[RUN_TIMES].mae_s),
        )
        for row, one in said.items()
    }


def closed(mae_s: float | None, limits_s: float | None, perfect_s: float | None) -> float | None:
    """Return the share of the gap that is closed; None: there is none, or nothing was said."""
    if mae_s is None or limits_s is None or perfect_s is None or limits_s == perfect_s:
        return None
    return (limits_s - mae_s) / (limits_s - perfect_s)


def lines(found: Mapping[str, Figures]) -> Iterator[str]:
    """Yield the table, row by row."""
    yield HEADING
    for row, one in found.items():
        points, windows = one.points, one.windows
        yield (
            f"{row:<30}{_told(points.mae_s, 8)}{_told(points.median_abs_s, 10)}"
            f"{_told(points.within_600s, 10, 2)}{_told(points.bias_s, 9)}"
            f"{_share(one.closed, 8)}{_share(windows.coverage80, 8)}"
            f"{_told(windows.winkler80_s, 11)}{_share(one.promises.broken95, 8)}"
        )


def _told(value: float | None, width: int, digits: int = 0) -> str:
    return " " * width if value is None else f"{value:>{width}.{digits}f}"


def _share(value: float | None, width: int) -> str:
    return " " * width if value is None else f"{value:>{width}.1%}"
