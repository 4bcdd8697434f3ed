"""Many experiments: each trace with each scheduler, allocator and kind of durations."""

import resource
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from predictor.errors import QueuecastError
from verification.experiments.cell import Cell, experiment
from verification.experiments.machine import Machine
from verification.sweep.crews import Lost, local_crew

POLL_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """An experiment that came to nothing."""

    cell: Cell
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Makes one experiment, in whatever process."""

    folder: Path | None = None
    """Where schedules are written as traces; None: nowhere."""

    def __call__(self, cell: Cell) -> dict[str, Any] | str:
        """Return what an experiment came to, or why it came to nothing.

        With it comes the most memory that the process ever had.
        """
        path = self.folder / f"{cell.name}.swf" if self.folder else None
        try:
            found = experiment(cell, time.process_time_ns, path)
        except QueuecastError as error:
            return str(error)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return found | {"peak_mb": round(peak_kib / 1024, 1)}


def crossed(
    traces: Iterable[Path],
    schedulers: Iterable[str],
    allocators: Iterable[str],
    durations: Iterable[str],
    *,
    machine: Machine | None,
    seed: int,
) -> list[Cell]:
    """Return all experiments, trace by trace; `machine` None: as each trace's header tells."""
    return [
        Cell(
            trace=trace,
            scheduler=scheduler,
            allocator=allocator,
            durations=lasting,
            machine=machine,
            seed=seed,
        )
        for trace, lasting, scheduler, allocator in product(
            traces, durations, schedulers, allocators
        )
    ]


def made(
    cells: Sequence[Cell], work: Work, jobs: int
) -> Iterator[tuple[Cell, dict[str, Any] | Failed]]:
    """Yield what each experiment came to, as they end; up to `jobs` at a time.

    Each has a process of its own, so that one that is killed costs itself only.
    """
    left = list(reversed(cells))
    with local_crew(work, jobs) as crew:
        under_way = 0
        while left or under_way:
            while left and under_way < jobs:
                crew.begin(left.pop())
                under_way += 1
            for cell, found in crew.ended(POLL_S):
                under_way -= 1
                if isinstance(found, Lost):
                    found = found.cause
                yield cell, Failed(cell=cell, cause=found) if isinstance(found, str) else found
