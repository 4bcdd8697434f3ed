"""A configuration with all its files: settings by name, and records of nodes, partitions, switches.

Reading is lenient where slurmctld refuses to start: what cannot be read is remarked upon, unknown
keys are kept. It is bounded in files, depth, bytes and pairs.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from collectors.slurm.files.lines import Inclusion, Line, Pair, Place, Remark, items
from predictor.errors import SourceError

MOST_BYTES = 8 * 2**20
"""Of all files together."""
MOST_FILES = 200
DEEPEST = 10
MOST_PAIRS = 400_000
MOST_REMARKS = 1000

RECORDS: Mapping[str, str] = {
    name.lower(): name
    for name in (
        "NodeName",
        "PartitionName",
        "DownNodes",
        "NodeSet",
        "FrontendName",
        "SwitchName",
        "BlockName",
    )
}
"""The keys that begin a record; what follows on the line belongs to it."""
DEFAULT = "DEFAULT"
"""A record of this name holds what counts for those after it, unless they say otherwise."""
WILD = frozenset("*?[")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A key outside of records, with the value that counts: the last one."""

    key: str
    """As written."""
    value: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A record."""

    name: str
    values: Mapping[str, str]
    """By key in lower case, defaults included; without the key of the name."""
    own: frozenset[str]
    """Which of them the record says itself."""
    written: Mapping[str, str]
    """The keys as written, by key in lower case."""
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Conf:
    """What the files say."""

    lines: tuple[Line, ...] = ()
    remarks: tuple[Remark, ...] = ()
    files: tuple[str, ...] = ()

    def settings(self) -> dict[str, Setting]:
        """Return what is said outside of records, by key in lower case."""
        return {
            pair.key.lower(): Setting(key=pair.key, value=pair.value, place=line.place)
            for line in self.lines
            for pair in _split(line)[0]
        }

    def value(self, key: str) -> str:
        """Return what is said under a key, however it is spelled; empty: nothing."""
        found = self.settings().get(key.lower())
        return found.value if found else ""

    def records(self, kind: str) -> tuple[Entry, ...]:
        """Return the records that begin with the key `kind`, each with the defaults before it."""
        defaults: dict[str, str] = {}
        written: dict[str, str] = {}
        found: list[Entry] = []
        for line in self.lines:
            first, *rest = _split(line)[1] or (Pair("", ""),)
            if first.key.lower() != kind.lower():
                continue
            own = {pair.key.lower(): pair.value for pair in rest}
            written = written | {pair.key.lower(): pair.key for pair in rest}
            if first.value.upper() == DEFAULT:
                defaults = defaults | own
            else:
                found.append(
                    Entry(
                        name=first.value,
                        values=defaults | own,
                        own=frozenset(own),
                        written=written,
                        place=line.place,
                    )
                )
        return tuple(found)


def parse(text: str, file: str = "slurm.conf") -> Conf:
    """Return what a text says by itself. Files that it includes are remarked upon, not read."""
    reader = _Reader(_refuse)
    reader.take(text, file, ())
    return reader.conf()


def load(path: Path) -> Conf:
    """Return what a file says, with all that it includes. Raises SourceError if it cannot be read.

    An included file that cannot be read is remarked upon. A relative name counts from the folder
    of the first file; `%c` in it is the cluster's name; `*`, `?` and `[]` stand for several files.
    """
    try:
        text = text_of(path)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {_why(error)}") from error
    reader = _Reader(lambda name: _found(path.parent, name))
    reader.take(text, str(path), ())
    return reader.conf()


def _split(line: Line) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the pairs before a record and those of the record."""
    for at, pair in enumerate(line.pairs):
        if pair.key.lower() in RECORDS:
            return line.pairs[:at], line.pairs[at:]
    return line.pairs, ()


@dataclass(slots=True)
class _Reader:
    """Reads files into one list of lines, within bounds."""

    find: Callable[[str], list[Path]]
    """The files that a name stands for. Raises OSError or ValueError."""
    lines: list[Line] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    pairs: int = 0
    size: int = 0
    said: dict[str, Place] = field(default_factory=dict)
    cluster: str = ""
    full: bool = False

    def conf(self) -> Conf:
        return Conf(lines=tuple(self.lines), remarks=tuple(self.remarks), files=tuple(self.files))

    def remark(self, remark: Remark) -> None:
        if len(self.remarks) < MOST_REMARKS:
            self.remarks.append(remark)

    def take(self, text: str, file: str, above: tuple[str, ...]) -> None:
        """Read a file's text; `above` are the files that include it."""
        self.files.append(file)
        self.size += len(text)
        for item in items(text, file):
            if self.full:
                return
            if isinstance(item, Remark):
                self.remark(item)
            elif isinstance(item, Inclusion):
                self._include(item, (*above, file))
            else:
                self._keep(item)

    def _keep(self, line: Line) -> None:
        self.pairs += len(line.pairs)
        if self.pairs > MOST_PAIRS:
            self.full = True
            cause = f"more than {MOST_PAIRS} settings; the rest left out"
            self.remarks.append(Remark(line.place, cause))
            return
        self.lines.append(line)
        for pair in _split(line)[0]:
            self._note(pair, line.place)

    def _note(self, pair: Pair, place: Place) -> None:
        key = pair.key.lower()
        if key == "clustername":
            self.cluster = pair.value
        if key in self.said and key != "slurmctldhost":
            self.remark(Remark(place, f"{pair.key} again, after {self.said[key]}; this one counts"))
        self.said[key] = place

    def _include(self, inclusion: Inclusion, above: tuple[str, ...]) -> None:
        name = inclusion.name.replace("%c", self.cluster)
        try:
            for path in self.find(name):
                self._open(path, above)
        except (OSError, ValueError) as error:
            self.remark(Remark(inclusion.place, f"Include {name[:200]}: {_why(error)}"))

    def _open(self, path: Path, above: tuple[str, ...]) -> None:
        if any(path.samefile(file) for file in above):
            raise ValueError("it includes itself; left out")
        if len(above) >= DEEPEST:
            raise ValueError(f"more than {DEEPEST} files deep; left out")
        if len(self.files) >= MOST_FILES:
            raise ValueError(f"more than {MOST_FILES} files; left out")
        self.take(text_of(path, MOST_BYTES - self.size), str(path), above)


def _refuse(name: str) -> list[Path]:
    raise ValueError("not read: a text alone includes nothing")


def _found(folder: Path, name: str) -> list[Path]:
    path = folder / name
    if not WILD & set(name):
        return [path]
    root = Path(path.anchor) if path.is_absolute() else Path()
    return sorted(_first(root.glob(str(path.relative_to(path.anchor))), MOST_FILES))


def _first(paths: Iterator[Path], most: int) -> list[Path]:
    return [path for path, _ in zip(paths, range(most + 1), strict=False)]


def text_of(path: Path, most: int = MOST_BYTES) -> str:
    """Return a file's text. Raises OSError, and ValueError for no file or too much."""
    # Without blocking: an included pipe must not keep us waiting for ever.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("not a file")
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"more than {MOST_BYTES} bytes in all; left out")
    return content.decode(errors="replace")


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
