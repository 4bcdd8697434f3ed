"""Clusters with a waiting queue, drawn from a seed: the same draws give the same figures anywhere.

The benchmark definition: nodes that jobs take whole; partitions `batch` (the first 70 % of the
nodes), `gpu` (the next 15 %), `highmem` (the rest) and `all`, which overlaps the others, with 75,
10, 10 and 5 % of the jobs. Half the jobs want one node, the others up to a quarter of their
partition, powers of two mostly. Limits are between half an hour and a day, two in five shortened.
Running jobs leave few nodes free.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

PARTITIONS = ("batch", "gpu", "highmem", "all")
SHARES = (75, 10, 10, 5)
"""Of the jobs, by partition."""
LIMITS_S = {1800: 15, 3600: 15, 7200: 15, 14400: 15, 28800: 15, 43200: 10, 86400: 15}
"""Time limits and how often each is drawn, in percent."""
SHORTEST_S = 60
FREE_AT_MOST = 0.02
"""Running jobs are drawn until no larger part of the nodes is free."""
MISFITS_MOST = 50
"""They are drawn no longer once so many of them did not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A job as drawn: the number of its partition, its nodes and its time limit."""

    partition: int
    nodes: int
    limit_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A cluster and its queue at second 0."""

    nodes: int
    partitions: tuple[range, ...]
    """The numbers of each partition's nodes, in the order of `PARTITIONS`."""
    free_at: tuple[int, ...]
    """By node: the second in which its running job ends; 0: it is free."""
    queue: tuple[Wish, ...]
    """In the order of priority."""


def generate(jobs: int, nodes: int, seed: int = 1) -> Generated:
    """Return the cluster and queue that these three numbers stand for."""
    source = random.Random(seed * 1_000_003 + jobs * 7 + nodes)  # noqa: S311 - no secret
    batch, gpu = int(nodes * 0.70), int(nodes * 0.85)
    partitions = (range(batch), range(batch, gpu), range(gpu, nodes), range(nodes))
    free_at = _occupied(source, partitions)
    queue = tuple(_wish(source, partitions, widest=4) for _ in range(jobs))
    return Generated(nodes=nodes, partitions=partitions, free_at=free_at, queue=queue)


def _wish(source: random.Random, partitions: tuple[range, ...], *, widest: int) -> Wish:
    """Draw a job of at most one `widest`-th of its partition."""
    (partition,) = source.choices(range(len(partitions)), SHARES)
    most = max(1, len(partitions[partition]) // widest)
    nodes = 1 if source.random() < 0.5 else _width(source, most)
    (limit_s,) = source.choices(list(LIMITS_S), list(LIMITS_S.values()))
    if source.random() < 0.4:
        shortened_s = int(limit_s * source.uniform(0.3, 1)) // 60 * 60
        limit_s = max(SHORTEST_S, shortened_s)
    return Wish(partition=partition, nodes=nodes, limit_s=limit_s)


def _width(source: random.Random, most: int) -> int:
    """Draw a number of nodes, small ones more often."""
    width = int(2 ** (source.random() ** 1.5 * most.bit_length()))
    if source.random() < 0.7:
        width = 1 << (width.bit_length() - 1)
    return max(1, min(width, most))


def _occupied(source: random.Random, partitions: tuple[range, ...]) -> tuple[int, ...]:
    """Draw running jobs, each on the first free nodes of its partition."""
    free_at = [0] * len(partitions[-1])
    idle, misfits = len(free_at), 0
    while idle > len(free_at) * FREE_AT_MOST and misfits < MISFITS_MOST:
        wish = _wish(source, partitions, widest=8)
        chosen = _first_idle(free_at, partitions[wish.partition], wish.nodes)
        if len(chosen) < wish.nodes:
            misfits += 1
            continue
        ends_at = int(source.uniform(1, wish.limit_s)) + 1
        for node in chosen:
            free_at[node] = ends_at
        idle -= len(chosen)
    return tuple(free_at)


def _first_idle(free_at: list[int], nodes: range, count: int) -> list[int]:
    def idle() -> Iterator[int]:
        return (node for node in nodes if not free_at[node])

    return [node for node, _ in zip(idle(), range(count), strict=False)]
