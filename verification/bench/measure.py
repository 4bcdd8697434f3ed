"""What a piece of work costs: user CPU time, memory, and the hash that shows it was done."""

import hashlib
import resource
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import TypeVar

from predictor.engine.kind import KIND, Kind

Result = TypeVar("Result")

SCHEMA = "queuecast.bench/1"

Starts = Sequence[int]
"""By job, in the order of the input: the second in which it starts, NEVER if it does not."""
NEVER = -1
Work = Callable[[], Starts]
"""What is timed, once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One row of a benchmark."""

    task: str
    jobs: int
    nodes: int
    """Processors, where a trace counts these."""
    engine: str
    prepare_s: float
    """CPU time for bringing the input into the engine's form, the best of all repetitions."""
    user_s: float
    """CPU time of the work itself, the best of all repetitions."""
    hash: str
    peak_kib: int
    """The most memory that the process ever had."""
    starts_mean_s: float
    """Over those that start; 0 if nobody does."""


def measure(task: str, prepare: Callable[[], Work], jobs: int, nodes: int, repeat: int) -> Figures:
    """Prepare and work `repeat` times, and return the figures."""
    prepared_s, rounds = [], []
    for _ in range(repeat):
        prepare_s, work = timed(prepare)
        prepared_s.append(prepare_s)
        rounds.append(timed(work))
    return figures_of(task, rounds, jobs=jobs, nodes=nodes, kind=KIND, prepare_s=min(prepared_s))


def figures_of(
    task: str,
    rounds: Sequence[tuple[float, Starts]],
    *,
    jobs: int,
    nodes: int,
    kind: Kind,
    prepare_s: float = 0.0,
) -> Figures:
    """Return the figures of the same work, done at least once: seconds and result of each time."""
    starts = list(rounds[0][1])
    assert all(list(other) == starts for _, other in rounds), "the same work gave another result"  # noqa: S101
    started = [at for at in starts if at != NEVER]
    return Figures(
        task=task,
        jobs=jobs,
        nodes=nodes,
        engine=kind.name,
        prepare_s=prepare_s,
        user_s=min(user_s for user_s, _ in rounds),
        hash=hash_of(starts),
        peak_kib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        starts_mean_s=sum(started) / len(started) if started else 0.0,
    )


def hash_of(starts: Starts) -> str:
    """Return the SHA-256 of the starts as 64-bit numbers, the lowest byte first."""
    numbers = array("q", starts)
    if sys.byteorder == "big":
        numbers.byteswap()
    return hashlib.sha256(numbers).hexdigest()


def report(figures: Figures, **run: object) -> dict[str, object]:
    """Return the figures for `--json`, with what else defines the run, such as its seed."""
    rounded = {"prepare_s": round(figures.prepare_s, 6), "user_s": round(figures.user_s, 6)}
    return {"schema": SCHEMA, "version": version("queuecast"), **run, **asdict(figures), **rounded}


def row(figures: Figures) -> str:
    """Return the figures as one line of a table below `HEADING`."""
    return (
        f"{figures.task:14} {figures.jobs:>8} {figures.nodes:>8} {figures.engine:>8} "
        f"{figures.prepare_s:>10.4f} {figures.user_s:>10.4f} {figures.peak_kib:>10} "
        f"{figures.starts_mean_s:>14.2f}  {figures.hash[:16]}"
    )


HEADING = (
    f"{'task':14} {'jobs':>8} {'nodes':>8} {'engine':>8} {'prepare_s':>10} {'user_s':>10} "
    f"{'peak_kib':>10} {'starts_mean_s':>14}  hash"
)


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return how many seconds of CPU time the work took, and its result."""
    # This clock is exact for milliseconds. It also counts the system's share, which is small.
    before = time.process_time()
    result = work()
    return time.process_time() - before, result
