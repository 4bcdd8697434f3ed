"""What an experiment came to, read from the document that one of our commands wrote.

Their formats are documented in `verification/README.md`; whoever writes them is not trusted.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from predictor.cli.terminal import plain
from predictor.domain.durations import duration
from predictor.web.tries import DAMAGED

LONGEST = 200
MOST_FIGURES = 2_000
LARGEST = 1e15
WORDS: Mapping[str, str] = {
    "jobs_scored": "jobs scored",
    "answered": "answered",
    "mae_s": "mean absolute error",
    "median_abs_s": "median absolute error",
    "p90_abs_s": "90 % are off by at most",
    "bias_s": "bias, said minus real",
    "within_600s": "within 10 minutes",
    "coverage80": "80 % windows hold",
    "width80_median_s": "width of 80 % windows, median",
    "broken95": "95 % promises broken",
    "kendall_tau": "agreement in order",
}
"""What is told of a judgement, by its name there."""
SHARES = frozenset(
    {
        "answered",
        "within_600s",
        "coverage80",
        "broken95",
        "utilisation",
        "fragmentation",
        "allocation_efficiency",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One of its figures."""

    name: str
    """As documents call it; those of seconds end in `_s`."""
    value: float
    note: str = ""
    """What else is said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All of them."""

    kind: str = ""
    on: tuple[str, ...] = ()
    """The days or traces that it was tried on."""
    figures: Mapping[str, Figure]
    """By what they are, in words."""


NOTHING: Final = Found(figures={})


def found_in(document: bytes | None) -> Found:
    """Return what a document tells; NOTHING for what is none of ours."""
    with suppress(*DAMAGED):
        told = json.loads(document or b"")
        kind = str(told["schema"])
        figures = {words: one for words, one in READERS[kind](told) if abs(one.value) < LARGEST}
        if len(figures) <= MOST_FIGURES:
            return Found(kind=kind, on=tuple(_on(told)), figures=figures)
    return NOTHING


def amount(figure: Figure, value: float | None = None) -> str:
    """Return a figure with its unit, or another value of the same."""
    shown = figure.value if value is None else value
    if figure.name in SHARES:
        return f"{100 * shown:.1f} %"
    if figure.name.endswith("_s"):
        return f"{'-' if shown <= -1 else ''}{duration(int(abs(shown)))}"
    return f"{shown:,.0f}" if abs(shown) >= 1_000 or shown == int(shown) else f"{shown:.3g}"


def further(first: Figure, second: Figure) -> str:
    """Return by how much the second is more than the first, with a sign; `same`: by nothing."""
    more = second.value - first.value
    told = amount(first, more)
    if first.name in SHARES:
        told = told.removesuffix("%") + "points"
    if told == amount(first, 0.0) or more == 0:
        return "same"
    return told if more < 0 else f"+{told}"


def _judged(told: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    for mode, figures in told["modes"].items():
        for name, words in WORDS.items():
            if (value := _number(figures.get(name))) is not None:
                yield f"{mode}: {words}", Figure(name=name, value=value)


def _compared(told: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    for name, one in told["measures"].items():
        if one is not None and (value := _number(one["new"])) is not None:
            base = Figure(name=name, value=float(one["base"]))
            note = f"{amount(base)} without the change{_doubt(one)}"
            yield str(one["words"]), Figure(name=name, value=value, note=note)


def _doubt(one: Mapping[str, Any]) -> str:
    if one.get("low", 0) is None:
        return ", too few draws to say whether by luck"
    return "" if one["detected"] else ", no detectable change"


def _swept(told: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    for point in told["points"]:
        settings = ", ".join(f"{name} {value}" for name, value in point["settings"].items())
        for name, of_point in point["figures"].items():
            if (value := _number(of_point)) is not None:
                own = name == told["judged"] and point["verdict"] is not None
                note = f"against the first point: {point['verdict']}".replace("_", " ")
                words = name.removesuffix("_s").replace("_", " ")
                told_by = plain(note, LONGEST) if own else ""
                yield f"{settings}: {words}", Figure(name=name, value=value, note=told_by)


def _on(told: Mapping[str, Any]) -> Iterator[str]:
    for one in told.get("recordings", ()):
        yield plain(f"{one['name']} {one.get('from', '')} to {one.get('to', '')}", LONGEST)
    for name in told.get("inputs", ()):
        yield plain(str(name), LONGEST)


def _number(value: object) -> float | None:
    fine = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if fine else None  # type: ignore[arg-type]


READERS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[tuple[str, Figure]]]] = {
    "queuecast.verify/1": _judged,
    "queuecast.diff/1": _compared,
    "queuecast.sweep/1": _swept,
}
