"""From settings by their names to a proposed change: as if they stood in files of configuration."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError

from predictor.domain import Snapshot
from predictor.site import Site, default
from predictor.site.complaints import causes
from verification.changes.change import Change
from verification.changes.files import Configured, read_files
from verification.changes.wishes import added, removed, reservation
from verification.sweep.kinds import Settings, Value

CONFIG = "config"
"""A file of configuration, below all other settings."""
ANEW = "ranks_anew"
"""Whether priorities are worked out anew, as `Change.ranks_anew`."""
WISHES = ("add_nodes", "remove_nodes", "reservation")
SITE = "site."
TABLES = {"qos": "Name", "association": "Account"}
"""Of `qos.NAME.COLUMN`: a line of a table, and the column that NAME stands in."""
LINES = {"partition": "PartitionName", "node": "NodeName"}
"""Of `partition.NAME.KEY`: a line of many keys, and the one that NAME stands behind."""
PLAIN = re.compile(r"[A-Z][A-Za-z0-9]*(\.\w+)?")
"""A key, or a single word of one whose value is a list of words."""
RANKS = re.compile(r"priorit|fairshare|\.shares?$", re.IGNORECASE)
NUMBERED = re.compile(r"(\d+): (.*)", re.DOTALL)
KNOWN = ", ".join(
    [
        *("a key of slurm.conf", "SchedulerParameters.WORD", "qos.NAME.COLUMN"),
        *("partition.NAME.KEY", "site.KEY", CONFIG),
        *WISHES,
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """What settings say."""

    configured: Configured
    site: Site
    faults: Sequence[tuple[str, str]] = ()
    """Settings that cannot be, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a file that is written for a setting."""

    setting: str
    file: str
    text: str


def files_of(settings: Settings) -> Sequence[Path]:
    """Return the file that settings name, if they do."""
    return (Path(str(settings[CONFIG])),) if settings.get(CONFIG) else ()


def ranks(settings: Settings) -> bool:
    """Return whether settings may change how priorities are made, or name a file that may."""
    return bool(settings.get(CONFIG)) or any(RANKS.search(name) for name in settings)


def proposed(settings: Settings) -> Proposed:
    """Return what settings say. Raises SiteError, SourceError if a file cannot be understood."""
    lines = list(_lines(settings))
    site, wrong = _site(settings)
    unknown = [(name, f"expected {KNOWN}") for name in settings if not _is_known(name)]
    with TemporaryDirectory(prefix="queuecast-sweep-") as folder:
        paths = list(_written(lines, Path(folder)))
        configured = read_files([*files_of(settings), *paths])
        faults = [setting_of(one, settings) for one in configured.faults]
    if configured.site is not None and any(name.startswith(SITE) for name in settings):
        wrong.append((CONFIG, "a site file, and settings of one besides"))
    return Proposed(
        configured=configured,
        site=configured.site or site,
        faults=[*unknown, *wrong, *faults],
    )


def change_of(made: Proposed, settings: Settings, snapshot: Snapshot) -> Change:
    """Return the change, read against the first snapshot of a recording. Raises ValueError."""
    wishes = {name: str(settings.get(name) or "") for name in WISHES}
    change = Change(
        amendments=made.configured.amendments,
        site=made.site,
        ranks_anew=bool(settings.get(ANEW, False)),
    )
    if wishes["reservation"]:
        change = replace(change, reservations=(reservation(wishes["reservation"], 1, snapshot),))
    if wishes["add_nodes"]:
        change = replace(change, added=added(wishes["add_nodes"], snapshot))
    if wishes["remove_nodes"]:
        change = replace(change, removed=removed(wishes["remove_nodes"], snapshot))
    return change


def _is_known(name: str) -> bool:
    return (
        name in (CONFIG, ANEW, *WISHES)
        or name.startswith(SITE)
        or PLAIN.fullmatch(name) is not None
        or _in_table(name) is not None
    )


def _in_table(name: str) -> tuple[str, str, str] | None:
    """Return the table, the name in it and the column; None: it is not of that form."""
    table, _, rest = name.partition(".")
    row, _, column = rest.rpartition(".")
    return (table, row, column) if table in {*TABLES, *LINES} and row and column else None


def _lines(settings: Settings) -> Iterator[Line]:
    for name, value in settings.items():
        if PLAIN.fullmatch(name):
            yield Line(setting=name, file="slurm.conf", text=f"{name}={_spelled(value)}")
        elif found := _in_table(name):
            table, row, column = found
            if table in LINES:
                text = f"{LINES[table]}={row} {column}={_spelled(value)}"
                yield Line(setting=name, file="slurm.conf", text=text)
            else:
                text = f"{TABLES[table]}|{column}\n{row}|{_spelled(value)}"
                yield Line(setting=name, file=f"{name.replace('/', '-')}.txt", text=text)


def _spelled(value: Value) -> str:
    if isinstance(value, bool):
        return "YES" if value else "NO"
    return str(value)


def _written(lines: Sequence[Line], folder: Path) -> Iterator[Path]:
    for name in dict.fromkeys(line.file for line in lines):
        path = folder / name
        path.write_text("".join(f"{line.text}\n" for line in lines if line.file == name))
        yield path


def setting_of(fault: str, settings: Settings) -> tuple[str, str]:
    """Return the setting that a sentence is about, as far as that can be told, and the sentence.

    Places in files that were written for settings are left out.
    """
    lines = list(_lines(settings))
    file, text = next(
        (
            (name, fault.partition(f"/{name}:")[2])
            for name in dict.fromkeys(line.file for line in lines)
            if f"/{name}:" in fault
        ),
        ("", fault),
    )
    if found := NUMBERED.fullmatch(text):
        number, text = int(found[1]), found[2]
        here = [line for line in lines if line.file == file]
        return here[min(number, len(here)) - 1].setting, text
    text = text.strip()
    head = text.partition(":")[0].lower()
    near = {
        name: spelled
        for name, value in settings.items()
        if (spelled := _spelled(value).lower()) and (spelled in text.lower() or head in spelled)
    }
    return max(near, key=lambda name: len(near[name]), default=_any(settings)), text


def _any(settings: Settings) -> str:
    return CONFIG if CONFIG in settings else next(iter(settings), CONFIG)


def _site(settings: Settings) -> tuple[Site, list[tuple[str, str]]]:
    told: dict[str, Any] = {}
    for name, value in settings.items():
        if name.startswith(SITE):
            _put(told, name.removeprefix(SITE).split("."), value)
    if not told:
        return default(), []
    try:
        return Site.model_validate(told, context={"folder": Path.cwd()}), []
    except ValidationError as error:
        said = causes(error, Site)
        return default(), [(f"{SITE}{one.partition(':')[0]}", one) for one in said]


def _put(table: dict[str, Any], keys: Sequence[str], value: Value) -> None:
    for key in keys[:-1]:
        inner = table.setdefault(key, {})
        if not isinstance(inner, Mapping):
            return
        table = inner  # type: ignore[assignment]
    table[keys[-1]] = value
