"""What a slurm.conf would change of a cluster as a snapshot shows it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from collectors.slurm.amending.judging import WORDS
from collectors.slurm.coverage.findings import LONGEST_VALUE, discreet
from collectors.slurm.files.conf import Conf
from collectors.slurm.files.overlay import overlaid
from collectors.slurm.files.setup import setup
from collectors.slurm.files.spoken import spoken_partition, spoken_settings
from predictor.domain import License, Node, Partition, SchedulerSettings, Snapshot
from predictor.hostlists import folded

MOST = 1_000
NOT_SETTINGS = frozenset({"ClusterName", "SLURM_VERSION"})
OF_NODES: Mapping[str, str] = {
    "cpus": "CPUs",
    "memory_mb": "RealMemory",
    "tmp_disk_mb": "TmpDisk",
    "gres": "Gres",
    "features": "Features",
    "weight": "Weight",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A setting that is not what it was."""

    name: str
    """In full: `PriorityWeightAge`, `partition batch MaxTime`, `node n[1-4] Features`."""
    running: str | None
    """None: it is not set, or not there."""
    proposed: str | None
    """The same."""
    named: bool = True
    """Whether the file says so; else it leaves it to the default."""

    @property
    def what(self) -> str:
        """Return `changed`, `added` or `removed`: that is, also left to its default."""
        if self.running is None:
            return "added"
        return "changed" if self.named and self.proposed is not None else "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All of them."""

    whole: bool
    """Whether it is a whole slurm.conf: then what it does not name is as by default."""
    found: tuple[Change, ...]


def changes(conf: Conf, snapshot: Snapshot) -> Changes:
    """Return what would change. Raises SourceFormatError for settings that make no sense.

    Of all settings those that a snapshot tells, which are those that decide on starts. Both sides
    are told in the same words, so that two ways of writing one value are no change.
    """
    version = snapshot.provenance.version
    whole = bool(conf.value("ClusterName"))
    if whole:
        then = setup(conf, version=version)
        nodes, partitions, licenses = then.nodes, then.partitions, then.licenses
        settings = then.settings
    else:
        under, _ = overlaid(snapshot, conf)
        nodes, partitions, licenses = under.nodes, under.partitions, under.licenses
        settings = under.settings
    named = frozenset(conf.settings())
    found = (
        *_settings(snapshot.settings, settings, version, named),
        *_partitions(snapshot.partitions, partitions),
        *_nodes(snapshot.nodes, nodes),
        *_licenses(snapshot.licenses, licenses),
    )
    return Changes(whole=whole, found=tuple(map(_discreet, found[:MOST])))


def changes_report(told: Changes) -> dict[str, Any]:
    """Return the same for `--json`."""
    found: dict[str, Any] = {"whole": told.whole, "changed": [], "added": [], "removed": []}
    for one in told.found:
        values = {"running": one.running, "proposed": one.proposed}
        found[one.what].append({"name": one.name, **values})
    return found


def changes_sheet(told: Changes) -> Iterator[str]:
    """Yield the same as lines; they may hold any character."""
    if not told.found:
        yield "  nothing that decides on starts"
    for one in told.found:
        left = "" if one.what != "removed" or one.proposed is None else " (its default)"
        proposed = "(not set)" if one.proposed is None else one.proposed
        running = "(not set)" if one.running is None else one.running
        yield f"  {one.name}: {running} -> {proposed}{left}"


def _settings(
    before: SchedulerSettings, after: SchedulerSettings, version: str, named: frozenset[str]
) -> Iterator[Change]:
    old, new = (spoken_settings(one, version) for one in (before, after))
    for key in old:
        if key not in NOT_SETTINGS and key != WORDS and old[key] != new[key]:
            said = key.lower() in named
            yield Change(name=key, running=old[key], proposed=new[key], named=said)
    words = [dict(one.parameters) for one in (before, after)]
    for word in dict.fromkeys((*words[0], *words[1])):
        was, will = (one[word] or "yes" if word in one else None for one in words)
        if was != will:
            yield Change(name=f"{WORDS} {word}", running=was, proposed=will)


def _partitions(before: Iterable[Partition], after: Iterable[Partition]) -> Iterator[Change]:
    old, new = ({one.name: one for one in some} for some in (before, after))
    for name in dict.fromkeys((*old, *new)):
        was, will = old.get(name), new.get(name)
        if was is None or will is None:
            yield Change(name=f"partition {name}", running=_of(was), proposed=_of(will))
            continue
        spoken = [{**spoken_partition(one), "Nodes": _of(one)} for one in (was, will)]
        for key, value in spoken[0].items():
            if value != spoken[1][key]:
                proposed = spoken[1][key]
                yield Change(name=f"partition {name} {key}", running=value, proposed=proposed)


def _of(partition: Partition | None) -> str | None:
    return None if partition is None else folded(partition.node_names)


def _nodes(before: Iterable[Node], after: Iterable[Node]) -> Iterator[Change]:
    old, new = ({one.name: one for one in some} for some in (before, after))
    if gone := folded(name for name in old if name not in new):
        yield Change(name=f"node {gone}", running="there", proposed=None)
    if come := folded(name for name in new if name not in old):
        yield Change(name=f"node {come}", running=None, proposed="there")
    alike: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for name in old.keys() & new.keys():
        for field, key in OF_NODES.items():
            was, will = (_amount(getattr(one[name], field)) for one in (old, new))
            if was != will:
                alike[key, was, will].append(name)
    for (key, was, will), names in sorted(alike.items()):
        yield Change(name=f"node {folded(names)} {key}", running=was, proposed=will)


def _licenses(before: Iterable[License], after: Iterable[License]) -> Iterator[Change]:
    # Those that accounting keeps stand in no file.
    old, new = ({one.name: one.total for one in some if not one.remote} for some in (before, after))
    for name in dict.fromkeys((*old, *new)):
        was, will = (None if name not in one else str(one[name]) for one in (old, new))
        if was != will:
            yield Change(name=f"license {name}", running=was, proposed=will)


def _amount(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return ",".join(one if isinstance(one, str) else ":".join(map(str, one)) for one in value)


def _discreet(one: Change) -> Change:
    was, will = (value and discreet(one.name, value) for value in (one.running, one.proposed))
    return Change(name=one.name[:LONGEST_VALUE], running=was, proposed=will, named=one.named)
