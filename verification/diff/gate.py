"""By how much figures may get worse: bounds as given on the command line."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verification.diff.draws import KINDS
from verification.diff.figures import Document
from verification.gate import UNITS, with_unit
from verification.measures import MEASURES

_BOUND = re.compile(r"(?P<name>[^=,]+)=(?P<sign>[+-]?)(?P<number>\d+(?:\.\d+)?)(?P<unit>[a-z%]*)")
_NAMES = {"starved", *MEASURES, *(name.removesuffix("_s") for name in MEASURES)}
EXAMPLE = "mean_wait_s=+10%,utilisation=-2%,qos.low=+30m,starved=0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The worst that may become of a figure."""

    name: str
    """A measure, `starved`, or kind and name of a class whose mean wait is meant (`qos.low`)."""
    worst: float
    """By so much it may change if `relative`, or to so much; a share if `percent`."""
    relative: bool
    percent: bool
    text: str
    """As it was given."""


def parse(text: str) -> tuple[Bound, ...]:
    """Return the bounds of a list such as EXAMPLE. Raises ValueError, also for what no figure is.

    With a sign a bound is on the change, else on the figure under the new configuration.
    """
    pieces = [piece.strip() for piece in text.split(",") if piece.strip()]
    if not pieces:
        raise ValueError(f"expected bounds such as {EXAMPLE}")
    return tuple(map(_bound, pieces))


def _bound(text: str) -> Bound:
    found = _BOUND.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r}: expected a figure and its bound, as in {EXAMPLE}")
    unit, number = found["unit"], float(found["number"])
    if unit not in ("", "%", *UNITS):
        raise ValueError(f"{text!r}: expected one of the units {', '.join(UNITS)} or %")
    name = found["name"].strip()
    if name not in _NAMES and name.partition(".")[0] not in KINDS:
        raise ValueError(_unknown(name))
    value = number / 100 if unit == "%" else number * UNITS.get(unit, 1)
    return Bound(
        name=name,
        worst=-value if found["sign"] == "-" else value,
        relative=bool(found["sign"]),
        percent=unit == "%",
        text=text,
    )


def complaints(found: Document, bounds: Sequence[Bound]) -> list[str]:
    """Return a sentence for each bound that does not hold; none: all do.

    A change that may be luck breaks no bound on the change. A figure that is not known breaks its
    bound, and so does a change of which too few draws tell whether it may be. Raises ValueError
    for a name that there is not.
    """
    return [said for bound in bounds for said in _complaint(found, bound)]


def _complaint(found: Document, bound: Bound) -> Iterator[str]:
    if bound.name == "starved":
        if found["starved"] > bound.worst:
            yield f"{found['starved']} jobs starve, allowed by {bound.text}: {bound.worst:g}"
        return
    figure = _figure(found, bound.name)
    if figure is None:
        yield f"{bound.name} is not known, so {bound.text} cannot be said to hold"
    elif bound.relative and figure["low"] is None:
        yield f"{bound.name}: too few draws to say whether {bound.text} holds"
    elif bound.relative and figure["detected"]:
        moved = figure["share"] if bound.percent else figure["change"]
        if moved is None or _beyond(moved, bound.worst, figure.get("better", -1)):
            by = "from nothing" if moved is None else f"by {_told(bound, moved)}"
            yield f"{bound.name} changes {by}, allowed by {bound.text}"
    elif not bound.relative and _beyond(figure["new"], bound.worst, figure.get("better", -1)):
        told = with_unit(figure["new"]) if _in_seconds(bound.name) else f"{figure['new']:g}"
        yield f"{bound.name} becomes {told}, allowed by {bound.text}"


def _beyond(value: float, worst: float, better: int) -> bool:
    return value > worst if better < 0 else value < worst


def _figure(found: Document, name: str) -> Mapping[str, Any] | None:
    measures: Mapping[str, Mapping[str, Any] | None] = found["measures"]
    for full in (name, f"{name}_s"):
        if full in measures:
            return measures[full]
    kind, _, of = name.partition(".")
    classes: Mapping[str, Mapping[str, Any]] = found["classes"].get(kind, {})
    if of in classes:
        return classes[of]
    raise ValueError(_unknown(name))


def _unknown(name: str) -> str:
    known = [*MEASURES, "starved", *(f"{kind}.NAME" for kind in KINDS)]
    return f"there is no figure {name}; there are {', '.join(known)}"


def _told(bound: Bound, moved: float) -> str:
    if bound.percent:
        return f"{100 * moved:+.1f} %"
    return with_unit(moved, "+") if _in_seconds(bound.name) else f"{moved:+g}"


def _in_seconds(name: str) -> bool:
    """Return whether that figure is a duration: of classes it is the mean wait."""
    return "." in name or name.endswith("_s") or f"{name}_s" in MEASURES
