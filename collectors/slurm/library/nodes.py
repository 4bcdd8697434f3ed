"""Nodes, out of pyslurm's: brought into the words of Slurm's JSON, and read as those are."""

from collectors.slurm.library.records import Record, joined, read, word
from collectors.slurm.objects.nodes import Nodes, node_of
from predictor.domain import Fact

_RENAMED = {
    "name": "name",
    "effective_cpus": "effective_cpus",
    "cpus": "total_cpus",
    "real_memory": "real_memory",
    "specialized_memory": "memory_reserved_for_system",
    "temporary_disk": "temporary_disk_space",
    "sockets": "sockets",
    "cores": "cores_per_socket",
    "threads": "threads_per_core",
    "features": "available_features",
    "weight": "weight",
    "alloc_cpus": "allocated_cpus",
    "alloc_memory": "allocated_memory",
    "owner": "owner",
    "reason": "reason",
    "boot_time": "boot_time",
    "last_busy": "last_busy_time",
}


def parse_nodes(text: str) -> Nodes:
    """Return the nodes of pyslurm's `Nodes.load()`, in Slurm's own order. Raises SourceError."""
    return read(Fact.NODES, text, lambda record: node_of(in_words_of_json(record)))


def in_words_of_json(node: Record) -> Record:
    """Return a node's record in the words of `scontrol --json`."""
    gres = node.get("configured_gres")
    return {
        **{name: node[theirs] for name, theirs in _RENAMED.items() if theirs in node},
        "state": _states(node),
        "gres": joined(gres, ":") if isinstance(gres, dict) else "",
    }


def _states(node: Record) -> list[str]:
    states = [part.rstrip("*~#!%$@^-") for part in word(node, "state").split("+")]
    held, there = node.get("allocated_cpus"), node.get("effective_cpus")
    partly = isinstance(held, int) and isinstance(there, int) and 0 < held < there
    # Up to 22.05 it is for those who ask to tell the two apart.
    return ["MIXED" if state == "ALLOCATED" and partly else state for state in states]
