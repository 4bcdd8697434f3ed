"""A comparison for a terminal: tables no wider than it, in characters that do no harm."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from predictor.cli.terminal import plain
from verification.diff.figures import Document
from verification.diff.words import (
    BRIEF_HEADING,
    KINDS,
    STARVING_HEADING,
    about,
    brief_row,
    headline,
    outermost,
    starving_rows,
)
from verification.report.columns import NARROWEST, table

MOST_STARVING = 10


def render_terminal(found: Document, width: int = 100) -> str:
    """Return the document as text, no line wider than `width` characters (or NARROWEST)."""
    return "\n".join(line.rstrip() for line in _lines(found, max(width, NARROWEST))) + "\n"


def _lines(found: Document, width: int) -> Iterator[str]:
    for one in found["recordings"]:
        text = f"{one['name']} ({one['cluster']}): {one['jobs']} jobs, {one['from']} to {one['to']}"
        yield plain(text, width)
    yield from _listed("Change", found["change"] or ["none"], width)
    if found["without_effect"]:
        yield from _listed("Without effect on paper", found["without_effect"], width)
    yield from _listed("In short", headline(found), width)
    yield ""
    told = [brief_row(name, one) for name, one in found["measures"].items() if one is not None]
    yield from table(BRIEF_HEADING, told, width)
    for kind, classes in found["classes"].items():
        yield ""
        yield plain(f"Mean wait by {KINDS[kind]}, who loses most first", width)
        rows = [brief_row("wait_s", one, name) for name, one in outermost(classes).items()]
        yield from table(BRIEF_HEADING, rows, width)
        if len(rows) < len(classes):
            yield plain(f"  and {len(classes) - len(rows)} in between", width)
    yield from _starving(found, width)
    yield ""
    yield from (plain(line, width) for line in wrap(about(found), width))


def _starving(found: Document, width: int) -> Iterator[str]:
    titles = {"starving": "Jobs that starve for it", "starved_no_more": "Jobs that starve no more"}
    for key, title in titles.items():
        rows = starving_rows(found[key][:MOST_STARVING])
        if rows:
            yield ""
            yield plain(title, width)
            yield from table(STARVING_HEADING, rows, width)
            if len(found[key]) > MOST_STARVING:
                yield plain(f"  and {len(found[key]) - MOST_STARVING} more", width)


def _listed(title: str, told: Sequence[str], width: int) -> Iterator[str]:
    yield ""
    yield plain(title, width)
    for one in told:
        lines = wrap(one, width - 4, subsequent_indent="  ") or [""]
        yield from (plain(f"  {line}", width) for line in lines)
