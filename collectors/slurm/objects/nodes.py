"""Nodes one by one, out of JSON: of slurmrestd, and of `sinfo --json` of Slurm 22.05."""

from collections.abc import Iterable
from dataclasses import replace

from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.words import states, units
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Node, Quarantined

SINFO = "sinfo --json"

Nodes = tuple[tuple[Node, ...], tuple[Quarantined, ...]]


def one_by_one(text: str) -> tuple[bool, tuple[Quarantined, ...]]:
    """Return whether `sinfo --json` has a record for each node, as Slurm 22.05 writes it.

    Newer versions put nodes that are alike into one record: for those use the text.
    """
    return "nodes" in decoded(text, SINFO), ()


def parse_nodes(text: str) -> Nodes:
    """Return the nodes of slurmrestd, or of `sinfo --json` as Slurm 22.05 writes it."""
    found = record_list(decoded(text, SINFO), "nodes", SINFO)
    return sorted_out(Fact.NODES, found, node_of)


def combined(now: Iterable[Node], described: Iterable[Node]) -> tuple[Node, ...]:
    """Return the nodes as they are now, with what only their description tells.

    That is their order, and the CPUs and memory that are left to jobs.
    """
    known = {node.name: (at, node) for at, node in enumerate(described)}

    def place(node: Node) -> int:
        return known[node.name][0] if node.name in known else len(known)

    return tuple(
        replace(node, cpus=known[node.name][1].cpus, memory_mb=known[node.name][1].memory_mb)
        if node.name in known
        else node
        for node in sorted(now, key=place)
    )


def node_of(record: object) -> Node:
    """Read one node's record. Raises ValueError, naming it."""
    node = Fields(record)
    name = node.name("name")
    if not name:
        raise ValueError("a node without a name")
    try:
        words, afterwards = (
            [word.upper() for key in (name, f"{name}_flags") for word in node.words(key)]
            for name in ("state", "next_state_after_reboot")
        )
        return Node(
            name=name,
            cpus=node.count("effective_cpus") or node.count("cpus"),
            memory_mb=node.count("real_memory") - node.count("specialized_memory"),
            state=states.node_state(words),
            flags=states.node_flags(words, afterwards),
            cpus_per_core=units.cpus_of_core(
                node.count("cpus"),
                node.count("sockets") * node.count("cores"),
                node.count("threads"),
            ),
            sockets=max(1, node.count("sockets")),
            tmp_disk_mb=node.count("temporary_disk"),
            gres=units.gres(node.text("gres")),
            features=tuple(part for word in node.words("features") for part in word.split(",")),
            weight=node.count("weight"),
            cpus_allocated=node.count("alloc_cpus"),
            memory_allocated_mb=node.count("alloc_memory"),
            owner=node.text("owner"),
            reason=node.text("reason"),
            boot_at=node.instant("boot_time"),
            idle_since=node.instant("last_busy"),
        )
    except ValueError as error:
        raise ValueError(f"node {name}: {error}") from error
