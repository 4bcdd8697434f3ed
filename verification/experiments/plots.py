"""Plots of experiments on one trace, one beside the other."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from predictor.domain.durations import DAY_S, HOUR_S
from verification.measures import MEASURES
from verification.report.axes import DURATIONS_S, linear, magnitude, nice_ticks
from verification.report.markup import Content, Markup, element, together
from verification.report.plots import LEFT, RIGHT, WIDTH, bar, figure, label, line, rows_of_ticks
from verification.report.words import exact, told

MOST_WAYS: Final = 8
"""So many experiments are told apart in one plot."""
ROW: Final = 22
WORDS_LEFT: Final = 230
HEIGHT: Final = 250
LETTER: Final = 6.4
POWERS: Final = tuple(10.0**power for power in range(-1, 8))

Cell = Mapping[str, Any]
Named = Sequence[tuple[str, Cell]]
"""Experiments with the words that tell them apart."""
Point = tuple[float, float]


def bars(named: Named, figure_name: str, key: str) -> Markup:
    """Return one figure of each experiment, as bars."""
    title = MEASURES[figure_name].words.capitalize()
    values = [cell["figures"][figure_name] or 0.0 for _, cell in named]
    most = max(values) or 1.0
    x = linear(0, most, WORDS_LEFT, WIDTH - 90)
    shown: list[Content] = []
    for number, ((words, _), value) in enumerate(zip(named, values, strict=True)):
        y = 8 + ROW * number
        text = told(figure_name, value)
        shown += [
            label(WORDS_LEFT - 8, y + 13, words, "end"),
            bar(WORDS_LEFT, y + 2, x(value) - WORDS_LEFT, ROW - 7, "mean", f"{words}: {text}"),
            label(x(value) + 6, y + 13, text, "start", "small"),
        ]
    text = f"{title} of each experiment; the bars begin at 0."
    return figure(key, title, text, 16 + ROW * len(named), *shown)


def waits(named: Named, key: str) -> Markup:
    """Return which share of the jobs waited no longer than how long."""
    longest = max((cell["curves"]["waits"] or [(0, 0)])[-1][0] for _, cell in named)
    curves = [
        [(magnitude(wait), share) for wait, share in _from_nothing(cell["curves"]["waits"])]
        for _, cell in named
    ]
    ticks = [(magnitude(0), "0 s")]
    ticks += [(magnitude(one), exact(one)) for one in DURATIONS_S if one <= 1.1 * longest]
    text = "Across: the wait, on a logarithmic scale. Up: the share of jobs that waited no longer."
    across = (0.0, magnitude(max(longest, 10)), ticks)
    return _curves(key, "Waits", text, named, curves, across, [k / 4 for k in range(5)], _share)


def _from_nothing(points: Sequence[Point]) -> list[Point]:
    """Return the curve as steps, which begin with nobody."""
    steps, before = [], 0.0
    for wait, share in points:
        steps += [(wait, before), (wait, share)]
        before = share
    return steps


def over_time(named: Named, curve: str, title: str, key: str) -> Markup:
    """Return how an amount went along with time."""
    curves = []
    for _, cell in named:
        span_s, values = cell["curves"]["span_s"], cell["curves"][curve]
        curves.append([(span_s * (at + 0.5), value) for at, value in enumerate(values)])
    longest = max((points[-1][0] for points in curves if points), default=1.0)
    most = max((value for points in curves for _, value in points), default=1.0)
    unit, words = (DAY_S, "d") if longest > 3 * DAY_S else (HOUR_S, "h")
    ticks = [(t * unit, f"{t:g} {words}") for t in nice_ticks(longest / unit)]
    ticks = [tick for tick in ticks if tick[0] <= longest]
    told_share = curve == "utilisation"
    ups = [k / 4 for k in range(5)] if told_share else list(nice_ticks(most, 4))
    text = f"Across: time since the first submission. Up: {title.lower()}, mean of each span."
    return _curves(
        key, title, text, named, curves, (0.0, longest, ticks), ups,
        _share if told_share else _count,
    )  # fmt: skip


def dispatch(named: Named, key: str) -> Markup:
    """Return the CPU time of asking the scheduler, by how many jobs wait."""
    curves = [
        [
            (math.log10(one["waiting"]), math.log10(max(one["cpu_us"], 0.1)))
            for one in cell["curves"]["dispatch"]
        ]
        for _, cell in named
    ]
    points = [point for curve in curves for point in curve] or [(0.0, 0.0)]
    most_x = max(max(x for x, _ in points), 1.0)
    low, high = (round_(limit(y for _, y in points)) for round_, limit in ENDS)
    ticks = [(math.log10(one), f"{one:,.0f}") for one in POWERS if 0 <= math.log10(one) <= most_x]
    ups = [float(power) for power in range(low, max(high, low + 1) + 1)]
    text = (
        "Across: how many jobs wait, up to. Up: the mean CPU time of asking the scheduler whom to"
        " start, placing and starting them included. Both scales are logarithmic."
    )
    title = "CPU per dispatch, by jobs that wait"
    return _curves(key, title, text, named, curves, (0.0, most_x, ticks), ups, _microseconds)


ENDS: Final[Sequence[tuple[Callable[[float], int], Callable[..., float]]]] = (
    (math.floor, min),
    (math.ceil, max),
)


def _curves(
    key: str,
    title: str,
    text: str,
    named: Named,
    curves: Sequence[Sequence[Point]],
    across: tuple[float, float, Sequence[tuple[float, str]]],
    ups: Sequence[float],
    spelled: Callable[[float], str],
) -> Markup:
    """Return a curve for each experiment; `across` has both ends and the ticks."""
    legend, top = _legend([words for words, _ in named])
    bottom = top + HEIGHT - 70
    x = linear(across[0], across[1], LEFT, WIDTH - RIGHT - 14)
    y = linear(ups[0], ups[-1], bottom, top)
    shown: list[Content] = [legend, rows_of_ticks(ups, y, [spelled(one) for one in ups])]
    shown += [label(x(tick), bottom + 18, words, class_="small") for tick, words in across[2]]
    for number, points in enumerate(curves):
        path = " ".join(f"{x(one):.1f},{y(up):.1f}" for one, up in points)
        shown.append(element("polyline", points=path, class_=f"way way{number}"))
    shown.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis"))
    return figure(key, title, text, bottom + 30, *shown)


def _legend(names: Sequence[str]) -> tuple[Markup, int]:
    """Return what the colours stand for, and where the plot begins below it."""
    shown: list[Markup] = []
    x, y = float(LEFT), 12
    for number, words in enumerate(names):
        width = 34 + LETTER * len(words)
        if x + width > WIDTH and x > LEFT:
            x, y = float(LEFT), y + 18
        shown += [
            line(x, y, x + 16, y, f"way way{number}"),
            label(x + 21, y + 4, words, "start", "small"),
        ]
        x += width
    return together(*shown), y + 22


def _share(value: float) -> str:
    return f"{value:.0%}"


def _count(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 or not value else f"{value:.2g}"


def _microseconds(power: float) -> str:
    value = 10.0**power
    if value >= 1e6:
        return f"{value / 1e6:g} s"
    return f"{value / 1000:g} ms" if value >= 1000 else f"{value:g} µs"
