"""What a new job would wait: now and then some are supposed, of each partition in turn."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from predictor.clock import Clock
from predictor.domain import Partition, Snapshot
from predictor.domain.durations import HOUR_S
from predictor.service.asking.viewers import EVERYTHING
from predictor.service.bysize import LONG_S, MEDIUM_SHARE, shape_of
from predictor.service.logs import log
from predictor.service.probes import HALF, MOST, Kind, Probe, Probes
from predictor.service.published import Board, Published
from predictor.service.whatif.shapes import Shape, WhatIf, suppositions
from predictor.service.worker import WorkerFailed
from predictor.suppositions import Supposed, Supposition

EVERY_S = 120.0
"""So often some are supposed, in a process that answers people first."""
BUDGET_S = 4.0
DRAWS = 10
MOST_PARTITIONS = 25
KEPT_S = 4 * HOUR_S
"""So long a probe is told, if its partition's turn does not come again."""
LIMITS_S = {"small": HOUR_S, "medium": 4 * HOUR_S, "large": 4 * HOUR_S, "long": 2 * LONG_S}


class Aside(Protocol):
    """Supposes jobs where nobody else wants that."""

    def aside(
        self, current: Published, supposed: tuple[Supposition, ...], draws: int, budget_s: float
    ) -> Mapping[str, Supposed] | None:
        """Return what would become of them; None: people ask. Raises WorkerFailed."""
        ...


@dataclass(slots=True)
class Turn:
    """Whose turn it is, and how many at a time: as many as the time suffices for."""

    at: int = 0
    many: int = 4

    def next(self, partitions: Sequence[Partition]) -> Sequence[Partition]:
        """Return those whose turn it is."""
        first = self.at % max(len(partitions), 1)
        return partitions[first : first + self.many]

    def done(self, taken: int, *, whole: bool) -> None:
        """Go on after so many; `whole`: the time sufficed."""
        self.at += taken if whole else max(1, taken // 2)
        self.many = min(2 * self.many, MOST_PARTITIONS) if whole else max(1, self.many // 2)


class Probing:
    """Hangs on the board what probes of late came to, from a thread of its own."""

    def __init__(self, board: Board, supposing: Aside, clock: Clock) -> None:
        self._board = board
        self._supposing = supposing
        self._clock = clock
        self._turn = Turn()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="probing", daemon=True)

    def start(self) -> None:
        """Begin, some time from now."""
        self._thread.start()

    def stop(self) -> None:
        """Begin nothing more. Never waits for what is under way."""
        self._ending.set()

    def look(self) -> None:
        """Probe the newest result, if it is fresh; what fails is a line in the log."""
        current = self._board.settled
        if current is None or current.stale(self._clock.now()):
            return
        chosen = self._turn.next(current.snapshot.partitions[:MOST_PARTITIONS])
        asked = _asked(chosen, current.snapshot)
        if not asked:
            self._turn.done(len(chosen), whole=True)
            return
        try:
            told = self._supposing.aside(current, tuple(asked.values()), DRAWS, BUDGET_S)
        except WorkerFailed as error:
            if not self._ending.is_set():
                log("probes failed", level=30, cause=str(error))
            return
        if told is None:
            return
        whole = all(told[one.job.spec.id] != Supposed() for one in asked.values())
        self._turn.done(len(chosen), whole=whole)
        now = current.snapshot_at
        found = {kind: probe(told[one.job.spec.id], now) for kind, one in asked.items()}
        self._board.probes = _kept(self._board.probes, found, current.snapshot)

    def _run(self) -> None:
        while not self._ending.wait(EVERY_S):
            try:
                self.look()
            # Probes must not end for a fault in one result.
            except Exception as error:
                log("fault while probing", level=40, error=error)


def probe(told: Supposed, now: int) -> Probe | None:
    """Return what it came to; None: it would not start, or the time did not suffice."""
    if told.outlook is None:
        return None
    levels = dict(told.outlook.quantiles)
    if HALF not in levels or MOST not in levels:
        return None
    half_s, most_s = (max(0, levels[level] - now) for level in (HALF, MOST))
    return Probe(at=now, half_s=half_s, most_s=most_s)


def _kept(before: Probes, found: Mapping[Kind, Probe | None], seen: Snapshot) -> Probes:
    """Return what is told from now on: what is new, and what is neither old nor of the past."""
    names = {one.name for one in seen.partitions}
    still = {
        kind: one
        for kind, one in before.items()
        if kind not in found and kind[0] in names and 0 <= seen.taken_at - one.at <= KEPT_S
    }
    return still | {kind: one for kind, one in found.items() if one is not None}


def _asked(partitions: Sequence[Partition], snapshot: Snapshot) -> Mapping[Kind, Supposition]:
    """Return a job of each shape that there may be in each partition: of whole nodes, nobody's."""
    wanted = [
        (one, name, Shape(nodes=nodes, time_limit=f"{_limit_s(one, name)}s", partition=one.name))
        for one in partitions
        for name, nodes in _sizes(one).items()
    ]
    if not wanted:
        return {}
    question = WhatIf(shapes=[shape.model_copy(update={"exclusive": True}) for *_, shape in wanted])
    supposed = suppositions(question, snapshot, EVERYTHING, "")
    return {
        (partition.name, name): one
        for (partition, name, _), one in zip(wanted, supposed, strict=True)
        if shape_of(one.job.spec, partition) == name
    }


def _limit_s(partition: Partition, name: str) -> int:
    most = partition.max_time_s
    return min(LIMITS_S[name], most) if isinstance(most, int) else LIMITS_S[name]


def _sizes(partition: Partition) -> Mapping[str, int]:
    """Return the nodes of a job of each shape, of those that the partition takes."""
    there, most = len(partition.node_names), partition.max_nodes
    sizes = {"small": 1, "medium": int(MEDIUM_SHARE * there), "large": there // 2, "long": 1}
    return {
        name: nodes
        for name, nodes in sizes.items()
        if max(1, partition.min_nodes) <= nodes and (not isinstance(most, int) or nodes <= most)
    }
