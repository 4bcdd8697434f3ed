"""Thresholds that figures must not cross, as given on the command line."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from predictor.domain.durations import DAY_S, HOUR_S, MINUTE_S
from verification.report.words import seconds

UNITS: Final[Mapping[str, int]] = {"s": 1, "m": MINUTE_S, "min": MINUTE_S, "h": HOUR_S, "d": DAY_S}
"""How many seconds each is; a figure in seconds may be bounded in any of them."""

LESS_IS_WORSE: Final = frozenset(
    {
        "agreement",
        "answered",
        "coverage80",
        "decisions_precision",
        "decisions_recall",
        "jobs_scored",
        "kendall_tau",
        "lowest",
        "scored_share",
        "within_60s",
        "within_600s",
        "within_1800s",
        "within_3600s",
        "within_factor2",
    }
)
"""The figures that have to be large; of all others less is better."""

SIGNED: Final = frozenset({"bias_s"})
"""The figures that are bad when far from 0, whichever way."""

BOUND = re.compile(r"(?P<name>[A-Za-z0-9_.]+)=(?P<number>\d+(?:\.\d+)?)(?P<unit>[a-z%]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The worst value that a figure may have."""

    name: str
    """As in the JSON; dots lead inwards: `baselines.slurm.mae_ratio`."""
    worst: float
    text: str
    """As it was given."""

    @property
    def at_least(self) -> bool:
        """Whether it is the least value rather than the most."""
        return self.name.rpartition(".")[2] in LESS_IS_WORSE


def parse_gate(text: str) -> tuple[Bound, ...]:
    """Return the bounds of a list such as `mae=30m,coverage80=0.75`.

    A duration has a unit, and its figure's name may lack `_s`; a share may be in percent. Raises
    ValueError, naming what is wrong and what would be right.
    """
    pieces = [piece.strip() for piece in text.split(",")]
    if not any(pieces):
        raise ValueError("expected bounds such as mae=30m,coverage80=0.75")
    return tuple(_bound(piece) for piece in pieces if piece)


def _bound(text: str) -> Bound:
    found = BOUND.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r}: expected a figure and its worst value, as in mae=30m")
    name, number, unit = found["name"], float(found["number"]), found["unit"]
    if unit == "%":
        return Bound(name=name, worst=number / 100, text=text)
    if not unit:
        return Bound(name=name, worst=number, text=text)
    if unit not in UNITS:
        raise ValueError(f"{text!r}: expected one of the units {', '.join(UNITS)} or %")
    name = name if name.endswith("_s") else f"{name}_s"
    return Bound(name=name, worst=number * UNITS[unit], text=text)


def check_gate(figures: Mapping[str, Any], bounds: Sequence[Bound]) -> list[str]:
    """Return a sentence for each bound that does not hold; none: all do.

    `figures` are those of one mode, by the names of the JSON. A figure that is not known yet does
    not pass. Raises ValueError for a name that none of the figures has.
    """
    return [complaint for bound in bounds if (complaint := _complaint(figures, bound))]


def check_modes(modes: Mapping[str, Mapping[str, Any]], bounds: Sequence[Bound]) -> list[str]:
    """Return what `check_gate` says of each mode, led by the mode's name.

    Of several modes, a bound counts for those that have its figure; one that begins with a mode's
    name (`online.mae_s`) for that one. Raises ValueError for a name that no mode has.
    """
    found = []
    for bound in bounds:
        mode, _, name = bound.name.partition(".")
        if mode in modes:
            said = check_gate(modes[mode], [replace(bound, name=name)])
            found += [f"{mode}: {one}" for one in said]
            continue
        having = [name for name, figures in modes.items() if _has(figures, bound)]
        if not having:
            raise ValueError(f"{bound.text!r}: {_unknown(bound, modes.values())}")
        for name in having:
            found += [f"{name}: {one}" for one in check_gate(modes[name], [bound])]
    return found


def _complaint(figures: Mapping[str, Any], bound: Bound) -> str:
    if not _has(figures, bound):
        raise ValueError(f"{bound.text!r}: {_unknown(bound, [figures])}")
    value = _value(figures, _name_in(figures, bound))
    name = _name_in(figures, bound)
    if value is None:
        return f"{name} is not known yet, so {bound.text} cannot be said to hold"
    if bound.at_least:
        return "" if value >= bound.worst else f"{name} is {value:g}, below {bound.worst:g}"
    size = abs(value) if name.rpartition(".")[2] in SIGNED else value
    if size <= bound.worst:
        return ""
    if name.endswith("_s"):
        return f"{name} is {with_unit(value)}, beyond {with_unit(bound.worst)}"
    return f"{name} is {value:g}, beyond {bound.worst:g}"


def with_unit(value: float, sign: str = "") -> str:
    """Return so many seconds, where it helps also in a larger unit: `3803.66 s (63.4 min)`."""
    exactly, large = f"{value:{sign}g} s", seconds(value)
    return exactly if large.endswith(" s") else f"{exactly} ({large})"


def _name_in(figures: Mapping[str, Any], bound: Bound) -> str:
    """Return the figure's full name: `mae` stands for `mae_s` where there is no other."""
    known = set(_names(figures))
    return bound.name if bound.name in known else f"{bound.name}_s"


def _has(figures: Mapping[str, Any], bound: Bound) -> bool:
    return _name_in(figures, bound) in set(_names(figures))


def _unknown(bound: Bound, modes: Iterable[Mapping[str, Any]]) -> str:
    names = sorted({name for figures in modes for name in _names(figures) if "." not in name})
    return f"there is no figure {bound.name}; there are {', '.join(names)}"


def _names(figures: Mapping[str, Any], outer: str = "") -> Iterator[str]:
    """Yield the names of all numbers, and of figures that are not known yet."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _names(value, f"{outer}{name}.")
        elif value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            yield f"{outer}{name}"


def _value(figures: Mapping[str, Any], name: str) -> float | None:
    found: Any = figures
    for key in name.split("."):
        found = found[key]
    return None if found is None else float(found)
