"""What a job holds of each of its nodes, as records of the JSON dialect."""

from collections.abc import Iterator, Mapping, Sequence

from collectors.slurm.text.jobdetails import Share
from collectors.slurm.text.jobtable import Row
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from predictor.domain import amount_of


def held(row: Row, told: Sequence[Share], cpus_per_core: Mapping[str, int]) -> Mapping[str, object]:
    """Return its share of each node: as told if that agrees with the table, else spread evenly."""
    names = expanded(row["NodeList"])
    if not names:
        return {}
    shares = {share.node: share for share in told}
    if len(shares) != len(told) or not _agree(row, names, shares, cpus_per_core):
        shares = {share.node: share for share in _spread(row, names)}
    ordered = [shares[name] for name in names]
    parts = [
        {"name": s.node, "cpus": {"count": s.cpus}, "memory": {"allocated": s.memory_mb}}
        for s in ordered
    ]
    return {
        "job_resources": {"select_type": [], "nodes": {"allocation": parts}},
        "gres_detail": [share.gres for share in ordered],
    }


def _spread(row: Row, names: Sequence[str]) -> Iterator[Share]:
    cpus, memory_mb = -(-units.count(row["NumCPUs"]) // len(names)), _all_mb(row) // len(names)
    for name in names:
        yield Share(node=name, cpus=cpus, memory_mb=memory_mb, gres="")


def _all_mb(row: Row) -> int:
    return amount_of(units.tres(units.said(row["tres-alloc"])), "mem")


def _agree(
    row: Row, names: Sequence[str], shares: Mapping[str, Share], cpus_per_core: Mapping[str, int]
) -> bool:
    if set(names) != shares.keys():
        return False
    cpus, got = sum(share.cpus for share in shares.values()), units.count(row["NumCPUs"])
    threads = max(cpus_per_core.get(name, 1) for name in names)
    memory_mb, all_mb = sum(share.memory_mb for share in shares.values()), _all_mb(row)
    return got <= cpus <= got * threads and all_mb in (0, memory_mb)
