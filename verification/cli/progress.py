"""How far long work is: a bar that fills for who watches, a few plain lines for a log."""

from collections.abc import Callable
from typing import Any, TextIO

import click

TENTHS = 10


def teller(stream: TextIO) -> Callable[[str, int, int], None]:
    """Return what tells of work: its name, how far it is, how far it goes.

    On a terminal a bar fills and tells how long it will take; elsewhere there is a line for each
    tenth of the way.
    """
    return _bars(stream) if stream.isatty() else _lines(stream)


def _bars(stream: TextIO) -> Callable[[str, int, int], None]:
    shown: dict[tuple[str, int], Any] = {}

    def tell(label: str, done: int, total: int) -> None:
        bar = shown.get((label, total))
        if bar is None or bar.finished:
            bar = click.progressbar(length=max(total, 1), label=label, show_pos=True, file=stream)
            shown[label, total] = bar
            bar.__enter__()
            if context := click.get_current_context(silent=True):
                context.call_on_close(bar.render_finish)  # it has hidden the cursor
        bar.update(done - bar.pos)
        if done >= total:
            bar.render_finish()

    return tell


def _lines(stream: TextIO) -> Callable[[str, int, int], None]:
    told: dict[str, int] = {}

    def tell(label: str, done: int, total: int) -> None:
        tenth = TENTHS * done // total if total else TENTHS
        if told.get(label, 0) < tenth:
            stream.write(f"{label}: {done} of {total}\n")
        told[label] = tenth % TENTHS
        stream.flush()

    return tell
