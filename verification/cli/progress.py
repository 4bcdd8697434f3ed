"""How far long work is: a line that changes for who watches, a few plain ones for a log."""

from collections.abc import Callable
from typing import TextIO

TENTHS = 10


def teller(stream: TextIO) -> Callable[[str, int, int], None]:
    """Return what tells of work: its name, how far it is, how far it goes.

    On a terminal the line is rewritten; elsewhere there is one for each tenth of the way.
    """
    told: dict[str, int] = {}

    def tell(label: str, done: int, total: int) -> None:
        tenth = TENTHS * done // total if total else TENTHS
        if stream.isatty():
            end = "\n" if done >= total else ""
            stream.write(f"\r{label}: {done} of {total}{end}")
        elif told.get(label, 0) < tenth:
            stream.write(f"{label}: {done} of {total}\n")
        told[label] = tenth % TENTHS
        stream.flush()

    return tell
