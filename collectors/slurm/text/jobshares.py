"""What a job holds of each of its nodes, as records of the JSON dialect."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from collectors.slurm.text.jobdetails import Shares
from collectors.slurm.text.jobtable import Row
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from predictor import hostlists
from predictor.domain import amount_of

_SPAN = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """What it holds of one node; of a core that it holds, all hardware threads count."""

    node: str
    cpus: int
    memory_mb: int
    gres: str


def held(row: Row, told: Shares, cpus_per_core: Mapping[str, int]) -> Mapping[str, object]:
    """Return its share of each node: as told if that agrees with the table, else spread evenly."""
    names = expanded(row["NodeList"])
    if not names:
        return {}
    shares = _by_node(row, told, len(names))
    if not _agree(row, names, shares, cpus_per_core):
        shares = {share.node: share for share in _spread(row, names)}
    parts = [
        {"name": s.node, "cpus": {"count": s.cpus}, "memory": {"allocated": s.memory_mb}}
        for s in shares.values()
    ]
    return {
        "job_resources": {"select_type": [], "nodes": {"allocation": parts}},
        "gres_detail": [shares[name].gres for name in names],
    }


def _by_node(row: Row, told: Shares, nodes: int) -> Mapping[str, _Share]:
    """Return the shares as told, if they can be of its nodes; none if they make no sense.

    A job that completes gives back one node after the other, and tells of those given back too.
    """
    try:
        if not nodes <= sum(hostlists.size(names) for names, *_ in told) <= int(row["NumCPUs"]):
            return {}
        return {share.node: share for share in _told(told)}
    except ValueError:
        return {}


def _told(told: Shares) -> Iterator[_Share]:
    for nodes, cpu_ids, memory, gres in told:
        cpus = sum(1 + int(last or first) - int(first) for first, last in _SPAN.findall(cpu_ids))
        for name in expanded(nodes):
            yield _Share(node=name, cpus=cpus, memory_mb=int(memory), gres=gres)


def _spread(row: Row, names: Sequence[str]) -> Iterator[_Share]:
    cpus, memory_mb = -(-units.count(row["NumCPUs"]) // len(names)), _all_mb(row) // len(names)
    for name in names:
        yield _Share(node=name, cpus=cpus, memory_mb=memory_mb, gres="")


def _all_mb(row: Row) -> int:
    return amount_of(units.tres(units.said(row["tres-alloc"])), "mem")


def _agree(
    row: Row, names: Sequence[str], shares: Mapping[str, _Share], cpus_per_core: Mapping[str, int]
) -> bool:
    if shares.keys() != set(names) and not (
        row["State"] == "COMPLETING" and shares.keys() > set(names)
    ):
        return False
    cpus, got = sum(share.cpus for share in shares.values()), units.count(row["NumCPUs"])
    threads = max(cpus_per_core.get(name, 1) for name in names)
    memory_mb, all_mb = sum(share.memory_mb for share in shares.values()), _all_mb(row)
    return got <= cpus <= got * threads and all_mb in (0, memory_mb)
