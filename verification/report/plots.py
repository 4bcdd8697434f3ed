"""Plots drawn as SVG: error by lead, reliability, and the distribution of errors."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from verification.report.axes import DURATIONS_S, Scale, linear, magnitude
from verification.report.markup import Content, Markup, element, together
from verification.report.words import exact, seconds

WIDTH = 640
LEFT = 64
RIGHT = 16


def figure(key: str, title: str, text: str, height: int, *content: Content) -> Markup:
    """Return a plot that also tells what it shows to those who cannot see it."""
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", text, id=f"{key}-desc"),
        *content,
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        xmlns="http://www.w3.org/2000/svg",
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def label(x: float, y: float, text: str, anchor: str = "middle", class_: str = "") -> Markup:
    """Return words at a place; `anchor` is `start`, `middle` or `end`."""
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=class_ or None)


def bar(x: float, y: float, width: float, height: float, class_: str, tip: str = "") -> Markup:
    """Return a rectangle, with a tip that shows where a pointer rests."""
    return element(
        "rect",
        element("title", tip) if tip else None,
        x=x,
        y=y,
        width=max(width, 0.0),
        height=max(height, 0.0),
        class_=class_,
    )


def rows_of_ticks(ticks: Sequence[float], place: Scale, told: Sequence[str]) -> Markup:
    """Return the lines of a grid from left to right, with words at the left."""
    return together(
        *(
            together(
                line(LEFT, place(tick), WIDTH - RIGHT, place(tick), "grid"),
                label(LEFT - 8, place(tick) + 4, text, "end"),
            )
            for tick, text in zip(ticks, told, strict=True)
        )
    )


def error_by_lead(
    leads: Mapping[str, Mapping[str, Any]], theirs: Mapping[str, Mapping[str, Any]]
) -> Markup:
    """Return mean and median error by how far ahead a start was said, and the batch system's."""
    height, bottom, top = 300, 252, 30
    values = [one[name] or 0 for one in leads.values() for name in ("mae_s", "median_abs_s")]
    values += [one.get("mae_s") or 0 for one in theirs.values()]
    most = max(values, default=0) or 60
    ticks = [tick for tick in DURATIONS_S if tick <= 1.6 * most]
    place = linear(0, magnitude(most * 1.1), bottom, top)
    shown: list[Content] = [
        rows_of_ticks([magnitude(t) for t in ticks], place, [exact(t) for t in ticks])
    ]
    step = (WIDTH - LEFT - RIGHT) / max(1, len(leads))
    for number, (name, one) in enumerate(leads.items()):
        middle = LEFT + step * (number + 0.5)
        third = min(30.0, step / 4)
        for shift, key, class_ in ((-third, "mae_s", "mean"), (0.0, "median_abs_s", "median")):
            if one[key] is not None:
                y = place(magnitude(one[key]))
                shown.append(
                    bar(middle + shift, y, third - 2, bottom - y, class_, seconds(one[key]))
                )
        other = theirs.get(name, {}).get("mae_s")
        if other is not None:
            y = place(magnitude(other))
            shown.append(line(middle - third - 4, y, middle + third + 2, y, "theirs"))
        shown.append(label(middle, bottom + 18, name))
        shown.append(label(middle, bottom + 34, f"{one['jobs_scored']} jobs", class_="quiet"))
    shown.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    shown.append(
        _key((("mean", "mean"), ("median", "median"), ("theirs", "batch system's own, mean")))
    )
    text = "Absolute error, on a logarithmic scale, by how far ahead the start was said to be."
    return figure("lead", "Error by lead", text, height, *shown)


def reliability(pit: Sequence[float]) -> Markup:
    """Return which share of starts came by each told level; on the diagonal all is as told.

    `pit`: how many starts, or what weight of them, lie in each part of equal level; not empty.
    """
    height, bottom, top = 340, 296, 16
    x, y = linear(0, 1, LEFT, WIDTH - RIGHT), linear(0, 1, bottom, top)
    ticks = [k / 5 for k in range(6)]
    shown: list[Content] = [rows_of_ticks(ticks, y, [f"{t:.0%}" for t in ticks])]
    shown += [label(x(t), bottom + 18, f"{t:.0%}") for t in ticks]
    shown += [
        label((LEFT + WIDTH - RIGHT) / 2, bottom + 36, "told: starts by then with", class_="quiet"),
        line(x(0), y(0), x(1), y(1), "ideal"),
    ]
    total = sum(pit) or 1.0
    shares = [0.0, *(one / total for one in accumulate(pit))]
    points = [(k / len(pit), share) for k, share in enumerate(shares)]
    path = " ".join(f"{x(told):.1f},{y(real):.1f}" for told, real in points)
    shown.append(element("polyline", points=path, class_="curve"))
    shown += [
        element(
            "circle",
            element("title", f"told {told:.0%}, real {real:.0%}"),
            cx=x(told),
            cy=y(real),
            r=4,
            class_="dot",
        )
        for told, real in points
    ]
    text = "Across: the level told. Up: the share of starts that came by then."
    return figure("reliability", "Reliability", text, height, *shown)


EDGES_S = (-86_400, -21_600, -3600, -600, -60, -10, 10, 60, 600, 3600, 21_600, 86_400)


def error_distribution(errors_s: Sequence[int], published: Mapping[str, Any]) -> Markup:
    """Return how errors are spread, and below it where JuFo's mean and sigma lay."""
    height, bottom, top = 340, 232, 24
    counts = shares_between(errors_s)
    most = max(counts, default=0) or 1
    x = linear(-len(EDGES_S) / 2 - 0.5, len(EDGES_S) / 2 + 0.5, LEFT, WIDTH - RIGHT)
    y = linear(0, most, bottom, top)
    ticks = [most * k / 4 for k in range(5)]
    shown: list[Content] = [rows_of_ticks(ticks, y, [f"{t:.0%}" for t in ticks])]
    width = x(1) - x(0)
    for number, part in enumerate(counts):
        left = LEFT + number * width
        words = f"{_stretch(number)}: {part:.1%}"
        class_ = "hit" if number == len(EDGES_S) // 2 else "spread"
        shown.append(bar(left + 1, y(part), width - 2, bottom - y(part), class_, words))
    shown.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    for number, edge in enumerate(EDGES_S):
        name = ("-" if edge < 0 else "+") + exact(abs(edge))
        shown.append(label(LEFT + (number + 1) * width, bottom + 16, name, class_="tiny"))
    shown += [
        label(LEFT, bottom + 36, "started earlier than said", "start", "quiet"),
        label(WIDTH - RIGHT, bottom + 36, "later than said", "end", "quiet"),
    ]
    shown.append(_spreads(errors_s, published, bottom + 62, width))
    text = "Shares of jobs by real minus said start, between edges that grow."
    return figure("distribution", "Distribution of errors", text, height, *shown)


def shares_between(errors_s: Sequence[int]) -> Sequence[float]:
    """Return the share of errors below the first edge, between each two, and beyond the last."""
    counts = [0] * (len(EDGES_S) + 1)
    for error in errors_s:
        counts[sum(error >= edge for edge in EDGES_S)] += 1
    total = len(errors_s) or 1
    return [count / total for count in counts]


def _spreads(
    errors_s: Sequence[int], published: Mapping[str, Any], top: float, width: float
) -> Markup:
    """Return one line each for here and JuFo: from mean - sigma to mean + sigma."""
    count = len(errors_s)
    mean = sum(errors_s) / count if count else 0.0
    sigma = (sum((one - mean) ** 2 for one in errors_s) / count) ** 0.5 if count else 0.0
    rows = (
        ("here", mean, sigma, "hit"),
        ("JuFo", published["mean_s"] or 0.0, published["sigma_s"] or 0.0, "spread"),
    )
    shown = []
    for number, (name, middle, spread, class_) in enumerate(rows):
        y = top + 18 * number
        low, high = (_along(one, width) for one in (middle - spread, middle + spread))
        tip = f"mean {middle:.0f} s, sigma {spread:.0f} s"
        shown += [
            label(LEFT - 8, y + 4, name, "end"),
            bar(low, y - 4, high - low, 8, class_, tip),
            line(_along(middle, width), y - 7, _along(middle, width), y + 7, "axis"),
            label(high + 8, y + 4, tip, "start", "small"),
        ]
    return together(*shown)


def _along(error_s: float, width: float) -> float:
    """Return where an error lies among the edges."""
    edges = (2 * EDGES_S[0], *EDGES_S, 2 * EDGES_S[-1])
    number = min(max(sum(error_s >= edge for edge in edges) - 1, 0), len(edges) - 2)
    low, high = edges[number], edges[number + 1]
    return LEFT + width * (number + min(max((error_s - low) / (high - low), 0.0), 1.0))


def _stretch(number: int) -> str:
    if number == 0:
        return f"more than {exact(-EDGES_S[0])} early"
    if number == len(EDGES_S):
        return f"more than {exact(EDGES_S[-1])} late"
    return f"{exact(EDGES_S[number - 1])} to {exact(EDGES_S[number])}"


def _key(entries: Sequence[tuple[str, str]]) -> Markup:
    """Return what the colours stand for, at the top."""
    shown, x = [], LEFT
    for class_, words in entries:
        mark = line(x, 14, x + 14, 14, class_) if class_ == "theirs" else bar(x, 8, 12, 12, class_)
        shown += [mark, label(x + 20, 18, words, "start", "small")]
        x += 40 + 7 * len(words)
    return together(*shown)
