"""The page of two experiments side by side: what was asked of each, and what it came to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from predictor.cli.terminal import plain
from predictor.service.longwork.shelf import Ordered
from predictor.service.published import Published
from predictor.web.found import NOTHING, Found, amount, found_in, further
from predictor.web.frame import Frame
from predictor.web.tries import Try
from predictor.web.words import local

LONGEST = 1_000
MOST_ROWS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two."""

    name: str
    asked: Mapping[str, str]
    """What was asked of it, by name."""
    found: Found


def side_of_order(
    one: Ordered, document: bytes | None, current: Published | None, now: float
) -> Side:
    """Return one that the service made. `document` None: there are no figures."""
    found = found_in(document)
    told = one.order.model_dump(exclude={"kind"})
    at = one.ended_at or one.created_at
    return Side(
        name=one.id,
        asked={
            "what": one.order.kind,
            "on": ", ".join(found.on),
            "by": one.by,
            "state": one.state,
            "when": _local(at, current, now),
        }
        | {name: said(value) for name, value in told.items() if value not in (None, ())},
        found=found,
    )


def side_of_try(one: Try, current: Published | None, now: float) -> Side:
    """Return one that lies in the folder."""
    document = None
    with suppress(OSError):
        document = None if one.figures is None else one.figures.read_bytes()
    found = found_in(document)
    return Side(
        name=one.name,
        asked={
            "what": one.what,
            "on": ", ".join(found.on or one.inputs),
            "state": one.state,
            "when": _local(one.told_at, current, now),
            "settings": "; ".join(one.details),
        },
        found=found,
    )


def compare_page(
    current: Published | None, first: Side, second: Side, now: float, frame: Frame
) -> str:
    """Return the page as HTML."""
    if current is None:
        return frame.page("compare.html", None, now)
    rows = list(_figures(first.found, second.found))
    return frame.page(
        "compare.html",
        current,
        now,
        names=(plain(first.name, LONGEST), plain(second.name, LONGEST)),
        asked=list(_asked(first.asked, second.asked)),
        rows=rows[:MOST_ROWS],
        more=max(0, len(rows) - MOST_ROWS),
        unlike=_unlike(first, second),
    )


def said(value: object) -> str:
    """Return a setting as one line."""
    several = value if isinstance(value, tuple) else (value,)
    return "; ".join(line.strip() for one in several for line in str(one).splitlines())


def _asked(first: Mapping[str, str], second: Mapping[str, str]) -> Iterator[Sequence[Any]]:
    for name in _names(first, second):
        told = [plain(one.get(name, ""), LONGEST) for one in (first, second)]
        yield plain(name, LONGEST), *told, first.get(name) != second.get(name)


def _figures(first: Found, second: Found) -> Iterator[Mapping[str, Any]]:
    for words in _names(first.figures, second.figures):
        left, right = first.figures.get(words), second.figures.get(words)
        both = [("", "") if one is None else (amount(one), one.note) for one in (left, right)]
        more = "" if left is None or right is None else further(left, right)
        yield {"what": plain(words, LONGEST), "told": both, "further": more}


def _unlike(first: Side, second: Side) -> str:
    """Return why their figures do not stand beside one another; empty: they do."""
    without = [one.name for one in (first, second) if one.found is NOTHING]
    if without:
        return f"There are no figures of {plain(' and '.join(without), LONGEST)}."
    if first.found.kind != second.found.kind:
        return "They are of different kinds, so that they have few figures in common or none."
    if first.found.on != second.found.on:
        return "They were tried on different days: part of what differs is theirs."
    return ""


def _names(first: Iterable[str], second: Iterable[str]) -> Iterator[str]:
    return iter(dict.fromkeys((*first, *second)))


def _local(at: int, current: Published | None, now: float) -> str:
    return "" if current is None else local(at, current.utc_offset_s, now)
