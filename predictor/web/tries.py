"""Sweeps and comparisons that administrators made, read from the files that these leave behind.

Their formats are documented in `verification/README.md`; whoever writes them is not trusted.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from predictor.domain.instants import instant_of

SWEEP = "queuecast.sweep-manifest/1"
DIFF = "queuecast.diff/1"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")
MOST = 100
"""The newest so many are shown."""
MOST_LOOKED_AT = 2_000
LARGEST_BYTES = 8_000_000
"""Longer files are passed over."""
DAMAGED = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
"""What reading a file may raise that holds anything at all."""
SILENT_S = 30
"""A sweep tells of itself every few seconds; after so many without a word it does not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """A sweep, or a comparison of configurations. Instants are UTC epoch seconds."""

    name: str
    """Of its folder or file: letters, digits and `_.+-`."""
    what: str
    """As a person calls it."""
    inputs: tuple[str, ...]
    begun_at: int | None
    """None: not told."""
    told_at: int
    """When it last changed."""
    state: str
    """`running`, `finished`, `stopped`, or `silent`: it was killed, or its machine is away."""
    done: int | None = None
    total: int | None = None
    """Runs that ended, of how many. None: it does not count any."""
    details: tuple[str, ...] = ()
    """Sentences and settings, as they were written."""
    report: Path | None = None
    """A page; None: there is none yet."""
    figures: Path | None = None
    """What the page is made from, as JSON; None: there is none yet."""


def tries(folder: Path, now: float) -> list[Try]:
    """Return what lies in the folder, the newest first; nothing if it cannot be read."""
    found = [one for entry in _entries(folder) if (one := _read(entry, now)) is not None]
    return sorted(found, key=lambda one: (-one.told_at, one.name))[:MOST]


def try_of(folder: Path, name: str, now: float) -> Try | None:
    """Return what goes by that name; None: there is none."""
    entry = folder / name
    if not NAME.fullmatch(name) or entry.is_symlink():
        return None
    return _read(entry, now)


def report_of(folder: Path, name: str, now: float) -> bytes | None:
    """Return the page of what goes by that name; None: there is none."""
    one = try_of(folder, name, now)
    with suppress(OSError):
        if one is not None and one.report is not None:
            return one.report.read_bytes()
    return None


def _entries(folder: Path) -> Iterator[Path]:
    """Yield what may be one. A link may lead anywhere, and is passed over."""
    with suppress(OSError):
        for number, entry in enumerate(folder.iterdir()):
            if number >= MOST_LOOKED_AT:
                return
            if NAME.fullmatch(entry.name) and not entry.is_symlink():
                yield entry


def _read(entry: Path, now: float) -> Try | None:
    with suppress(OSError, *DAMAGED):
        if entry.is_dir():
            return _sweep(entry, now)
        if entry.suffix == ".json":
            return _diff(entry)
    return None


def _sweep(folder: Path, now: float) -> Try | None:
    manifest = _json(folder / "manifest.json")
    if manifest.get("schema") != SWEEP:
        return None
    alive = _json(folder / "alive.json") if (folder / "alive.json").exists() else {}
    told_at = int(alive.get("at", (folder / "manifest.json").stat().st_mtime))
    phase = str(alive.get("phase", "running"))
    if phase == "running" and now - told_at > SILENT_S:
        phase = "silent"
    grid = manifest["grid"]
    axes = [f"{name}: {', '.join(map(str, values))}" for name, values in grid["axes"].items()]
    listed = [f"{len(grid['points'])} listed points"] if grid["points"] else []
    return Try(
        name=folder.name,
        what=f"Sweep of {manifest['points']} points, kind {grid['kind']}",
        inputs=tuple(str(one["name"]) for one in manifest["inputs"]),
        begun_at=instant_of(str(manifest["begun"])),
        told_at=told_at,
        state=phase,
        done=int(alive.get("done", 0)),
        total=int(alive.get("total") or manifest["runs"]),
        details=(*axes, *listed),
        report=_file(folder / "report.html"),
        figures=_file(folder / "report.json"),
    )


def _diff(file: Path) -> Try | None:
    found = _json(file)
    if found.get("schema") != DIFF:
        return None
    return Try(
        name=file.name,
        what=f"Comparison of configurations, {int(found['draws'])} draws",
        inputs=tuple(str(one["name"]) for one in found["recordings"]),
        begun_at=None,
        told_at=int(file.stat().st_mtime),
        state="finished",
        details=tuple(map(str, found["change"])),
        report=_file(file.with_suffix(".html")),
        figures=file,
    )


def _json(path: Path) -> Mapping[str, Any]:
    """Return the object in a file. Raises OSError, ValueError."""
    if path.is_symlink() or path.stat().st_size > LARGEST_BYTES:
        raise ValueError(f"{path}: not read")
    found = json.loads(path.read_bytes())
    if not isinstance(found, dict):
        raise ValueError(f"{path}: no object")
    return found


def _file(path: Path) -> Path | None:
    fine = path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_BYTES
    return path if fine else None
