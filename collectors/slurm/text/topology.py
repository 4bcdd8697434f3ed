"""The tree of network switches, out of `scontrol show topology`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from collectors.slurm.surroundings import Wish
from collectors.slurm.text.records import Record, needed, records
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Node, Quarantined

OTHER_KINDS = {"BlockName": "block", "RingName": "ring", "TorusName": "torus3d"}
"""What begins the topologies of other kinds than trees, and the names of their plugins."""
DEEPEST = 16
"""No tree of switches has more levels; one that seems to has a switch above itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A switch, with what is directly or somewhere below it."""

    name: str
    node_names: tuple[str, ...]
    """All nodes below it."""
    below: tuple[str, ...] = ()
    """The switches directly below it; a leaf has none."""


@lru_cache(maxsize=4)
def parse_topology(text: str) -> tuple[tuple[Switch, ...], tuple[Quarantined, ...]]:
    """Return the switches of a tree; none where the topology is of another kind."""
    if other_kind(text) or not text.strip():
        return (), ()
    return sorted_out(Fact.TOPOLOGY, records(text, "SwitchName"), _switch)


def other_kind(text: str) -> str:
    """Return of which kind a topology is; empty: a tree, or none."""
    return OTHER_KINDS.get(text.lstrip().partition("=")[0], "")


def _switch(record: Record) -> Switch:
    name = needed(record, "SwitchName")
    try:
        return Switch(
            name=name,
            node_names=expanded(record.get("Nodes", "")),
            below=expanded(record.get("Switches", "")),
        )
    except ValueError as error:
        raise ValueError(f"switch {name}: {error}") from error


@lru_cache(maxsize=4)
def parse_wishes(text: str) -> tuple[Mapping[int, Wish], tuple[Quarantined, ...]]:
    """Return who wants few switches, by Slurm's internal job number."""
    found, bad = sorted_out(Fact.TOPOLOGY, text.splitlines(), _wish)
    return {job: wish for job, wish in found if wish.switches}, bad


def _wish(line: str) -> tuple[int, Wish]:
    """Read the internal job number, how many switches, and for how many seconds it insists."""
    words = line.split()
    if len(words) != 3 or not (words[0].isdecimal() and words[1].isdecimal()):
        raise ValueError(f"expected a job, its switches and a time, not {line[:80]!r}")
    wait_s = units.seconds(words[2])
    wish = Wish(switches=int(words[1]), wait_s=wait_s if isinstance(wait_s, int) else None)
    return int(words[0]), wish


def under_switches(nodes: Iterable[Node], switches: Iterable[Switch]) -> tuple[Node, ...]:
    """Return the nodes with the switches above each; none of a node that is below no leaf."""
    found = {switch.name: switch for switch in switches}
    above = {name: switch.name for switch in found.values() for name in switch.below}
    leaf = {
        node: switch.name
        for switch in found.values()
        if not switch.below
        for node in switch.node_names
    }
    return tuple(replace(node, switches=_path(leaf.get(node.name), above)) for node in nodes)


def _path(leaf: str | None, above: Mapping[str, str]) -> tuple[str, ...]:
    path: list[str] = []
    while leaf is not None and leaf not in path and len(path) < DEEPEST:
        path.append(leaf)
        leaf = above.get(leaf)
    return tuple(path)
