"""A cluster as its configuration files describe it: settings, partitions, nodes, licenses."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from collectors.slurm.files.conf import Conf, Entry, load
from collectors.slurm.files.lines import Remark
from collectors.slurm.files.shown import (
    config_values,
    is_future,
    licenses_text,
    node_text,
    partition_text,
    switches_text,
)
from collectors.slurm.files.topology import switches_of_yaml
from collectors.slurm.partitioned import partitioned
from collectors.slurm.text.config import Configuration, configuration_of
from collectors.slurm.text.licenses import parse_licenses
from collectors.slurm.text.nodes import parse_nodes
from collectors.slurm.text.partitions import parse_partitions
from collectors.slurm.text.topology import parse_topology, under_switches
from collectors.slurm.words.hostlists import expanded
from predictor.domain import License, Node, Partition, SchedulerSettings
from predictor.errors import SourceFormatError
from predictor.hostlists import MOST_HOSTS, folded, size

T = TypeVar("T")

MOST_NAMES = 2 * MOST_HOSTS
"""So many names all lists of nodes may have together."""

Switches = tuple[str, tuple[Remark, ...]]
"""As `scontrol show topology` would print them, and what could not be read."""
NO_SWITCHES: Switches = ("", ())

_NUMBERS = re.compile(r"([0-9]{1,18})")
_PARTS = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What files say of a cluster.

    Of what a controller tells, files lack: which nodes really run, and since when; what nodes found
    by themselves (`AutoDetect` in gres.conf); what was changed by `scontrol update`; licenses that
    accounting keeps. Nodes are idle unless a file says otherwise.
    """

    cluster: str
    settings: SchedulerSettings
    nodes: tuple[Node, ...] = ()
    """In the order of their names, as a controller has them."""
    partitions: tuple[Partition, ...] = ()
    licenses: tuple[License, ...] = ()
    remarks: tuple[Remark, ...] = ()
    """What could not be read, or is strange."""


def load_setup(path: Path, version: str = "") -> Setup:
    """Return what a slurm.conf says, and the topology beside it. Raises SourceError.

    `version` is Slurm's, which decides on defaults; empty: a new one.
    """
    conf = load(path)
    return setup(conf, switches_beside(path.parent, conf), version)


def switches_beside(folder: Path, conf: Conf) -> Switches:
    """Return the switches in topology.yaml, which goes before all, or those of topology.conf."""
    yaml, plain = folder / "topology.yaml", folder / "topology.conf"
    if yaml.is_file():
        return switches_of_yaml(yaml)
    if plain.is_file() and conf.value("TopologyPlugin").lower().endswith("tree"):
        told = load(plain)
        return switches_text(told.records("SwitchName")), told.remarks
    return NO_SWITCHES


def setup(conf: Conf, switches: Switches = NO_SWITCHES, version: str = "") -> Setup:
    """Return what a configuration says. Raises SourceFormatError if its settings make no sense."""
    reader = Reader(conf)
    config = configuration(conf, version)
    nodes = under_switches(reader.nodes(), parse_topology(switches[0])[0])
    return Setup(
        cluster=config.cluster,
        settings=config.settings,
        nodes=nodes,
        partitions=partitioned(reader.partitions(nodes), config, nodes),
        licenses=reader.licenses(),
        remarks=(*conf.remarks, *switches[1], *reader.remarks),
    )


def configuration(conf: Conf, version: str = "") -> Configuration:
    """Return the settings that stand outside of records. Raises SourceFormatError."""
    place = conf.files[0] if conf.files else "slurm.conf"
    return configuration_of(config_values(conf, version), place)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what sorts n2 before n10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBERS.split(name)]


class Reader:
    """Reads records, with a memory of those that make no sense and of how many names there were."""

    def __init__(self, conf: Conf) -> None:
        self._conf = conf
        self._names = 0
        self.remarks: list[Remark] = []

    def nodes(self) -> Iterator[Node]:
        """Yield the nodes, one by one, each once; the last word on it counts."""
        found: dict[str, Node] = {}
        for entry in self._conf.records("NodeName"):
            found |= dict(self.nodes_of(entry))
        for entry in self._conf.records("DownNodes"):
            for name, like in self.nodes_of(entry, state="DOWN"):
                if name in found:
                    found[name] = replace(
                        found[name], state=like.state, flags=like.flags, reason=like.reason
                    )
        # By name, as the controller orders them, whatever the order of the file.
        yield from sorted(found.values(), key=lambda node: _natural(node.name))

    def nodes_of(self, entry: Entry, state: str = "") -> tuple[tuple[str, Node], ...]:
        """Return the nodes of a record, by name; `state` is theirs unless it says otherwise."""
        values = {"state": state, **entry.values}
        return () if is_future(values) else self.read(entry, partial(self._alike, values=values))

    def _alike(self, entry: Entry, values: Mapping[str, str]) -> Iterator[tuple[str, Node]]:
        names = self._names_of(entry)
        [node] = parse_nodes(node_text("x", values))[0]
        for name in names:
            yield name, replace(node, name=name)

    def partitions(self, nodes: Iterable[Node]) -> Iterator[Partition]:
        """Yield the partitions, each once; the last word on it counts."""
        lists = self.lists(nodes)
        mode = self._conf.value("PreemptMode").upper() or "OFF"
        found: dict[str, Partition] = {}
        for entry in self._conf.records("PartitionName"):
            for one in self.read(entry, partial(self._partitions_of, lists=lists, mode=mode)):
                found[one.name] = one
        yield from found.values()

    def _partitions_of(
        self, entry: Entry, lists: Mapping[str, str], mode: str
    ) -> Iterator[Partition]:
        hosts = self.hosts(entry.values.get("nodes", ""), lists)
        yield from parse_partitions(partition_text(entry, hosts, mode))[0]

    def lists(self, nodes: Iterable[Node]) -> dict[str, str]:
        """Return the lists of nodes that have a name of their own, `ALL` first."""
        there = tuple(nodes)
        return {"ALL": folded(node.name for node in there), **self._sets(there)}

    def hosts(self, written: str, lists: Mapping[str, str]) -> str:
        """Return a partition's nodes without names of lists. Raises ValueError for too many."""
        words = _PARTS.findall(written)
        named = (lists.get("ALL" if word.upper() == "ALL" else word, word) for word in words)
        hosts = ",".join(filter(None, named))
        self._count(hosts)
        return hosts

    def _sets(self, there: tuple[Node, ...]) -> dict[str, str]:
        sets: dict[str, str] = {}
        for entry in self._conf.records("NodeSet"):
            feature = entry.values.get("feature", "")
            by_feature = folded(n.name for n in there if feature and feature in n.features)
            named = filter(None, (entry.values.get("nodes", ""), by_feature))
            sets[entry.name] = ",".join(named)
        return sets

    def licenses(self) -> tuple[License, ...]:
        """Return the controller's own pools."""
        setting = self._conf.settings().get("licenses")
        if setting is None:
            return ()
        try:
            return parse_licenses(licenses_text(self._conf))[0]
        except (ValueError, SourceFormatError) as error:
            self.remarks.append(Remark(setting.place, f"Licenses: {str(error)[:200]}; left out"))
            return ()

    def _names_of(self, entry: Entry) -> tuple[str, ...]:
        self._count(entry.name)
        if names := expanded(entry.name):
            return names
        raise ValueError("no names")

    def _count(self, hostlist: str) -> None:
        self._names += size(hostlist)
        if self._names > MOST_NAMES:
            raise ValueError(f"more than {MOST_NAMES} names of nodes in all")

    def read(self, entry: Entry, parse: Callable[[Entry], Iterable[T]]) -> tuple[T, ...]:
        """Return what a record says; nothing, and a remark, if that makes no sense."""
        try:
            return tuple(parse(entry))
        except (ValueError, OverflowError, SourceFormatError) as error:
            cause = f"{entry.name[:80]}: {str(error)[:200]}; left out"
            self.remarks.append(Remark(entry.place, cause))
            return ()
