"""The server and its scheduler: what they give jobs, and how they are set up to decide."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from collectors.pbs.answers import Answer, Attributes, read
from collectors.pbs.bounds import Bounds, bounds_of
from collectors.pbs.hosts import CPUS, MEMORY, Hosts
from collectors.pbs.words import amount, short, truth
from predictor.domain import License, Quarantined
from predictor.errors import SourceFormatError

QSTAT_B = "qstat -B -f -F json"
SCHED_CONFIG = "sched_config"
LIST_SCHED = "qmgr -c 'list sched'"
_TOLD = (
    "scheduling",
    "job_sort_formula",
    "backfill_depth",
    "eligible_time_enable",
    "scheduler_iteration",
    "node_group_enable",
    "node_group_key",
    "job_history_enable",
)
_SAYS_NOTHING = frozenset({"sched_host", "sched_log", "sched_priv", "pbs_version", "comment"})
_LINE = re.compile(r"(\w{1,100})\s*:\s*(\"[^\"]*\"|\S+)(?:\s+(\w+))?\s*")
_SETTING = re.compile(r"\s{1,20}([\w.]{1,100}) = (.*)")
LONGEST = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What the server tells of itself."""

    name: str = ""
    version: str = ""
    default_queue: str = ""
    default_chunk: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    pools: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Resources of the server as a whole: how many there are, and in use."""
    shows_others: bool = True
    """Whether everybody sees everybody's jobs."""
    bounds: Bounds = Bounds()
    settings: Mapping[str, str] = field(default_factory=dict)


def parse_server(text: str) -> tuple[Server, tuple[Quarantined, ...]]:
    """Return the server; the first one, if there are several. Raises SourceError."""
    answer = read(text, "Server", QSTAT_B)
    if not answer.records:
        raise SourceFormatError(f"{QSTAT_B}: it tells of no server")
    try:
        return _server(answer, Attributes(next(iter(answer.records.values())))), ()
    except ValueError as error:
        raise SourceFormatError(f"{QSTAT_B}: {error}") from error


def _server(answer: Answer, told: Attributes) -> Server:
    held = told.part("resources_assigned").texts()
    pools = {
        name.lower(): (number, amount(held.get(name, "")) or 0)
        for name, text in told.part("resources_available").texts().items()
        if (number := amount(text)) is not None and name.lower() not in (CPUS, MEMORY, "nodect")
    }
    return Server(
        name=short(answer.server),
        version=answer.version,
        default_queue=told.text("default_queue"),
        default_chunk=told.part("default_chunk").texts(),
        defaults=told.part("resources_default").texts(),
        pools=pools,
        # Source: qmgr(8B): only "True" lets users see the jobs of others.
        shows_others=truth(told.text("query_other_jobs")) is True,
        bounds=bounds_of(told),
        settings={key: told.long_text(key)[:LONGEST] for key in _TOLD if told.has(key)},
    )


def licenses_of(server: Server, hosts: Hosts) -> tuple[License, ...]:
    """Return the server's pools, less what hosts have of their own."""
    return tuple(
        License(name=name, total=total, used=used)
        for name, (total, used) in server.pools.items()
        if name not in hosts.counted
    )


def parse_sched_config(text: str) -> tuple[dict[str, str], tuple[Quarantined, ...]]:
    """Return the scheduler's file by option; what holds at all times goes before prime time."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if (read_line := _LINE.fullmatch(line.strip())) and not line.startswith("#"):
            name, value, when = read_line.groups()
            if name not in found or (when or "all").lower() != "non_prime":
                found[name] = value.strip('"')[:LONGEST]
    if not found:
        raise SourceFormatError(f"{SCHED_CONFIG}: no option in it")
    return found, ()


def parse_list_sched(text: str) -> tuple[dict[str, str], tuple[Quarantined, ...]]:
    """Return the attributes of the first scheduler that `qmgr` lists. Raises SourceFormatError."""
    first = text.partition("\n\n")[0]
    matches = filter(None, map(_SETTING.fullmatch, first.splitlines()))
    if not first.startswith("Sched"):
        raise SourceFormatError(f"{LIST_SCHED}: not a scheduler: {text[:40]!r}")
    return {match[1]: match[2][:LONGEST] for match in matches if match[1] not in _SAYS_NOTHING}, ()
