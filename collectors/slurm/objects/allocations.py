"""What a job holds of each node, out of its record in `squeue --json`."""

from collections.abc import Mapping, Sequence

from collectors.slurm.objects.fields import Fields
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from predictor.domain import NodeShare, Tres

_HELD_CORE = frozenset({"ALLOCATED", "ALLOCATED_AND_IN_USE", "IN_USE"})


def allocation_of(job: Fields, cpus_per_core: Mapping[str, int]) -> tuple[NodeShare, ...]:
    """Return the job's share of each of its nodes, in the order of its node list.

    `cpus_per_core` by node name; 1 for nodes not in there. Where Slurm does not tell the shares,
    CPUs are spread evenly and memory stays 0.
    """
    names = expanded(job.text("nodes"))
    gres = _gres(names, job.by_node("gres_detail"))
    resources = job.part("job_resources")
    by_number = resources.is_nested("allocated_nodes")
    shares = _numbered(resources, names) if by_number else _told(resources, cpus_per_core)
    if len(shares) == 1:
        # Cores times threads may exceed what a job got of a single core.
        shares = {name: (job.count("cpus") or cpus, mb) for name, (cpus, mb) in shares.items()}
    even = -(-job.count("cpus") // len(names)) if names else 0
    return tuple(
        NodeShare(node=name, cpus=cpus, memory_mb=mb, gres=gres.get(name, ()))
        for name in names
        for cpus, mb in (shares.get(name, (even, 0)),)
    )


def _numbered(resources: Fields, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return CPUs and MB by node, from the form of v0.0.36 and v0.0.37."""
    nodes = resources.part("allocated_nodes")
    return {
        name: (node.count("cpus"), node.count("memory"))
        for number, name in enumerate(names)
        for node in (nodes.part(str(number)),)
    }


def _told(resources: Fields, cpus_per_core: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return CPUs and MB by node, from the flat form (22.05) or the nested one (24.11 on)."""
    shares = {}
    for node in resources.parts("allocated_nodes"):
        name = node.text("nodename")
        cpus = _flat_cores(node) * cpus_per_core.get(name, 1)
        shares[name] = (cpus, node.count("memory_allocated"))
    if not shares and resources.has("select_type"):
        for node in resources.part("nodes").parts("allocation"):
            memory = node.part("memory").count("allocated")
            shares[node.text("name")] = (node.part("cpus").count("count"), memory)
    return shares


def _flat_cores(node: Fields) -> int:
    return sum(
        str(status).upper() in _HELD_CORE
        for number, _ in node.part("sockets").items()
        for _, status in node.part("sockets").part(number).part("cores").items()
    )


def _gres(names: Sequence[str], details: Sequence[str]) -> Mapping[str, Tres]:
    if len(details) != len(names):
        return {}
    return {
        name: units.gres(detail)
        for name, detail in zip(names, details, strict=True)
        if units.said(detail)
    }
