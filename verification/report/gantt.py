"""A window as two Gantt charts above one another: what happened, and what was said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from predictor.domain.durations import HOUR_S
from verification.report.axes import Scale, linear
from verification.report.markup import Content, Markup
from verification.report.plots import LEFT, RIGHT, WIDTH, bar, figure, label, line
from verification.report.words import seconds

CLOSE_S = 60
PANEL = 250
TOP = 44
GAP = 34


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What the two sides of a window are called, and how one differs from the other."""

    real: str = "what happened"
    said: str = "what was said"
    late: str = "said too late"
    early: str = "said too early"


SAID = Sides()


def gantt(window: Mapping[str, Any], sides: Sides = SAID) -> Markup:
    """Return both sides of a window: nodes from above, time to the right."""
    length_s, nodes = window["length_s"], max(1, len(window["nodes"]))
    x = linear(0, length_s, LEFT, WIDTH - RIGHT)
    starts = {
        side: {one["job"]: one["start_s"] for one in window[side]} for side in ("real", "said")
    }
    shown: list[Content] = list(_legend(sides))
    for number, (side, words) in enumerate((("real", sides.real), ("said", sides.said))):
        top = TOP + number * (PANEL + GAP)
        y = linear(0, nodes, top, top + PANEL)
        shown += _panel(window[side], starts, x, y, length_s, sides)
        shown += [
            label(LEFT, top - 6, words, "start"),
            label(LEFT - 8, top + 10, next(iter(window["nodes"]), ""), "end", "small"),
            label(LEFT - 8, top + PANEL, next(reversed(window["nodes"]), ""), "end", "small"),
            line(LEFT, top, LEFT, top + PANEL, "axis"),
            line(LEFT, top + PANEL, WIDTH - RIGHT, top + PANEL, "axis"),
        ]
    bottom = TOP + 2 * PANEL + GAP
    hours = range(0, length_s + 1, max(HOUR_S, length_s // 6 // HOUR_S * HOUR_S))
    shown += [label(x(at), bottom + 16, f"+{at // HOUR_S} h", class_="small") for at in hours]
    text = f"Nodes from top to bottom, {seconds(length_s)} from left to right, beginning at"
    return figure("gantt", "A window", f"{text} {window['from']}.", bottom + 26, *shown)


def _panel(
    bars: Sequence[Mapping[str, Any]],
    starts: Mapping[str, Mapping[str, int]],
    x: Scale,
    y: Scale,
    length_s: int,
    sides: Sides,
) -> Iterator[Markup]:
    for one in bars:
        begin, end = max(0, one["start_s"]), min(length_s, one["end_s"])
        if begin >= end:
            continue
        class_, words = _judged(one, starts, sides)
        for first, count in one["nodes"]:
            left, top = x(begin), y(first)
            width, height = x(end) - left, y(first + count) - top
            tip = f"{one['job']}: {words}"
            yield bar(left, top, max(width - 0.4, 0.8), max(height - 0.3, 0.6), class_, tip)


def _judged(
    one: Mapping[str, Any], starts: Mapping[str, Mapping[str, int]], sides: Sides
) -> tuple[str, str]:
    """Return how a bar is drawn, and words for it."""
    if one["start_s"] <= 0:
        return "before", "ran already"
    real, said = (starts[side].get(one["job"]) for side in ("real", "said"))
    if real is None or said is None:
        return "alone", "on this side only"
    if abs(real - said) <= CLOSE_S:
        return "hit", f"within a minute, {abs(real - said)} s off"
    if said > real:
        return "late", f"{sides.late}, by {seconds(said - real)}"
    return "early", f"{sides.early}, by {seconds(real - said)}"


def _legend(sides: Sides) -> Iterator[Markup]:
    x = float(LEFT)
    key = (
        ("before", "ran already"),
        ("hit", "within a minute"),
        ("late", sides.late),
        ("early", sides.early),
        ("alone", "on one side only"),
    )
    for class_, words in key:
        yield bar(x, 4, 12, 12, class_)
        yield label(x + 17, 14, words, "start", "small")
        x += 30 + 6.2 * len(words)
