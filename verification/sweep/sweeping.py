"""A whole sweep: look at what it rests on, go on where it was left, run, and report."""

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from predictor.clock import Clock
from predictor.errors import StorageError
from verification.report.as_json import render_json
from verification.sweep.choosing import wanted
from verification.sweep.crews import Crew, Work
from verification.sweep.document import document
from verification.sweep.driving import Seam, UnderWay, drive
from verification.sweep.folder import MANIFEST, REPORT, Owned, begin, look
from verification.sweep.grid import Grid
from verification.sweep.manifest import Manifest, differences, manifest_of
from verification.sweep.page import render_html
from verification.sweep.results import Result
from verification.sweep.runs import Input, Run, all_runs
from verification.sweep.working import Making

RUNNING, FINISHED, STOPPED = "running", "finished", "stopped"
"""What a sweep tells of itself."""
TELL_S = 1.0
"""No oftener: what is told is written to disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be done, and who is told."""

    grid: Grid
    inputs: Sequence[Input]
    crew: Callable[[Work[Run]], AbstractContextManager[Crew]]
    clock: Clock
    progress: Callable[[str, int, int], None]
    warn: Callable[[str], None]
    stop: Callable[[], str]
    """Returns why to stop now; empty: go on."""


def sweep(order: Order, folder: Owned) -> dict[str, Any]:
    """Make the runs that the folder lacks, and return the report, which also lies there then.

    Raises StorageError if the folder holds another sweep, or if it cannot be written; what was
    finished by then stays. Raises QueuecastError if nobody is left to make runs.
    """
    manifest = manifest_of(order.grid, order.inputs, order.clock.now())
    known = _resumed(order, folder, manifest)
    runs = all_runs(order.grid, order.inputs)
    making = Making(kind=order.grid.kind.name)
    telling = _Telling(order=order, folder=folder, done=len(known), since=order.clock.now())
    try:
        with order.crew(making) as crew:
            telling.words = crew.words
            results = _all(order, runs, known, folder, telling, crew, making)
        found = document(look(folder.path).manifest, order.grid, runs, results)
        folder.write(f"{REPORT}.json", render_json(found).encode())
        folder.write(f"{REPORT}.html", render_html(found).encode(errors="replace"))
    except BaseException as error:
        telling.tell(STOPPED, (), str(error) or type(error).__name__)
        raise
    telling.tell(FINISHED, ())
    return found


def _resumed(order: Order, folder: Owned, manifest: Manifest) -> dict[int, Result]:
    """Return what came out fine before, of the very same sweep; begin it if there is none."""
    if not (folder.path / MANIFEST).exists():
        begin(folder, manifest, order.grid.text.encode())
        return {}
    seen = look(folder.path)
    if found := differences(seen.manifest, manifest):
        raise StorageError(
            f"{folder.path}: holds another sweep: {'; '.join(found)}."
            " Another --out keeps them apart"
        )
    for one in seen.damage:
        order.warn(one)
    under_way = (seen.alive or {}).get("under_way") or ()
    if under_way and (seen.alive or {}).get("phase") != FINISHED:
        names = ", ".join(str(one["name"]) for one in under_way)
        order.warn(f"under way when it was stopped, made again: {names}")
    return {number: one for number, one in seen.results.items() if one.fine}


@dataclass(slots=True, kw_only=True)
class _Telling:
    """Tells how it goes: the person who waits, and the file that others look at."""

    order: Order
    folder: Owned
    done: int
    since: float
    total: int = 0
    made: int = 0
    words: str = ""
    told_at: float = -TELL_S

    def keep(self, result: Result) -> None:
        self.folder.keep(result)
        self.done += 1
        self.made += 1
        self.order.progress("runs", self.done, self.total)

    def beat(self, under_way: UnderWay) -> None:
        now = self.order.clock.monotonic()
        if now - self.told_at >= TELL_S:
            self.told_at = now
            self.tell(RUNNING, under_way)

    def tell(self, phase: str, under_way: UnderWay, cause: str = "") -> None:
        self.folder.tell(
            {
                "phase": phase,
                "cause": cause,
                "at": self.order.clock.now(),
                "since": self.since,
                "total": self.total,
                "done": self.done,
                "made": self.made,
                "crew": self.words,
                "host": socket.gethostname(),
                "pid": os.getpid(),
                "under_way": [
                    {"run": run.number, "name": str(run), "since": since}
                    for run, since in under_way
                ],
            }
        )


def _all(
    order: Order,
    runs: Sequence[Run],
    known: Mapping[int, Result],
    folder: Owned,
    telling: _Telling,
    crew: Crew,
    making: Making,
) -> dict[int, Result]:
    results = dict(known)
    seam = Seam(
        crew=crew,
        clock=order.clock,
        ahead=making.ahead if crew.inherits else _nothing,
        keep=telling.keep,
        beat=telling.beat,
        warn=order.warn,
        stop=order.stop,
    )
    while todo := wanted(order.grid, runs, results):
        telling.total = telling.done + len(todo)
        order.progress("runs", telling.done, telling.total)
        results |= {one.run: one for one in drive(todo, seam)}
    return results


def _nothing(run: Run) -> None:
    pass
