"""Plots of a sweep: what a setting does, and what one figure costs in another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verification.report.axes import linear, ticks_between
from verification.report.markup import Content, Markup, element
from verification.report.plots import LEFT, RIGHT, WIDTH, bar, figure, label, line, rows_of_ticks
from verification.report.words import exact, told
from verification.sweep.wording import named, settings_words, spelled

ROW = 30
WORDS_LEFT = 150
MOST_LETTERS = 20


def tick_words(name: str, ticks: Sequence[float]) -> list[str]:
    """Return words for the ticks of a figure's axis, no two the same."""
    words = [told(name, tick) for tick in ticks]
    if len(set(words)) == len(words):
        return words
    return [exact(tick) if name.endswith("_s") else f"{tick:.6g}" for tick in ticks]


def effect_plot(
    key: str,
    name: str,
    judged: str,
    values: Sequence[Mapping[str, Any]],
    ends: tuple[float, float],
) -> Markup:
    """Return a dot for each value of a setting, with its interval, on the scale of `ends`."""
    ticks = ticks_between(*ends, judged.endswith("_s"))
    x = linear(ticks[0], ticks[-1], WORDS_LEFT, WIDTH - 3 * RIGHT)
    bottom = 12 + ROW * len(values)
    shown: list[Content] = []
    for tick, words in zip(ticks, tick_words(judged, ticks), strict=True):
        shown.append(line(x(tick), 6, x(tick), bottom, "grid"))
        shown.append(label(x(tick), bottom + 18, words, class_="small"))
    for number, one in enumerate(values):
        y = 12 + ROW * (number + 0.5)
        low, high = one["interval"] or (one["mean"], one["mean"])
        tip = f"{spelled(one['value'])}: {told(judged, one['mean'])}"
        shown += [
            label(WORDS_LEFT - 12, y + 4, spelled(one["value"])[:MOST_LETTERS], "end"),
            line(x(low), y, x(high), y, "curve"),
            element("circle", element("title", tip), cx=x(one["mean"]), cy=y, r=5, class_="dot"),
        ]
    shown.append(
        label((x(ticks[0]) + x(ticks[-1])) / 2, bottom + 38, named(judged), class_="quiet")
    )
    text = f"The mean of {named(judged)} for each value of {name}, over all other settings."
    return figure(key, name, text, bottom + 46, *shown)


def trade_off(
    found: Mapping[str, Any], points: Sequence[Mapping[str, Any]], judged: str, beside: str
) -> Markup:
    """Return all points by two figures; those that no other beats in both are told by number."""
    height, bottom, top = 380, 330, 16
    ups = [one["figures"][judged] for one in points]
    across = [one["figures"][beside] for one in points]
    up_ticks = ticks_between(min(ups), max(ups), judged.endswith("_s"))
    across_ticks = ticks_between(min(across), max(across), beside.endswith("_s"))
    y = linear(up_ticks[0], up_ticks[-1], bottom, top)
    x = linear(across_ticks[0], across_ticks[-1], LEFT + 10, WIDTH - 3 * RIGHT)
    shown: list[Content] = [rows_of_ticks(up_ticks, y, tick_words(judged, up_ticks))]
    for tick, words in zip(across_ticks, tick_words(beside, across_ticks), strict=True):
        shown.append(label(x(tick), bottom + 18, words, class_="small"))
    shown.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    for one in points:
        at_x, at_y = x(one["figures"][beside]), y(one["figures"][judged])
        words = settings_words(one["settings"], found["varied"])
        tip = f"point {one['point']} ({words}): {told(judged, one['figures'][judged])}"
        class_ = "late" if one["point"] == found["base"] else "dot"
        shown.append(element("circle", element("title", tip), cx=at_x, cy=at_y, r=5, class_=class_))
        if len(points) <= MOST_LETTERS:
            shown.append(label(at_x + 9, at_y + 4, str(one["point"]), "start", "small"))
    shown.append(label((LEFT + WIDTH) / 2, bottom + 40, named(beside), class_="quiet"))
    text = (
        f"Up: {named(judged)}. Across: {named(beside)}. A dot for each point; the first of all,"
        " which others are compared with, in another colour."
    )
    return figure("trade-off", "Points", text, height, *shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Means of an amount over spans of equal length, from the begin on."""

    name: str
    step_s: int
    values: Sequence[float]


def curves(
    key: str, title: str, found: Sequence[Curve], *, as_share: bool, marked: tuple[int, int]
) -> Markup:
    """Return two curves over time; what lies between the marked seconds is set off."""
    height, bottom, top = 260, 214, 30
    span_s = max(one.step_s * len(one.values) for one in found)
    most = 1.0 if as_share else max((value for one in found for value in one.values), default=1.0)
    ups, across = ticks_between(0, most or 1.0, False), ticks_between(0, span_s, True)
    y = linear(0, ups[-1], bottom, top)
    x = linear(0, span_s, LEFT, WIDTH - RIGHT)
    first, last = (x(min(one, span_s)) for one in marked)
    shown: list[Content] = [bar(first, top, last - first, bottom - top, "shade", "drawn below")]
    names = [f"{one:.0%}" if as_share else f"{one:,.0f}" for one in ups]
    shown.append(rows_of_ticks(ups, y, names))
    for tick in (one for one in across if one <= span_s):
        shown.append(label(x(tick), bottom + 18, told("at_s", tick), class_="small"))
    for number, (one, class_) in enumerate(zip(found, ("other", "curve"), strict=True)):
        points = [
            f"{x(min((n + 0.5) * one.step_s, span_s)):.1f},{y(value):.1f}"
            for n, value in enumerate(one.values)
        ]
        shown.append(element("polyline", points=" ".join(points), class_=class_))
        at = LEFT + 150 * number
        shown.append(line(at, 12, at + 16, 12, class_))
        shown.append(label(at + 22, 16, one.name, "start", "small"))
    shown.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    shown.append(label((LEFT + WIDTH) / 2, bottom + 38, "since the begin", class_="quiet"))
    text = f"{title} through time, of {' and of '.join(one.name for one in found)}."
    return figure(key, title, text, height, *shown)
