"""Read a site file."""

import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from predictor.errors import SiteError
from predictor.site.complaints import complaint, complaints, dotted, line_of
from predictor.site.lines import lines_of
from predictor.site.model import Site
from predictor.site.references import findings

MAX_BYTES = 1_000_000


def default() -> Site:
    """Return the site of somebody who has no file: a Slurm cluster, asked on its command line."""
    return Site()


def load(path: Path) -> Site:
    """Return the site that a TOML file describes; relative paths in it start at its folder.

    Raises SiteError with a line for everything that is wrong: `file:line: table.key: cause`.
    What tables say about one another is looked at once each is right by itself.
    """
    text = _text(path)
    data = _parsed(text, path)
    try:
        site = Site.model_validate(data, context={"folder": path.absolute().parent})
    except ValidationError as error:
        raise SiteError("\n".join(complaints(error, Site, lines_of(text), path))) from None
    if wrong := sorted(findings(site)):
        lines = lines_of(text)
        said = [complaint(path, line_of(at, lines), dotted(at), what) for at, what in wrong]
        raise SiteError("\n".join(said))
    return site


def place_in(path: Path, key: str) -> str:
    """Return `file:line` of a table or key at the top of a file that could be loaded."""
    return f"{path}:{line_of((key,), lines_of(_text(path)))}"


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SiteError(f"{path}: cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise SiteError(f"{path}: {len(raw)} bytes, expected at most {MAX_BYTES}")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SiteError(f"{path}:{line}: not a text in UTF-8") from None


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
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
