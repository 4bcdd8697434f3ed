"""Who is ahead of whom: jobs before it in the queue, and jobs let past it."""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_

from predictor.simulation.entrants import Entrant
from predictor.simulation.future import Future

BLOCK = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What starts before a job on nodes that it could use. `_node_s`: nodes times planned s."""

    ahead_jobs: int
    ahead_node_s: int
    """Of those before it in the queue."""
    let_past_jobs: int
    let_past_node_s: int
    """Of those behind it."""
    passes_jobs: int
    """Those before it in the queue that start after it."""


class Ranks:
    """Counts and amounts by rank, in blocks so that both adding and asking are fast."""

    def __init__(self, highest: int) -> None:
        blocks = highest // BLOCK + 1
        self._counts, self._amounts = [0] * (blocks * BLOCK), [0] * (blocks * BLOCK)
        self._block_counts, self._block_amounts = [0] * blocks, [0] * blocks
        self.count = self.amount = 0
        """Of all ranks together."""

    def add(self, rank: int, amount: int) -> None:
        """Count one of this rank."""
        self._counts[rank] += 1
        self._amounts[rank] += amount
        self._block_counts[rank // BLOCK] += 1
        self._block_amounts[rank // BLOCK] += amount
        self.count += 1
        self.amount += amount

    def count_below(self, rank: int) -> int:
        """Return how many have a smaller rank."""
        return self._below(rank, self._block_counts, self._counts)

    def amount_below(self, rank: int) -> int:
        """Return what those have together."""
        return self._below(rank, self._block_amounts, self._amounts)

    def _below(self, rank: int, blocks: list[int], each: list[int]) -> int:
        block = rank // BLOCK
        return sum(blocks[:block]) + sum(each[block * BLOCK : rank])


@dataclass(frozen=True, slots=True)
class _Start:
    at: int
    rank: int
    nodes: int
    node_s: int


def standings(
    asked: Iterable[Entrant], entrants: Sequence[Entrant], future: Future
) -> dict[str, Standing]:
    """Return how those asked for, who all start, stand among all entrants; by id.

    Linear in the entrants for each set of nodes that those asked for could use.
    """
    starts = sorted(_starts(entrants, future), key=attrgetter("at"))
    groups: dict[int, list[Entrant]] = {}
    for entrant in asked:
        groups.setdefault(candidates(entrant), []).append(entrant)
    highest = max((entrant.rank for entrant in entrants), default=0)
    found: dict[str, Standing] = {}
    for nodes, members in groups.items():
        rivals = [start for start in starts if start.nodes & nodes]
        found |= _among(members, rivals, future, highest)
    return found


def candidates(entrant: Entrant) -> int:
    """Return all nodes, as a bitmap, that the entrant could use."""
    return reduce(or_, (need.candidates for p in entrant.ask.parts for need in p.ways))


def _starts(entrants: Iterable[Entrant], future: Future) -> Iterable[_Start]:
    for entrant in entrants:
        placement = future.placements.get(entrant.id)
        if placement is not None:
            held = [placed.holding for placed in placement.placed]
            node_s = sum(one.nodes.bit_count() * (one.end_at - one.start_at) for one in held)
            nodes = reduce(or_, (one.nodes for one in held))
            yield _Start(placement.start_at, entrant.rank, nodes, node_s)


def _among(
    members: Iterable[Entrant], rivals: Sequence[_Start], future: Future, highest: int
) -> dict[str, Standing]:
    """Return the standings of members among rivals, who are in the order of their starts."""
    everybody, started = sorted(rival.rank for rival in rivals), Ranks(highest)
    found: dict[str, Standing] = {}
    coming = deque(rivals)

    def start_of(entrant: Entrant) -> int:
        return future.placements[entrant.id].start_at

    for at, group in groupby(sorted(members, key=start_of), key=start_of):
        together = tuple(group)
        _start(coming, at - 1, started)
        before = {e.id: started.count_below(e.rank) for e in together}
        node_s = {e.id: started.amount_below(e.rank) for e in together}
        count, amount = started.count, started.amount
        _start(coming, at, started)
        for entrant in together:
            id_, rank = entrant.id, entrant.rank
            found[id_] = Standing(
                ahead_jobs=before[id_],
                ahead_node_s=node_s[id_],
                let_past_jobs=count - before[id_],
                let_past_node_s=amount - node_s[id_],
                passes_jobs=bisect_left(everybody, rank) - started.count_below(rank),
            )
    return found


def _start(coming: deque[_Start], until: int, started: Ranks) -> None:
    """Count those as started who start by `until`."""
    while coming and coming[0].at <= until:
        first = coming.popleft()
        started.add(first.rank, first.node_s)
