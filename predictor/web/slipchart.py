"""What a job was told before as a picture: when it was told to the right, the start told up."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from predictor.service.history import Entry
from predictor.web.axis import WIDE, Axis


def slip_chart(
    entries: Sequence[Entry], until: int, told: Callable[[int], str]
) -> Mapping[str, Any] | None:
    """Return the picture, in per cent of its width and height; None: there is nothing to see.

    `entries` come oldest first; each holds until the next, and the last `until`. `told` writes
    an instant.
    """
    if len(entries) < 2:
        return None
    across = Axis(begin_at=entries[0].told_at, end_at=max(until, entries[-1].told_at))
    starts = [at for one in entries for at in (one.likely_at, one.low_at, one.high_at) if at]
    up = Axis(begin_at=min(starts), end_at=max(starts))
    ends = [*(one.told_at for one in entries[1:]), across.end_at]
    steps = list(zip(entries, ends, strict=True))
    return {
        "bands": list(_bands(steps, across, up)),
        "line": " ".join(
            f"{across.place(at)},{_down(up, one.likely_at)}"
            for one, end_at in steps
            for at in (one.told_at, end_at)
        ),
        "top": told(up.end_at),
        "bottom": told(up.begin_at),
        "begin": told(across.begin_at),
    }


def _bands(
    steps: Sequence[tuple[Entry, int]], across: Axis, up: Axis
) -> Iterator[Mapping[str, float]]:
    for one, end_at in steps:
        if one.low_at is not None and one.high_at is not None:
            left, width = across.span(one.told_at, end_at)
            _, height = up.span(one.low_at, one.high_at)
            yield {"x": left, "width": width, "y": _down(up, one.high_at), "height": height}


def _down(up: Axis, at: int) -> float:
    """Return where an instant stands from above."""
    return round(WIDE - up.place(at), 2)
