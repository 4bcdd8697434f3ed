"""The page of suppositions: a form, what would become of the job, and what starts soonest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import ValidationError

from predictor.cli.sbatch import directives
from predictor.cli.terminal import plain
from predictor.cli.timeformat import time_limit, window
from predictor.cli.trims import NOTABLE_S, NOTABLE_SHARE
from predictor.domain.durations import duration
from predictor.service.published import Published
from predictor.service.whatif.shapes import Shape, WhatIf, limit_s
from predictor.suppositions import Supposed
from predictor.web.frame import Frame
from predictor.web.words import local, relative, shade, utc

FIELDS = ("nodes", "ntasks", "time_limit", "mem_mb", "gres", "partition", "instead_of")
"""What the form asks for, by the names of a shape."""
SIZES = (1, 2, 4, 8, 16)
LIMITS_S = (1800, 3600, 7200, 14_400, 28_800, 86_400)
MOST_DIGITS = 10
DRAWS = 10
SOON_S = 60
MOST_SOONER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What stands in the form, and what to suppose."""

    given: Mapping[str, str]
    question: WhatIf | None
    """None: nothing was asked, or not so that it can be understood."""
    refused: str = ""
    """Why it cannot be understood, or was refused, as a sentence."""


def read(given: Mapping[str, str]) -> Asked:
    """Return the question in a form: the job itself, then the table's shapes."""
    told = {name: text.strip() for name in FIELDS if (text := given.get(name, "")).strip()}
    if not told:
        return Asked(given={}, question=None)
    try:
        own = Shape.model_validate(_typed(told))
        rest = own.model_dump(exclude_none=True, exclude={"nodes", "time_limit", "name"})
        grid = [
            Shape.model_validate({**rest, "nodes": nodes, "time_limit": f"{limit_s}s"})
            for nodes in SIZES
            for limit_s in LIMITS_S
        ]
    except ValidationError as error:
        first = error.errors()[0]
        refused = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        return Asked(given=told, question=None, refused=refused)
    return Asked(given=told, question=WhatIf(shapes=[own, *grid], draws=DRAWS))


def _typed(told: Mapping[str, str]) -> dict[str, Any]:
    numbers = {"nodes", "ntasks", "mem_mb"}
    return {
        k: int(v) if k in numbers and v.isdecimal() and len(v) < MOST_DIGITS else v
        for k, v in told.items()
    }


def what_if_page(
    current: Published | None,
    asked: Asked,
    told: Sequence[Supposed],
    now: float,
    frame: Frame,
    *,
    blind: bool = False,
) -> str:
    """Return the page as HTML. `told` is what would become of the question's shapes, if asked."""
    if current is None:
        return frame.page("what-if.html", None, now)
    return frame.page(
        "what-if.html",
        current,
        now,
        blind=blind,
        given={name: plain(asked.given.get(name, ""), 100) for name in FIELDS},
        refused=plain(asked.refused, 300),
        partitions=[plain(one.name) for one in current.snapshot.partitions],
        answer=_answer(told[0], current, now) if told else None,
        sooner=list(islice(_sooner(asked, told, current, now), MOST_SOONER)) if told else [],
        limits=[duration(limit_s) for limit_s in LIMITS_S],
        rows=list(_rows(told[1:], current)) if told else [],
    )


def _answer(told: Supposed, current: Published, now: float) -> Mapping[str, str]:
    outlook = told.outlook
    if outlook is None:
        why = told.refusal.detail if told.refusal else "the time did not suffice"
        return {"why": plain(why)}
    low, likely, high, by95 = (
        local(at, current.utc_offset_s, now)
        for at in (outlook.low_at, outlook.likely_at, outlook.high_at, outlook.by_at)
    )
    return {
        "why": "",
        "start": likely,
        "start_utc": utc(outlook.likely_at),
        "relative": relative(outlook.likely_at, now),
        "window": window(low, high),
        "by95": by95,
    }


def _sooner(
    asked: Asked, told: Sequence[Supposed], current: Published, now: float
) -> Iterator[Mapping[str, str]]:
    """Yield smaller shapes that would start notably sooner, the least cut first, as lines."""
    own_at = told[0].outlook.likely_at if told[0].outlook else None
    if own_at is None or asked.question is None:
        return
    own, *grid = asked.question.shapes
    most = _most(own, current)
    latest = round(own_at - max(NOTABLE_S, NOTABLE_SHARE * (own_at - current.snapshot_at)))
    cuts = [(nodes, limit) for nodes in SIZES for limit in LIMITS_S]
    each = zip(cuts, grid, told[1:], strict=True)
    for (nodes, limit), shape, one in sorted(each, key=lambda cut: -cut[0][0] * cut[0][1]):
        at = latest + 1 if one.outlook is None else one.outlook.likely_at
        if most is None or nodes > most[0] or limit > most[1] or at > latest:
            continue
        latest = at - 1
        asked_for = shape.model_dump(exclude_none=True) | {"time_limit": time_limit(limit)}
        yield {
            "start": local(at, current.utc_offset_s, now),
            "gain": duration(own_at - at),
            "lines": "\n".join(directives(asked_for)),
        }


def _most(own: Shape, current: Published) -> tuple[int, int] | None:
    """Return the nodes and seconds that were asked for; None: not both were said."""
    waiting = (one.spec for one in current.snapshot.pending)
    old = next((spec.request for spec in waiting if spec.id == own.instead_of), None)
    nodes = own.nodes or (None if old is None else old.nodes)
    limit = limit_s(own.time_limit) if own.time_limit else (None if old is None else old.limit_s)
    return (nodes, limit) if nodes and isinstance(limit, int) else None


def _rows(
    told: Sequence[Supposed], current: Published
) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    """Yield the table's rows: nodes, and a cell for each limit."""
    each = iter(told)
    for nodes in SIZES:
        yield nodes, [_cell(next(each), nodes, limit_s, current) for limit_s in LIMITS_S]


def _cell(told: Supposed, nodes: int, limit_s: int, current: Published) -> Mapping[str, Any]:
    shape = f"nodes={nodes}&time_limit={time_limit(limit_s)}"
    if told.outlook is None:
        why = told.refusal.detail if told.refusal else "not worked out in time"
        return {"text": "-", "shade": "none", "shape": shape, "title": plain(why)}
    wait_s = max(0, told.outlook.likely_at - current.snapshot_at)
    return {
        "text": "now" if wait_s < SOON_S else duration(wait_s),
        "shade": shade(wait_s),
        "shape": shape,
        "title": f"95 % within {duration(max(0, told.outlook.by_at - current.snapshot_at))}",
    }
