"""The ladder as a waterfall: each truth that is taken away adds to the error, or takes from it."""

from collections.abc import Mapping, Sequence
from typing import Any

from verification.report.axes import linear, nice_seconds
from verification.report.markup import Content, Markup
from verification.report.plots import RIGHT, WIDTH, bar, figure, label, line
from verification.report.words import UNKNOWN, exact, seconds, signed

FIRST = 250
"""Where bars begin, right of their names."""
ROW = 34
TOP = 20


def waterfall(rungs: Sequence[Mapping[str, Any]]) -> Markup:
    """Return the rungs from above: the first from 0, the others from where the one before ends."""
    values = [one["mae_s"] for one in rungs if one["mae_s"] is not None]
    ticks = nice_seconds(max(values, default=0.0))
    bottom = TOP + ROW * len(rungs)
    x = linear(0, ticks[-1], FIRST, WIDTH - RIGHT - 60)
    shown: list[Content] = []
    for tick in ticks:
        shown += [
            line(x(tick), TOP - 8, x(tick), bottom, "grid"),
            label(x(tick), bottom + 18, exact(tick), class_="small"),
        ]
    before = 0.0
    for number, one in enumerate(rungs):
        y = TOP + ROW * number
        shown.append(label(FIRST - 12, y + 15, one["name"], "end"))
        if one["mae_s"] is None:
            shown.append(label(FIRST + 8, y + 15, UNKNOWN, "start", "quiet"))
            continue
        now = one["mae_s"]
        class_ = "mean" if number == 0 else ("worse" if now >= before else "better")
        low, high = sorted((x(before), x(now)))
        shown += [
            bar(low, y, max(high - low, 1.5), ROW - 12, class_, f"{one['name']}: {seconds(now)}"),
            label(high + 8, y + 15, signed(one["cost_s"]), "start"),
            line(x(now), y + ROW - 12, x(now), y + ROW, "axis"),
        ]
        before = now
    shown += [label(FIRST, bottom + 38, "mean absolute error", "start", "quiet")]
    text = "Mean absolute error after each truth that is taken away, from top to bottom."
    return figure("waterfall", "What each truth is worth", text, bottom + 50, *shown)
