"""What `sacctmgr dump` wrote: the accounts and users of a cluster, with their limits.

Only ever read: to dump is an action, and somebody else's. QOS are not in there. Source:
sacctmgr(1), and a dump of 22.05.8.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from collectors.slurm.files.lines import LONGEST_LINE, Place, Remark
from collectors.slurm.text.limits import association_of
from collectors.slurm.text.records import Record
from predictor.domain import Association

_ENTITY = re.compile(r"(Cluster|Parent|Account|User)\s*-\s*('[^']*'|\"[^\"]*\"|[^:'\"]*)")
_OPTION = re.compile(r":([A-Za-z]+)=('[^']*'|\"[^\"]*\"|[^:'\"]*)")
_FROM_THE_PARENT = "2147483647"
"""Shares that stand for the parent's."""
_COLUMNS: Mapping[str, str] = {
    "fairshare": "Share",
    "partition": "Partition",
    "priority": "Priority",
    "qos": "QOS",
    "defaultqos": "Def QOS",
    "grpjobs": "GrpJobs",
    "grpjobsaccrue": "GrpJobsAccrue",
    "grpsubmitjobs": "GrpSubmit",
    "grptres": "GrpTRES",
    "grptresmins": "GrpTRESMins",
    "grptresrunmins": "GrpTRESRunMins",
    "grpwall": "GrpWall",
    "maxjobs": "MaxJobs",
    "maxjobsaccrue": "MaxJobsAccrue",
    "maxsubmitjobs": "MaxSubmit",
    "maxtresperjob": "MaxTRES",
    "maxtrespernode": "MaxTRESPerNode",
    "maxtresminsperjob": "MaxTRESMins",
    "maxwalldurationperjob": "MaxWall",
    "minpriothresh": "MinPrioThres",
}
"""By option in lower case: what `sacctmgr show assoc` calls it."""
_NOT_LIMITS = frozenset(
    {
        "adminlevel",
        "classification",
        "comment",
        "coordinator",
        "defaultaccount",
        "defaultwckey",
        "description",
        "organization",
        "wckeys",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An association as `sacctmgr -P show assoc` would have it, and the account above it."""

    record: Record
    parent: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """What a dump says."""

    cluster: str
    associations: tuple[Association, ...]
    remarks: tuple[Remark, ...]


def is_dump(text: str) -> bool:
    """Return whether a text is a dump: its first line of any meaning names a cluster."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return next(lines, "").startswith("Cluster - ")


def parse_dump(text: str, file: str = "dump") -> Dump:
    """Return the associations of a dump, with their parents, and remarks on what makes no sense."""
    found: list[Association] = []
    remarks: list[Remark] = []
    cluster = ""
    for row in rows(text, file):
        if isinstance(row, Remark):
            remarks.append(row)
            continue
        cluster = row.record["Cluster"]
        try:
            found.append(replace(association_of(row.record), parent=row.parent))
        except ValueError as error:
            remarks.append(Remark(row.place, f"{str(error)[:200]}; left out"))
    return Dump(cluster=cluster, associations=tuple(found), remarks=tuple(remarks))


def rows(text: str, file: str) -> Iterator[Row | Remark]:
    """Yield the associations, the root first, and a remark for each line that cannot be read."""
    cluster, parent = "", "root"
    for number, line in enumerate(text.splitlines(), start=1):
        place = Place(file, number)
        code = line.strip()
        if not code or code.startswith("#"):
            continue
        match = _ENTITY.match(code) if len(code) <= LONGEST_LINE else None
        options, end = _options(code, match.end()) if match else ({}, 0)
        if match is None or end < len(code):
            yield Remark(place, f"expected Kind - 'name':Option=value…, not {code[end:][:80]!r}")
            continue
        name = _bare(match[2])
        if match[1] == "Parent":
            parent = name
            continue
        cluster = name if match[1] == "Cluster" else cluster
        yield from _unknown(options, place)
        record = {"Cluster": cluster, "User": "", "Share": "1", **_columns(options)}
        if match[1] == "User":
            yield Row(record=record | {"Account": parent, "User": name}, parent=parent, place=place)
        else:
            account, above = (name, parent) if match[1] == "Account" else ("root", "")
            yield Row(record=record | {"Account": account}, parent=above, place=place)


def _options(code: str, at: int) -> tuple[dict[str, str], int]:
    """Return the options from a place on, by name in lower case, and where they end."""
    found: dict[str, str] = {}
    while match := _OPTION.match(code, at):
        found[match[1].lower()] = _bare(match[2])
        at = match.end()
    return found, at


def _columns(options: Mapping[str, str]) -> Record:
    """Return what is said by columns; an option that is not known keeps its own name."""
    told = {key: value for key, value in options.items() if key not in _NOT_LIMITS}
    found = {_COLUMNS.get(key, key): value for key, value in told.items()}
    return found | ({"Share": "parent"} if found.get("Share") == _FROM_THE_PARENT else {})


def _unknown(options: Mapping[str, str], place: Place) -> Iterator[Remark]:
    for key in sorted(options.keys() - _COLUMNS.keys() - _NOT_LIMITS):
        yield Remark(place, f"{key}: not known; left out")


def _bare(word: str) -> str:
    return word.strip().strip("'\"")
