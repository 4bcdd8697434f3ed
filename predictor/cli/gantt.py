"""A schedule as plain text: a line per job, its times, its nodes, and a bar as wide as is left."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from predictor.cli.columns import instant
from predictor.cli.terminal import plain
from predictor.domain.durations import HOUR_S

Told = Mapping[str, Any]
"""A bar or a reservation, as the daemon tells it."""

RUNS, WAITS, OWN_RUNS, OWN_WAITS, RESERVED = "=", "-", "#", "+", "x"
NOW, EARLIER, LATER = "|", "<", ">"
LEGEND = f"{RUNS} runs, until its limit; {WAITS} will run; own: {OWN_RUNS} and {OWN_WAITS}"
LEAST_CHART = 20
"""In characters; narrower ones are left out."""
MOST_NODES = 24
"""Longer lists of nodes are cut."""
ID, USER, TIME = 12, 8, 9
HIDDEN = "-"
LEAST_S = HOUR_S
SPARE = 1.1
"""So much longer than until the last start is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """From when until when is drawn, in how many characters. Instants are UTC epoch seconds."""

    start_at: int
    end_at: int
    now: int
    width: int

    def place(self, at: int) -> int:
        """Return the character at which an instant is drawn; it may be off the axis."""
        return (at - self.start_at) * self.width // (self.end_at - self.start_at)


def lines(
    answer: Told,
    width: int,
    show: Callable[[int], str],
    since: int | None = None,
    until: int | None = None,
) -> Iterator[str]:
    """Yield reservations, what runs, and what will, the first to begin first.

    `show` writes an instant; `since` and `until` are those asked for, UTC epoch seconds.
    """
    kept = [(one, _reserved) for one in answer["reservations"]]
    told = [*kept, *((one, _job) for one in answer["bars"])]
    # An instant outside of the calendar is not told, and cannot be drawn.
    drawn = [(one, label) for one, label in told if None not in _span(one)]
    nodes = max([len("NODES"), *(len(plain(one["nodes"])) for one, _ in drawn)])
    label_width = ID + USER + 2 * TIME + 4 + (nodes := min(nodes, MOST_NODES))
    axis = _axis(answer, [one for one, _ in drawn], since, until, width - label_width - 2)
    chart = axis.width >= LEAST_CHART
    headings = _cells(("JOBID", "USER", "START", "END", "NODES"), nodes)
    yield f"{headings}  {_scale(axis, show)}".rstrip() if chart else headings.rstrip()
    for one, label in sorted(drawn, key=lambda pair: (_span(pair[0]), pair[0]["nodes"])):
        start_at, end_at = _span(one)
        who, mark = label(one)
        cells = _cells((*who, show(start_at), show(end_at), one["nodes"]), nodes)
        yield f"{cells}  {_bar(axis, start_at, end_at, mark)}".rstrip() if chart else cells.rstrip()


def _span(one: Told) -> tuple[int, int]:
    return instant(one["start_at"]), instant(one["end_at"])  # type: ignore[return-value]


def _job(one: Told) -> tuple[tuple[str, str], str]:
    own = (OWN_RUNS, OWN_WAITS) if one["own"] else (RUNS, WAITS)
    return (one["job_id"] or HIDDEN, one["user"] or HIDDEN), own[one["waits"]]


def _reserved(one: Told) -> tuple[tuple[str, str], str]:
    return (one["name"] or HIDDEN, "(reserv.)"[:USER]), RESERVED


def _cells(texts: Sequence[str], nodes: int) -> str:
    sizes = (ID, USER, TIME, TIME, nodes)
    pairs = zip(texts, sizes, strict=True)
    return " ".join(plain(text, size).ljust(size) for text, size in pairs)


def _axis(
    answer: Told, drawn: Sequence[Told], since: int | None, until: int | None, width: int
) -> Axis:
    """Return the axis: from the snapshot until all have started, unless something is asked for."""
    now = instant(answer["snapshot_at"]) or 0
    start_at = now if since is None else since
    last_at = max([start_at, *(_span(one)[0] for one in drawn)])
    usual = start_at + max(LEAST_S, round((last_at - start_at) * SPARE))
    end_at = usual if until is None else until
    return Axis(start_at=start_at, end_at=max(end_at, start_at + 1), now=now, width=max(width, 1))


def _bar(axis: Axis, start_at: int, end_at: int, mark: str) -> str:
    """Return the bar of what is held then; it is one character long at least."""
    first, end = axis.place(start_at), axis.place(end_at)
    if first >= axis.width:
        return LATER.rjust(axis.width)
    if end < 0:
        return EARLIER
    filled = range(max(first, 0), min(max(end, first + 1), axis.width))
    now = axis.place(axis.now)
    drawn = [
        mark if at in filled else NOW if at == now and now > 0 else " " for at in range(axis.width)
    ]
    if end > axis.width:
        drawn[-1] = LATER
    return "".join(drawn)


def _scale(axis: Axis, show: Callable[[int], str]) -> str:
    """Return instants along the axis, each where it begins."""
    step = TIME + 6
    text = ""
    for place in range(0, axis.width - TIME + 1, step):
        at = axis.start_at + (axis.end_at - axis.start_at) * place // axis.width
        text = text.ljust(place) + plain(show(at), TIME)
    return text
