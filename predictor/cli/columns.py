"""Tables in Slurm's habit: a format of `%[[.]width]letter`, one line per job."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from predictor.cli.ahead import ahead, ahead_exactly, ahead_order
from predictor.cli.cells import NOT_AVAILABLE, cell
from predictor.cli.terminal import plain
from predictor.cli.timeformat import time_limit, window

Job = Mapping[str, Any]
FIELD = re.compile(r"%(?P<right>\.?)(?P<width>\d{0,4})(?P<letter>[A-Za-z])")

COMPACT = {
    "pending": "PD",
    "running": "R",
    "configuring": "CF",
    "suspended": "S",
    "completing": "CG",
    "completed": "CD",
    "failed": "F",
    "cancelled": "CA",
    "timeout": "TO",
    "node_fail": "NF",
    "preempted": "PR",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A letter's heading and what stands below it."""

    title: str
    text: Callable[[Job], str]
    order: Callable[[Job], Any]
    """What to sort by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One column of a table; `width` None: as wide as it is."""

    column: Column
    width: int | None
    right: bool
    before: str
    """The text between it and the one before."""

    def shown(self, text: str) -> str:
        """Return the text cut and filled to the width."""
        if self.width is None:
            return plain(text)
        cut = plain(text, self.width)
        return cut.rjust(self.width) if self.right else cut.ljust(self.width)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """All columns of a table."""

    fields: tuple[Field, ...]
    tail: str
    """The text after the last."""


def columns(
    show_time: Callable[[int], str],
    show_end: Callable[[int], str] | None = None,
    deadline: str = "",
    *,
    exact: bool = False,
) -> Mapping[str, Column]:
    """Return the columns by squeue's letters. `show_time` writes an instant.

    `show_end` writes the ends of windows, if not as other instants; `deadline` is the one by
    which chances are told: without it, their column is not known. `exact`: large numbers are
    not rounded, for programs.
    """

    def start(job: Job) -> str:
        at = _start(job)
        return NOT_AVAILABLE if at is None else show_time(at)

    def ends(job: Job) -> str:
        low, high = instant(job["p10"]), instant(job["p90"])
        if low is None or high is None:
            return NOT_AVAILABLE
        show = show_end or show_time
        return window(show(low), show(high))

    known = {
        "i": Column(title="JOBID", text=_text("job_id"), order=_id_order),
        "P": _plain_column("PARTITION", "partition"),
        "j": _plain_column("NAME", "name"),
        "u": _plain_column("USER", "user"),
        "a": _plain_column("ACCOUNT", "account"),
        "q": _plain_column("QOS", "qos"),
        "t": Column(title="ST", text=_compact_state, order=_compact_state),
        "T": Column(title="STATE", text=_state, order=_state),
        "D": Column(title="NODES", text=_text("nodes"), order=lambda job: job["nodes"]),
        "l": Column(title="TIME_LIMIT", text=_limit, order=_limit_order),
        "S": Column(title="LIKELY_START", text=start, order=_start_order),
        "W": Column(title="WINDOW (80%)", text=ends, order=_window_order),
        "N": _plain_column("NODELIST", "nodelist"),
        "r": Column(title="CAUSE", text=_cause, order=_cause),
        "R": Column(title="NODELIST(CAUSE)", text=_where_or_why, order=_where_or_why),
        "A": _ahead_column(exact=exact),
        "K": Column(title="RANK", text=_text("rank"), order=lambda job: job["rank"] or 10**9),
    }
    if deadline:
        known["B"] = Column(title=f"BY {deadline}", text=_chance, order=_chance_order)
    return known


def layout(spec: str, known: Mapping[str, Column]) -> Layout:
    """Read a format. Raises ValueError, naming what is wrong."""
    found, place = [], 0
    for match in FIELD.finditer(spec):
        if match["letter"] not in known:
            raise ValueError(f"%{match['letter']}: expected one of {', '.join(sorted(known))}")
        found.append(
            Field(
                column=known[match["letter"]],
                width=int(match["width"]) if match["width"] else None,
                right=bool(match["right"]),
                before=spec[place : match.start()],
            )
        )
        place = match.end()
    if not found or "%" in spec[place:]:
        raise ValueError(f"{spec!r}: expected fields such as %i or %.18i")
    return Layout(fields=tuple(found), tail=spec[place:])


def lines(jobs: Iterable[Job], wanted: Layout, *, heading: bool) -> Iterable[str]:
    """Yield the table line by line."""
    if heading:
        yield _line(wanted, [field.column.title for field in wanted.fields])
    for job in jobs:
        yield _line(wanted, [field.column.text(job) for field in wanted.fields])


def parsable(jobs: Iterable[Job], wanted: Layout, *, heading: bool) -> Iterable[str]:
    """Yield the table with `|` between fields, nothing cut; a `|` within one becomes `?`."""
    if heading:
        yield "|".join(field.column.title for field in wanted.fields)
    for job in jobs:
        yield "|".join(plain(field.column.text(job)).replace("|", "?") for field in wanted.fields)


def comma_separated(jobs: Iterable[Job], wanted: Layout, *, heading: bool) -> Iterable[str]:
    """Yield the table as CSV (RFC 4180), nothing cut; what a spreadsheet would run is disarmed."""
    if heading:
        yield _record(field.column.title for field in wanted.fields)
    for job in jobs:
        yield _record(field.column.text(job) for field in wanted.fields)


def _record(texts: Iterable[str]) -> str:
    return ",".join('"{}"'.format(str(cell(text)).replace('"', '""')) for text in texts)


def ordered(jobs: Iterable[Job], keys: str, known: Mapping[str, Column]) -> list[Job]:
    """Return the jobs sorted as by squeue's `-S`: letters with commas, `-` reverses.

    Raises ValueError for an unknown letter.
    """
    result = list(jobs)
    for key in reversed([key.strip() for key in keys.split(",") if key.strip()]):
        letter = key.lstrip("+-")
        if letter not in known:
            raise ValueError(f"{letter}: expected some of {', '.join(sorted(known))}")
        result.sort(key=known[letter].order, reverse=key.startswith("-"))
    return result


def _line(wanted: Layout, texts: Iterable[str]) -> str:
    cells = zip(wanted.fields, texts, strict=True)
    shown = "".join(plain(field.before) + field.shown(text) for field, text in cells)
    return (shown + plain(wanted.tail)).rstrip()


def _text(key: str) -> Callable[[Job], str]:
    return lambda job: "" if job[key] is None else str(job[key])


def _plain_column(title: str, key: str) -> Column:
    return Column(title=title, text=_text(key), order=_text(key))


def _state(job: Job) -> str:
    return str(job["state"]).upper()


def _compact_state(job: Job) -> str:
    return COMPACT.get(str(job["state"]), str(job["state"])[:2].upper())


def _limit(job: Job) -> str:
    limit_s = job["limit_s"]
    if isinstance(limit_s, int):
        return time_limit(limit_s)
    return NOT_AVAILABLE if limit_s is None else str(limit_s)


def _limit_order(job: Job) -> float:
    limit_s = job["limit_s"]
    return limit_s if isinstance(limit_s, int) else float("inf")


def instant(text: str | None) -> int | None:
    """Return the UTC epoch seconds of an instant of an answer; None for none."""
    return None if text is None else int(datetime.fromisoformat(text).timestamp())


def _start(job: Job) -> int | None:
    return instant(job["likely_start"] or job["started_at"])


def _start_order(job: Job) -> float:
    at = _start(job)
    return float("inf") if at is None else at


def _window_order(job: Job) -> float:
    at = instant(job["p10"])
    return float("inf") if at is None else at


def _chance(job: Job) -> str:
    told = job["deadline"]
    return NOT_AVAILABLE if told is None else f"{told['probability']:.0%}"


def _chance_order(job: Job) -> float:
    told = job["deadline"]
    return -1 if told is None else float(told["probability"])


def _ahead_column(*, exact: bool) -> Column:
    if exact:
        return Column(title="AHEAD (JOBS / NODE-H)", text=ahead_exactly, order=ahead_order)
    return Column(title="AHEAD", text=ahead, order=ahead_order)


def _cause(job: Job) -> str:
    return str(job["not_predicted_reason"] or job["cause"] or "")


def _where_or_why(job: Job) -> str:
    cause = _cause(job)
    parts = (job["nodelist"], f"({cause})" if cause else "")
    return " ".join(part for part in parts if part)


def _id_order(job: Job) -> list[tuple[int, str]]:
    parts = re.findall(r"\d+|\D+", str(job["job_id"]))
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
