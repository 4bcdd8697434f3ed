"""The page of sweeps and comparisons that administrators made."""

from collections.abc import Mapping, Sequence
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain.durations import duration
from predictor.service.longwork.shelf import Ordered
from predictor.service.published import Published
from predictor.web.compare import said
from predictor.web.frame import Frame
from predictor.web.tries import Try
from predictor.web.words import local, utc

MOST_DETAILS = 6
LONGEST = 120
WORDS: Mapping[str, str] = {
    "running": "running",
    "finished": "finished",
    "stopped": "stopped, the same command goes on",
    "silent": "no word any more: killed, or its machine is away",
}


def experiments_page(
    current: Published | None,
    found: Sequence[Try] | None,
    ordered: Sequence[tuple[Ordered, str]],
    now: float,
    frame: Frame,
    *,
    mark: str,
    key: str,
    refused: str = "",
) -> str:
    """Return the page as HTML. `found` None: the site has no folder for them.

    `ordered` are those that the service makes itself, the newest first, each with how far it is.
    `mark` and `key` go with its forms, so that only ours are taken, and each once; `refused` is
    why one was not.
    """
    if current is None:
        return frame.page("experiments.html", None, now)
    rows = None if found is None else [_row(one, current, now) for one in found]
    orders = [_order(one, progress, current, now) for one, progress in ordered]
    return frame.page(
        "experiments.html",
        current,
        now,
        tries=rows,
        ordered=orders,
        comparable=sum(one["comparable"] for one in (*(rows or ()), *orders)) > 1,
        mark=mark,
        key=key,
        refused=refused,
    )


def _order(one: Ordered, progress: str, current: Published, now: float) -> Mapping[str, Any]:
    told = one.order.model_dump(exclude_defaults=True, exclude={"kind"})
    at = one.ended_at or one.begun_at or one.created_at
    return {
        "id": one.id,
        "kind": one.order.kind,
        "by": plain(one.by, LONGEST),
        "details": [plain(f"{name}: {said(value)}", LONGEST) for name, value in told.items()],
        "state": one.state,
        "told": plain(progress or one.cause, LONGEST),
        "at": local(at, current.utc_offset_s, now),
        "utc": utc(at),
        "report": one.state == "finished",
        "comparable": one.state == "finished",
    }


def _row(one: Try, current: Published, now: float) -> Mapping[str, Any]:
    more = len(one.details) - MOST_DETAILS
    return {
        "name": one.name,
        "what": plain(one.what, LONGEST),
        "inputs": plain(", ".join(one.inputs), LONGEST),
        "details": [plain(text, LONGEST) for text in one.details[:MOST_DETAILS]],
        "more": max(0, more),
        "state": WORDS.get(one.state, plain(one.state, LONGEST)),
        "runs": "" if one.done is None else f"{one.done:,} of {one.total:,}",
        "done": one.done,
        "total": one.total,
        "at": local(one.told_at, current.utc_offset_s, now),
        "utc": utc(one.told_at),
        "ago": duration(max(0, int(now) - one.told_at)),
        "report": one.report is not None,
        "comparable": one.figures is not None,
    }
