"""Plots of a real workload beside a generated one."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from verification.report.axes import DURATIONS_S, Scale, linear, magnitude, nice_ticks
from verification.report.markup import Content, Markup, element, together
from verification.report.plots import LEFT, RIGHT, WIDTH, bar, figure, label, line, rows_of_ticks
from verification.report.words import exact
from verification.workloads.compare import Compared
from verification.workloads.panels import MONTH_NAMES, RANKS, WEEKDAYS, Aspect, Parts, Values

HEIGHT: Final = 264
TOP: Final = 34
BOTTOM: Final = 216
POINTS: Final = 200
"""So many points has the curve of a distribution."""
NUMBERS: Final = (0, 1, 10, 100, 1000, 10_000, 100_000)
SECONDS: Final = (0, 1, *DURATIONS_S, 10**8, 10**10)
TIMES: Final = (1e-4, 1e-2, 1.0, 1e2, 1e4)
NAMES: Final[Mapping[str, Sequence[str]]] = {
    "slots": [f"{slot // 2}:00" if slot % 8 == 0 else "" for slot in range(48)],
    "weekdays": WEEKDAYS,
    "months": MONTH_NAMES,
    "ranks": [f"{rank} %" if rank % 20 == 0 else "" for rank in range(RANKS)],
}


def plot(key: str, aspect: Aspect, compared: Compared) -> Markup:
    """Return one look at both: shares as bars, or distributions as curves."""
    real, generated = compared.real, compared.generated
    if isinstance(real, Values) and isinstance(generated, Values):
        shown, text = _curves(aspect.unit, real.values, generated.values)
    elif isinstance(real, Parts) and isinstance(generated, Parts):
        shown, text = _bars(aspect.unit, real.shares, generated.shares)
    return figure(key, aspect.title, text, HEIGHT, *shown)


def _bars(
    unit: str, real: Sequence[float | None], generated: Sequence[float | None]
) -> tuple[list[Content], str]:
    names, count = NAMES[unit], len(real)
    most = max(share for share in (*real, *generated) if share is not None)
    ticks = nice_ticks(most, 4)
    y = linear(0, ticks[-1], BOTTOM, TOP)
    step = (WIDTH - LEFT - RIGHT) / count
    shown: list[Content] = [
        _legend(bar(LEFT, 6, 12, 12, "median"), line(LEFT + 62, 12, LEFT + 76, 12, "theirs")),
        rows_of_ticks(ticks, y, [f"{100 * one:.3g} %" for one in ticks]),
    ]
    for number, (ours, theirs) in enumerate(zip(real, generated, strict=True)):
        left = LEFT + step * number
        if ours is not None:
            tip = f"{names[number]} real: {ours:.2%}".strip()
            shown.append(bar(left + 0.5, y(ours), step - 1, BOTTOM - y(ours), "median", tip))
        if theirs is not None:
            shown.append(line(left, y(theirs), left + step, y(theirs), "theirs"))
        shown.append(label(left + (step / 2 if step > 20 else 0), BOTTOM + 18, names[number]))
    shown.append(line(LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM, "axis"))
    return shown, "Across: the parts in their order. Up: the share of jobs in each."


def _curves(
    unit: str, real: Sequence[float], generated: Sequence[float]
) -> tuple[list[Content], str]:
    low, high = min(real[0], generated[0]), max(real[-1], generated[-1])
    x, ticks = _across(unit, low, high)
    y = linear(0, 1, BOTTOM, TOP)
    shares = [part / 4 for part in range(5)]
    shown: list[Content] = [
        _legend(
            line(LEFT, 12, LEFT + 14, 12, "curve"), line(LEFT + 62, 12, LEFT + 76, 12, "other")
        ),
        rows_of_ticks(shares, y, [f"{share:.0%}" for share in shares]),
    ]
    for tick, words in ticks:
        shown += [
            line(x(tick), TOP, x(tick), BOTTOM, "grid"),
            label(x(tick), BOTTOM + 18, words),
        ]
    shown.append(line(LEFT, BOTTOM, WIDTH - RIGHT, BOTTOM, "axis"))
    for class_, values in (("curve", real), ("other", generated)):
        shown.append(element("polyline", points=_path(values, x, y), class_=class_))
    return shown, "Across: the value. Up: the share of jobs that do not exceed it."


def _path(values: Sequence[float], x: Scale, y: Scale) -> str:
    last = len(values) - 1
    points = [(values[last * part // POINTS], part / POINTS) for part in range(POINTS + 1)]
    return " ".join(f"{x(value):.1f},{y(share):.1f}" for value, share in points)


def _across(unit: str, low: float, high: float) -> tuple[Scale, list[tuple[float, str]]]:
    """Return the axis from left to right and its ticks in words."""
    if unit == "share":
        x = linear(0, 1.5, LEFT, WIDTH - RIGHT)
        return lambda value: x(min(value, 1.5)), [(t / 4, f"{t * 25} %") for t in range(7)]
    if unit == "times":
        x = linear(-4.5, 4.5, LEFT, WIDTH - RIGHT)
        ticks = [(time, f"{time:g}") for time in TIMES]
        return lambda value: x(min(max(math.log10(value), -4.5), 4.5)), ticks
    x = linear(magnitude(low, 1), magnitude(high, 1), LEFT, WIDTH - RIGHT)
    candidates = SECONDS if unit == "s" else NUMBERS
    fitting = [one for one in candidates if low <= one <= high]
    words = [exact(one) if unit == "s" and one < 10**8 else f"{one:,}" for one in fitting]
    return lambda value: x(magnitude(value, 1)), list(zip(fitting, words, strict=True))


def _legend(*marks: Markup) -> Markup:
    return together(
        *marks,
        label(LEFT + 20, 16, "real", "start", "small"),
        label(LEFT + 82, 16, "generated", "start", "small"),
    )
