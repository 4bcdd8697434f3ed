"""What sacctmgr printed, or dumped, as a proposed change to QOS and associations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path

from collectors.slurm.amending.judging import name_of, unheeded, unknown
from collectors.slurm.coverage.findings import Said
from collectors.slurm.coverage.told import columns, in_dump, in_table, scope_of
from collectors.slurm.files.conf import text_of
from collectors.slurm.files.dump import is_dump, parse_dump, rows
from collectors.slurm.files.lines import Remark
from collectors.slurm.text.limits import association_of, qos_of
from collectors.slurm.text.records import Record
from collectors.slurm.words.flags import spoken_qos_flags
from predictor.domain import Association, Limits, Qos, Snapshot, Unlimited
from predictor.domain.amendment import Amendment
from predictor.errors import SourceError

HEADINGS = frozenset({"Name", "Account"})
"""One of these heads a table of QOS, or of associations."""
PROBES = ("7", "00:07:00", "cpu=7", "seven", "NoDecay")
"""Values that columns of every kind understand one of."""

Subject = Qos | Association


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a line says of one QOS or association."""

    scope: str
    """`qos` or `association`."""
    bare: Record
    """The columns that tell whose it is."""
    record: Record
    """The others."""
    parent: str = ""
    """The account above, which only a dump tells."""

    @property
    def whose(self) -> tuple[str, ...]:
        """Return the name, or account, user and partition."""
        return tuple(self.bare.values())

    def name(self, column: str) -> str:
        """Return the column's name in full."""
        of = "/".join(filter(None, self.whose))
        return name_of(Said(scope=self.scope, key=column, value="", of=of))

    def made(self) -> Subject:
        """Return what the line says. Raises ValueError."""
        made = _made(self.scope, {**self.bare, **self.record})
        if isinstance(made, Association):
            return replace(made, parent=self.parent)
        return made

    def over(self, there: Subject | None, of: Sequence[str] = ()) -> Subject:
        """Return what is there under these columns of the line, or all; None: it is new."""
        new = self.made()
        if there is None:
            return new
        touched = {name for column in of or self.record for name in _touched(self.scope, column)}
        plain = {name: getattr(new, name) for name in touched if "." not in name}
        limits = {
            name: getattr(new.limits, name)
            for name in (word.partition(".")[2] for word in touched if "." in word)
        }
        return replace(there, **plain, limits=replace(there.limits, **limits))


def read(path: Path) -> Amendment | None:
    """Return what sacctmgr wrote into a file; None if it did not. Raises SourceError."""
    try:
        text = text_of(path)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if is_dump(text):
        return _dumped(text, str(path))
    if "|" in text.partition("\n")[0] and HEADINGS & {*map(str.strip, columns(text))}:
        return _printed(text, str(path))
    return None


def _dumped(text: str, place: str) -> Amendment:
    found = [
        Row(
            scope="association",
            bare=_identity("association", one.record),
            record=_settings(one.record),
            parent=one.parent,
        )
        for one in rows(text, place)
        if not isinstance(one, Remark)
    ]
    faults = map(str, parse_dump(text, place).remarks)
    return _amendment(in_dump(text, place)[0], tuple(faults), found)


def _printed(text: str, place: str) -> Amendment:
    heading = [*map(str.strip, columns(text))]
    scope = scope_of(text)
    found, faults = [], []
    for number, line in enumerate(text.splitlines()[1:], start=2):
        words = line.split("|")
        if not line.strip():
            continue
        if len(words) != len(heading):
            faults.append(f"{place}:{number}: {len(words)} columns, not {len(heading)}")
            continue
        record = dict(zip(heading, words, strict=True))
        row = Row(scope=scope, bare=_identity(scope, record), record=_settings(record))
        try:
            row.made()
            found.append(row)
        except ValueError as error:
            faults.append(f"{place}:{number}: {str(error)[:200]}")
    said = (replace(one, place=f"{place}:1") for one in in_table(text, place))
    return _amendment(tuple(said), tuple(faults), found)


def _identity(scope: str, record: Record) -> Record:
    names = ("Name",) if scope == "qos" else ("Account", "User", "Partition")
    return {name: record.get(name, "") for name in names}


def _settings(record: Record) -> Record:
    identity = {"Name", "Cluster", "Account", "User", "Partition"}
    return {column: word for column, word in record.items() if column not in identity}


def _amendment(said: Sequence[Said], faults: tuple[str, ...], found: Sequence[Row]) -> Amendment:
    return Amendment(
        said={row.name(column): word for row in found for column, word in row.record.items()},
        faults=(*faults, *dict.fromkeys(unknown(said))),
        without_effect=dict(unheeded(said)),
        over=partial(_over, tuple(found)),
        told=partial(_told, tuple(found)),
    )


def _over(found: Sequence[Row], snapshot: Snapshot) -> Snapshot:
    """Return the snapshot under the rows; who is not named stays, who is new is added."""
    known = _known(snapshot)
    for row in found:
        known[row.scope, *row.whose] = row.over(known.get((row.scope, *row.whose)))
    return replace(
        snapshot,
        qos=tuple(one for one in known.values() if isinstance(one, Qos)),
        associations=tuple(one for one in known.values() if isinstance(one, Association)),
    )


def _told(found: Sequence[Row], snapshot: Snapshot) -> Mapping[str, str]:
    """Return what a snapshot says under the names of the rows, as these spell what is so."""
    known = _known(snapshot)
    told: dict[str, str] = {}
    for row in found:
        there = known.get((row.scope, *row.whose))
        if there is None:
            continue
        for column, word in row.record.items():
            same = row.over(there, (column,)) == there
            told[row.name(column)] = word if same else _spoken(there, row.scope, column)
    return told


def _known(snapshot: Snapshot) -> dict[tuple[str, ...], Subject]:
    known: dict[tuple[str, ...], Subject] = {("qos", one.name): one for one in snapshot.qos}
    for one in snapshot.associations:
        known["association", one.account, one.user, one.partition] = one
    return known


def _made(scope: str, record: Record) -> Subject:
    return qos_of(record) if scope == "qos" else association_of({"Share": "1", **record})


@cache
def _touched(scope: str, column: str) -> frozenset[str]:
    """Return the fields that a column decides, those of limits as `limits.name`."""
    bare = {"Name": "x", "Account": "x"}
    blank = _made(scope, bare)
    return frozenset(
        name for probe in _probes(scope, bare, column) for name in _differing(blank, probe)
    )


def _probes(scope: str, bare: Record, column: str) -> Iterator[Subject]:
    for word in PROBES:
        try:
            yield _made(scope, {**bare, column: word})
        except ValueError:
            continue


def _differing(one: Subject, other: Subject) -> Iterator[str]:
    for field in fields(one):
        if field.name != "limits" and getattr(one, field.name) != getattr(other, field.name):
            yield field.name
    for field in fields(Limits):
        if getattr(one.limits, field.name) != getattr(other.limits, field.name):
            yield f"limits.{field.name}"


def _spoken(there: Subject, scope: str, column: str) -> str:
    """Return the value that a column has now, in words."""
    values = (
        getattr(there.limits, name.partition(".")[2]) if "." in name else getattr(there, name)
        for name in sorted(_touched(scope, column))
    )
    return ", ".join(filter(None, map(_in_words, values)))


def _in_words(value: object) -> str:
    match value:
        case None | Unlimited():
            return ""
        case frozenset():
            return spoken_qos_flags(value)
        case tuple():
            return ",".join("=".join(map(str, x)) if isinstance(x, tuple) else x for x in value)
        case _:
            return str(value)
