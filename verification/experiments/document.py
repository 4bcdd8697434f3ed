"""What experiments came to, as a document and as text for a terminal.

The names are documented in `verification/README.md`.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from textwrap import wrap
from typing import Any, Final

from predictor.cli.terminal import plain
from verification.experiments.crossed import Failed
from verification.report.columns import NARROWEST, table
from verification.report.words import told

SCHEMA: Final = "queuecast.experiment/1"
COLUMNS: Final = ("mean_wait_s", "p90_wait_s", "mean_slowdown", "utilisation", "mean_queue")
"""The figures that tables tell: means of waits, of bounded slowdowns and of jobs that wait."""
HEADINGS: Final = ("mean wait", "90 % wait up to", "slowdown", "utilisation", "queue")

Document = Mapping[str, Any]


def document(cells: Sequence[Mapping[str, Any]], failed: Sequence[Failed]) -> dict[str, Any]:
    """Return the document of experiments that were made, and of those that came to nothing."""
    return {
        "schema": SCHEMA,
        "version": version("queuecast"),
        "cells": list(cells),
        "failed": [{"name": one.cell.name, "cause": one.cause} for one in failed],
    }


def told_apart(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return by which keys the experiments differ, the scheduler's always among them."""
    keys = ("trace", "durations", "scheduler", "allocator")
    return [key for key in keys if key == "scheduler" or len({one[key] for one in cells}) > 1]


def dispatch_us(cell: Mapping[str, Any]) -> float | None:
    """Return the CPU time that asking the scheduler took on average; None: never asked."""
    asked = sum(one["asked"] for one in cell["curves"]["dispatch"])
    spent = sum(one["asked"] * one["cpu_us"] for one in cell["curves"]["dispatch"])
    return spent / asked if asked else None


def rows(cells: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Return a table of experiments: the heading, and a row each."""
    keys = told_apart(cells)
    heading = [*keys, *HEADINGS, "CPU/dispatch", "CPU", "memory"]
    return heading, [
        [
            *(one[key] for key in keys),
            *(told(name, one["figures"][name]) for name in COLUMNS),
            "-" if (cost := dispatch_us(one)) is None else f"{cost:.1f} µs",
            f"{one['cpu_s']:.1f} s",
            f"{one['peak_mb']:.0f} MB",
        ]
        for one in cells
    ]


def complaints(found: Document) -> Iterator[str]:
    """Yield a sentence for whatever was left out or came to nothing, each once."""
    said: dict[str, None] = {}
    for one in found["cells"]:
        said.update(dict.fromkeys(one["complaints"]))
        said.update(dict.fromkeys(_counted(one)))
    yield from said
    yield from (f"{one['name']}: {one['cause']}" for one in found["failed"])


def _counted(cell: Mapping[str, Any]) -> Iterator[str]:
    left, trace = cell["left_out"], cell["trace"]
    if left["bad_lines"]:
        yield f"{trace}: {left['bad_lines']} lines are no jobs and were left out"
    if left["incomplete"]:
        words = "jobs lack submit time, run time or size and were left out"
        yield f"{trace}: {left['incomplete']} {words}"
    if left["too_large"]:
        yield f"{trace}: {left['too_large']} jobs are too large for the machine and were refused"


def render_terminal(found: Document, width: int) -> str:
    """Return the document as text, no line wider than `width` characters (or NARROWEST)."""
    width, lines = max(width, NARROWEST), []
    if found["cells"]:
        table_ = [list(row) for row in zip(*_whole(found["cells"]), strict=True)]
        while len(table_) > len(told_apart(found["cells"])) + 1 and _width(table_) > width:
            table_.pop()
        heading, *body = zip(*table_, strict=True)
        lines += list(table(heading, body, width))
    for sentence in complaints(found):
        lines += wrap(plain(sentence), width - 2, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _whole(cells: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    heading, body = rows(cells)
    return [heading, *body]


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(2 + max(map(len, column)) for column in columns)
