"""What squeue's table does not tell of jobs, out of `scontrol -d -o show job`.

There a name or a comment can look like anything, also like another job's record. Hence a record
that tells one thing twice, or not all of it, is left out, and of a job that is told of twice
both records are kept: whoever uses them compares them with the table, which cannot be forged.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from collectors.slurm.words import units
from predictor.domain import Quarantined
from predictor.errors import SourceFormatError

_RECORD = re.compile(r"^JobId=(\d+) ", re.MULTILINE)
_KEYS = re.compile(
    r" (SubmitTime|NumCPUs|NodeList|NumNodes|ExcNodeList|MinMemoryCPU|MinMemoryNode|Exclusive"
    r"|ReqTRES|LicensesAlloc|CpusPerTres|MemPerTres|SpreadJob|Deadline|ReqB:S:C:T"
    r"|NtasksPerN:B:S:C|SegmentSize|GresEnforceBind|MinTmpDiskNode)=(\S*)"
)
_THROTTLE = re.compile(r"JobId=\d+ ArrayJobId=\d+ ArrayTaskId=\S+ ArrayTaskThrottle=(\d+) ")
_SHARE = re.compile(r" Nodes=(\S+) CPU_IDs=(\S+) Mem=(\d+) GRES=(\S*)")
NONE = "No jobs"
NEEDED = frozenset({"SubmitTime", "NumCPUs", "NodeList", "NumNodes"})
"""What every record tells, once."""

MOST_ALIKE = 4
"""So many different records of one job are kept; who finds more need not look for the true one."""

Shares = tuple[tuple[str, str, str, str], ...]
"""Nodes, the ids of CPUs, megabytes and generic resources on each, as scontrol writes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What is told of one job, in Slurm's words; "" where a thing is not told."""

    submitted: str
    cpus: str
    held: str
    """The nodes it has."""
    nodes_max: int
    """The most nodes it would take; 0: as many as it likes, or it waits no more."""
    excluded_nodes: str = ""
    memory_per_cpu_mb: int | None = None
    memory_per_node_mb: int | None = None
    exclusive: str = ""
    """Told by newer versions only."""
    requested: str = ""
    """The request's TRES; told by newer versions only."""
    deadline: str = ""
    """When it must be over, in the site's time."""
    licenses_held: str = ""
    """Told by newer versions only, and of who has some."""
    cpus_per_gres: str = ""
    memory_per_gres: str = ""
    sizes: tuple[str, ...] = ()
    """The numbers of nodes that would do, `2`, `4-6`; none: any from the least on."""
    segment: int = 0
    """Told by newer versions only."""
    disk_mb: int = 0
    binds_gres: bool = False
    cores_per_socket: int = 0
    """It wants so many at least; 0: any number."""
    threads_per_core: int = 0
    """It uses so many threads of a core; 0: any number."""
    tasks_per_core: int = 0
    """So many of its tasks may share a core; 0: any number."""
    tasks_per_socket: int = 0
    scattered: bool = False
    throttle: int = 0
    """So many tasks of its array may run at a time; 0: any number."""
    shares: Shares = ()


AllDetails = Mapping[int, tuple[Details, ...]]
"""By the job's internal number; of one job several, if somebody forged some."""


def parse_details(text: str) -> tuple[AllDetails, tuple[Quarantined, ...]]:
    """Return what is told of the jobs. Raises SourceFormatError if these are no jobs at all.

    Nothing is noted of single ones: without its details the table has to do.
    """
    if text.strip() and not _RECORD.search(text) and not text.startswith(NONE):
        raise SourceFormatError(f"scontrol show job: no job in {text[:80]!r}")
    found: dict[int, tuple[Details, ...]] = {}
    for number, record in _records(text):
        details = _understood(record)
        known = found.get(number, ())
        if details is not None and details not in known and len(known) < MOST_ALIKE:
            found[number] = (*known, details)
    return found, ()


def _records(text: str) -> Iterator[tuple[int, str]]:
    begins = list(_RECORD.finditer(text))
    ends = [*(begin.start() for begin in begins[1:]), len(text)]
    for begin, end in zip(begins, ends, strict=False):
        yield int(begin[1]), text[begin.start() : end]


def _understood(record: str) -> Details | None:
    try:
        return _details(record)
    except ValueError:
        return None


def _details(record: str) -> Details | None:
    pairs = _KEYS.findall(record)
    told = dict(pairs)
    if len(told) != len(pairs) or not told.keys() >= NEEDED:
        return None
    throttle = _THROTTLE.match(record)
    return Details(
        submitted=told["SubmitTime"],
        cpus=told["NumCPUs"],
        held=told["NodeList"],
        nodes_max=_nodes_max(told["NumNodes"]),
        excluded_nodes=units.said(told.get("ExcNodeList", "")),
        memory_per_cpu_mb=units.megabytes(told.get("MinMemoryCPU", "")),
        memory_per_node_mb=units.megabytes(told.get("MinMemoryNode", "")),
        exclusive=told.get("Exclusive", ""),
        requested=told.get("ReqTRES", ""),
        deadline=told.get("Deadline", ""),
        licenses_held=units.said(told.get("LicensesAlloc", "")),
        cpus_per_gres=units.said(told.get("CpusPerTres", "")),
        memory_per_gres=units.said(told.get("MemPerTres", "")),
        sizes=tuple(told["NumNodes"].split(",")) if "," in told["NumNodes"] else (),
        segment=units.count(told.get("SegmentSize", "")),
        disk_mb=units.megabytes(told.get("MinTmpDiskNode", "")) or 0,
        binds_gres=units.yes(told.get("GresEnforceBind", "")),
        cores_per_socket=_part(told.get("ReqB:S:C:T", ""), 2),
        threads_per_core=_part(told.get("ReqB:S:C:T", ""), 3),
        tasks_per_core=_part(told.get("NtasksPerN:B:S:C", ""), 3),
        tasks_per_socket=_part(told.get("NtasksPerN:B:S:C", ""), 2),
        scattered=units.yes(told.get("SpreadJob", "")),
        throttle=int(throttle[1]) if throttle else 0,
        shares=tuple(_SHARE.findall(record)),
    )


def _nodes_max(shown: str) -> int:
    """Return the last of `2-6`, or of the numbers that would do, `2,4,6`; 0: it names one only."""
    least, _, most = shown.replace(",", "-").rpartition("-")
    return units.count(most) if least else 0


def _part(shown: str, place: int) -> int:
    """Return one of the numbers of `0:0:*:1`; 0 for `*`, which is any, and where none is told."""
    (number,) = shown.split(":")[place : place + 1] or ("",)
    return units.count(number) if number.isdecimal() else 0
