"""A slurm.conf, or a piece of one, laid over a snapshot: the cluster as it would be set up then."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeVar

from collectors.slurm.files.conf import Conf, Entry
from collectors.slurm.files.lines import Remark
from collectors.slurm.files.setup import Reader
from collectors.slurm.files.shown import PARTITION_DEFAULTS, line, named_values, partition_values
from collectors.slurm.files.spoken import spoken_partition, spoken_settings
from collectors.slurm.partitioned import partitioned
from collectors.slurm.text.config import Configuration, configuration_of
from collectors.slurm.text.partitions import parse_partitions
from predictor.domain import License, Node, Partition, PassSettings, SchedulerSettings, Snapshot

V = TypeVar("V", SchedulerSettings, PassSettings, Partition)

NODE_FIELDS: Mapping[str, tuple[str, ...]] = {
    "cpus": ("cpus", "cpus_per_core", "sockets"),
    "procs": ("cpus", "cpus_per_core", "sockets"),
    "sockets": ("cpus", "cpus_per_core", "sockets"),
    "socketsperboard": ("cpus", "cpus_per_core", "sockets"),
    "corespersocket": ("cpus", "cpus_per_core", "sockets"),
    "threadspercore": ("cpus", "cpus_per_core", "sockets"),
    "realmemory": ("memory_mb",),
    "tmpdisk": ("tmp_disk_mb",),
    "gres": ("gres",),
    "feature": ("features",),
    "features": ("features",),
    "weight": ("weight",),
}
"""By key of a node's record: what it decides of a node that is there."""
RANKING = frozenset(
    {
        "multifactor",
        "weights",
        "priority_max_age_s",
        "priority_favor_small",
        "size_per_minute",
        "ages_from_submission",
        "priorities_only_rise",
        "fairshare_formula",
        "fairshare_dampening",
        "billing_rule",
    }
)
"""The settings that decide what priorities are made of."""


def overlaid(snapshot: Snapshot, conf: Conf) -> tuple[Snapshot, tuple[Remark, ...]]:
    """Return the snapshot as it would be under a configuration, and what could not be read of it.

    Settings, partitions and nodes that the configuration does not name stay as they are, and so
    do the keys that it does not name of those it does. What is new is added, nothing is taken
    away but licenses. Jobs stay what they are; where the configuration changes what priorities are
    made of, what Slurm told of that is dropped, so that it is worked out anew: a priority that
    somebody set by hand is lost with it. Raises SourceFormatError for settings that make no sense.
    """
    reader = Reader(conf)
    settings, config = _settings(snapshot, conf)
    nodes = _nodes(snapshot.nodes, conf, reader)
    partitions = partitioned(_partitions(snapshot, conf, reader, nodes), config, nodes)
    under = replace(
        snapshot,
        settings=settings,
        nodes=nodes,
        partitions=partitions,
        licenses=_licenses(snapshot.licenses, conf, reader),
    )
    if _ranks_anew(snapshot, under):
        pending = tuple(replace(job, priorities=()) for job in under.pending)
        under = replace(under, pending=pending)
    return under, (*conf.remarks, *reader.remarks)


def _settings(snapshot: Snapshot, conf: Conf) -> tuple[SchedulerSettings, Configuration]:
    told = spoken_settings(snapshot.settings, snapshot.provenance.version)
    place = conf.files[0] if conf.files else "slurm.conf"
    before = configuration_of(told, place)
    after = configuration_of(told | named_values(conf), place)
    settings = _changed(snapshot.settings, before.settings, after.settings)
    if snapshot.settings.passes and before.settings.passes and after.settings.passes:
        passes = _changed(snapshot.settings.passes, before.settings.passes, after.settings.passes)
        settings = replace(settings, passes=passes)
    return settings, after


def _changed(value: V, before: V, after: V) -> V:
    """Return `value` with the fields in which `after` differs from `before`."""
    names = [field.name for field in fields(value)]
    changes = {n: getattr(after, n) for n in names if getattr(after, n) != getattr(before, n)}
    return replace(value, **changes)


def _nodes(nodes: tuple[Node, ...], conf: Conf, reader: Reader) -> tuple[Node, ...]:
    found = {node.name: node for node in nodes}
    for entry in conf.records("NodeName"):
        keys = {name for key in entry.values for name in NODE_FIELDS.get(key, ())}
        for name, node in reader.nodes_of(entry):
            there = found.get(name)
            named: dict[str, Any] = {key: getattr(node, key) for key in keys}
            found[name] = node if there is None else replace(there, **named)
    return tuple(found.values())


def _partitions(
    snapshot: Snapshot, conf: Conf, reader: Reader, nodes: tuple[Node, ...]
) -> Iterator[Partition]:
    """Yield all partitions, those that are new last."""
    found = {partition.name: partition for partition in snapshot.partitions}
    lists = reader.lists(nodes)
    for entry in conf.records("PartitionName"):
        laid = partial(_partition, there=found.get(entry.name), lists=lists, reader=reader)
        for one in reader.read(entry, laid):
            found[entry.name] = one
    yield from found.values()


def _partition(
    entry: Entry, there: Partition | None, lists: Mapping[str, str], reader: Reader
) -> Iterator[Partition]:
    told = PARTITION_DEFAULTS if there is None else spoken_partition(there)
    named = partition_values(entry)
    if "nodes" in entry.values:
        named["Nodes"] = reader.hosts(entry.values["nodes"], lists)
    for after in parse_partitions(line("PartitionName", entry.name, {**told, **named}))[0]:
        if there is None:
            yield after
            continue
        before = parse_partitions(line("PartitionName", entry.name, told))[0][0]
        yield _changed(there, before, after)


def _licenses(pools: tuple[License, ...], conf: Conf, reader: Reader) -> tuple[License, ...]:
    """Return the pools: the controller's own as the file has them, if it names any."""
    if "licenses" not in conf.settings():
        return pools
    there = {pool.name: pool for pool in pools}
    own = (
        replace(there[pool.name], total=pool.total) if pool.name in there else pool
        for pool in reader.licenses()
    )
    return (*own, *(pool for pool in pools if pool.remote))


def _ranks_anew(before: Snapshot, after: Snapshot) -> bool:
    if any(getattr(before.settings, n) != getattr(after.settings, n) for n in RANKING):
        return True
    factors = [{p.name: p.job_factor for p in one.partitions} for one in (before, after)]
    return factors[0] != factors[1]
