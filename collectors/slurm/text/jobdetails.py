"""What squeue's table does not tell of jobs, out of `scontrol -d -o show job`.

There a name or a comment can look like anything, also like another job's record. Hence a record
that tells one thing twice, or not all of it, is left out, and of a job that is told of twice
both records are kept: whoever uses them compares them with the table, which cannot be forged.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from predictor.domain import Quarantined
from predictor.errors import SourceFormatError

_RECORD = re.compile(r"^JobId=(\d+) ", re.MULTILINE)
_KEYS = re.compile(
    r" (SubmitTime|NumCPUs|NodeList|NumNodes|ExcNodeList|MinMemoryCPU|MinMemoryNode|Exclusive"
    r"|ReqTRES)=(\S*)"
)
_THROTTLE = re.compile(r"JobId=\d+ ArrayJobId=\d+ ArrayTaskId=\S+ ArrayTaskThrottle=(\d+) ")
_SHARE = re.compile(r" Nodes=(\S+) CPU_IDs=(\S+) Mem=(\d+) GRES=(\S*)")
NONE = "No jobs"
NEEDED = frozenset({"SubmitTime", "NumCPUs", "NodeList", "NumNodes"})
"""What every record tells, once."""

_SPAN = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What a job holds of one node."""

    node: str
    cpus: int
    """Of a core that it holds, all hardware threads count."""
    memory_mb: int
    gres: str
    """As Slurm writes it: `gpu:tesla:2(IDX:0-1)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What is told of one job, in Slurm's words; "" where a thing is not told."""

    submitted: str
    cpus: str
    held: str
    """The nodes it has."""
    nodes: str
    """`2` or, where the most is given too, `1-4`."""
    excluded_nodes: str = ""
    memory_per_cpu: str = ""
    memory_per_node: str = ""
    exclusive: str = ""
    """Told by newer versions only."""
    requested: str = ""
    """The request's TRES; told by newer versions only."""
    throttle: int = 0
    """So many tasks of its array may run at a time; 0: any number."""
    shares: tuple[Share, ...] = ()


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
        if details is not None and details not in found.get(number, ()):
            found[number] = (*found.get(number, ()), details)
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
        nodes=told["NumNodes"],
        excluded_nodes=units.said(told.get("ExcNodeList", "")),
        memory_per_cpu=told.get("MinMemoryCPU", ""),
        memory_per_node=told.get("MinMemoryNode", ""),
        exclusive=told.get("Exclusive", ""),
        requested=told.get("ReqTRES", ""),
        throttle=int(throttle[1]) if throttle else 0,
        shares=tuple(_shares(record)),
    )


def _shares(record: str) -> Iterator[Share]:
    for nodes, cpu_ids, memory, gres in _SHARE.findall(record):
        cpus = sum(1 + int(last or first) - int(first) for first, last in _SPAN.findall(cpu_ids))
        for name in expanded(nodes):
            yield Share(node=name, cpus=cpus, memory_mb=int(memory), gres=gres)
