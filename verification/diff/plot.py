"""By how much waits change, class by class, as a picture: dots with the intervals they lie in."""

from collections.abc import Mapping
from typing import Any

from verification.report.axes import linear, nice_seconds
from verification.report.markup import Content, Markup, element
from verification.report.plots import WIDTH, figure, label, line
from verification.report.words import exact, seconds

LEFT, RIGHT, STEP = 190, 24, 22


def changes(key: str, title: str, classes: Mapping[str, Mapping[str, Any]]) -> Markup:
    """Return one line for each class: its change of the mean wait, and the interval.

    Left of zero it waits less. Intervals that hold zero are drawn quietly.
    """
    top, height = 34, 62 + STEP * len(classes)
    edges = [one[name] or 0.0 for one in classes.values() for name in ("low", "high", "change")]
    ticks = [tick for tick in nice_seconds(max([60.0, *map(abs, edges)])) if tick]
    most = ticks[-1]
    x = linear(-most, most, LEFT, WIDTH - RIGHT)
    bottom = top + STEP * len(classes)
    shown: list[Content] = []
    for value in (*(-tick for tick in ticks), 0.0, *ticks):
        shown.append(line(x(value), top - 6, x(value), bottom, "grid" if value else "axis"))
        told = f"{'-' if value < 0 else '+'}{exact(abs(value))}" if value else "0"
        shown.append(label(x(value), bottom + 16, told, class_="small"))
    shown.append(label(x(0) - 12, 18, "waits less", "end", "small"))
    shown.append(label(x(0) + 12, 18, "waits longer", "start", "small"))
    for number, (name, one) in enumerate(classes.items()):
        y = top + STEP * (number + 0.5)
        kind = _kind(one)
        shown.append(label(LEFT - 10, y + 4, f"{name} ({one['jobs']})", "end"))
        if one["low"] is not None:
            shown.append(line(x(one["low"]), y, x(one["high"]), y, f"span {kind}"))
        tip = f"{name}: {seconds(one['base'])} before, {seconds(one['new'])} after"
        shown.append(
            element("circle", element("title", tip), cx=x(one["change"]), cy=y, r=4.5, class_=kind)
        )
    text = "Change of the mean wait of each class, with the interval that it lies in."
    return figure(key, title, text, height, *shown)


def _kind(one: Mapping[str, Any]) -> str:
    if not one["detected"]:
        return "before"
    return "worse" if one["change"] > 0 else "better"
