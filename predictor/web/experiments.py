"""The page of sweeps and comparisons that administrators made."""

from collections.abc import Mapping, Sequence
from typing import Any

from predictor.cli.terminal import plain
from predictor.cli.timeformat import duration
from predictor.service.published import Published
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
    current: Published | None, found: Sequence[Try] | None, now: float, frame: Frame
) -> str:
    """Return the page as HTML. `found` None: the site has no folder for them."""
    if current is None:
        return frame.page("experiments.html", None, now)
    rows = None if found is None else [_row(one, current, now) for one in found]
    return frame.page("experiments.html", current, now, tries=rows)


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
    }
