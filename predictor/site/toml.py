"""Read a TOML file that a person wrote, and say where it is none."""

import os
import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from predictor.errors import SiteError

MAX_BYTES = 1_000_000
LARGEST = 2**63 - 1


def text_of(path: Path) -> str:
    """Return what stands in the file. Raises SiteError: too long, no UTF-8, or unreadable.

    A pipe or a device, which may never end, is refused by its name; not what the caller has open
    already, as of `<(…)`.
    """
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or _is_open_already(path)):
            raise SiteError(f"{path}: expected a regular file")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SiteError(f"{path}: cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise SiteError(f"{path}: too many bytes, expected at most {MAX_BYTES}")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SiteError(f"{path}:{line}: not a text in UTF-8") from None


def _is_open_already(path: Path) -> bool:
    """Return whether it is a pipe without a name of its own, as the system shows descriptors."""
    return not os.path.lexists(os.path.realpath(path))


def parsed(text: str, path: Path) -> dict[str, Any]:
    """Return the document that `text` is. Raises SiteError, naming `path` and the line."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        cause = str(error)
        place = re.search(r" \(at line ([0-9]+), column ([0-9]+)\)$", cause)
        line = int(place[1]) if place else text.count("\n") + 1
        what = cause[: place.start()] if place else cause
        column = f" at column {place[2]}" if place else ""
        raise SiteError(f"{path}:{line}: not TOML{column}: {what}") from None
    except ValueError:
        raise SiteError(f"{path}: not TOML: a number of too many digits") from None
    except RecursionError:
        raise SiteError(f"{path}: nested too deep") from None
    for number in _numbers(document):
        if abs(number) > LARGEST:
            # TOML asks for this error, which Python's reader leaves to us.
            raise SiteError(f"{path}: a number beyond 64 bits: {str(number)[:20]}…")
    return document


def _numbers(document: object) -> Iterator[int]:
    """Yield every whole number in there."""
    left = [document]
    while left:
        value = left.pop()
        if isinstance(value, int):
            yield value
        elif isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
