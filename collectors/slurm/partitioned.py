"""Partitions as they lie on a cluster's nodes."""

from collections.abc import Iterable
from dataclasses import replace

from collectors.slurm.text.config import Configuration
from collectors.slurm.words.hostlists import in_order
from predictor.domain import Node, Partition


def partitioned(
    partitions: Iterable[Partition], config: Configuration, nodes: Iterable[Node]
) -> tuple[Partition, ...]:
    """Return the partitions, their nodes in the cluster's order, and as its settings wish."""
    order = {node.name: at for at, node in enumerate(nodes)}
    return tuple(
        replace(
            partition,
            node_names=in_order(partition.node_names, order),
            spread=partition.spread or config.takes_emptiest,
        )
        for partition in partitions
    )
