"""A window as bars: who really ran where, and who did in the simulation."""

from collections.abc import Iterator, Sequence
from typing import Any

from predictor.domain.instants import rfc3339
from verification.replica.window import Bar, Played


def gantt_figures(window: Played) -> dict[str, Any]:
    """Return both sides of a window by the names that the JSON has; times are from its begin."""
    return {
        "recording": window.recording,
        "from": rfc3339(window.since),
        "length_s": window.until - window.since,
        "nodes": list(window.node_names),
        "real": [_bar(bar, window.since) for bar in window.real_bars if bar.nodes],
        "said": [_bar(bar, window.since) for bar in window.said_bars if bar.nodes],
    }


def _bar(bar: Bar, since: int) -> dict[str, Any]:
    return {
        "job": bar.job_id,
        "start_s": bar.start_at - since,
        "end_s": bar.end_at - since,
        "nodes": [list(run) for run in neighbours(bar.nodes)],
    }


def neighbours(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the number of each run of neighbours; `places` ascend."""
    first = 0
    for number, place in enumerate(places):
        if number + 1 == len(places) or places[number + 1] != place + 1:
            yield places[first], number + 1 - first
            first = number + 1
