"""The measures by name: what reports tell, and gates are set on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from verification.measures.course import Ran, Watch
from verification.measures.machine import (
    allocation_efficiency,
    fragmentation,
    makespan_s,
    throughput_per_h,
    utilisation,
)
from verification.measures.queue import mean_queue, most_waiting
from verification.measures.waits import (
    fairness,
    mean_slowdown,
    mean_turnaround_s,
    mean_wait_s,
    quantile_wait_s,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One figure of a schedule."""

    words: str
    better: int
    """-1: less is better; +1: more."""
    of: Callable[[Sequence[Ran], Watch], float | None]
    """Returns the figure; None: it is not known."""
    of_machine: bool = False
    """Whether those count, too, who ran already when watching began."""


def _known(of: Callable[[Sequence[Ran], Watch], float | None]) -> Callable[..., float | None]:
    """Return the measure that knows nothing of nobody."""
    return lambda jobs, watch: of(jobs, watch) if jobs else None


MEASURES: Mapping[str, Measure] = {
    "mean_wait_s": Measure(words="mean wait", better=-1, of=mean_wait_s),
    "median_wait_s": Measure(
        words="median wait", better=-1, of=partial(quantile_wait_s, level=0.5)
    ),
    "p90_wait_s": Measure(
        words="wait that 90 % do not exceed", better=-1, of=partial(quantile_wait_s, level=0.9)
    ),
    "mean_slowdown": Measure(words="mean bounded slowdown", better=-1, of=mean_slowdown),
    "mean_turnaround_s": Measure(words="mean turnaround", better=-1, of=mean_turnaround_s),
    "utilisation": Measure(words="utilisation", better=1, of=utilisation, of_machine=True),
    "throughput_per_h": Measure(
        words="jobs done in an hour", better=1, of=throughput_per_h, of_machine=True
    ),
    "makespan_s": Measure(words="makespan", better=-1, of=makespan_s),
    "mean_queue": Measure(words="jobs waiting, mean", better=-1, of=_known(mean_queue)),
    "most_waiting": Measure(words="jobs waiting, most", better=-1, of=_known(most_waiting)),
    "fragmentation": Measure(
        words="capacity lost while jobs wait", better=-1, of=fragmentation, of_machine=True
    ),
    "allocation_efficiency": Measure(
        words="how full the nodes in use are", better=1, of=allocation_efficiency, of_machine=True
    ),
    "fairness": Measure(words="fairness between users", better=1, of=fairness),
}
"""Names ending in `_s` are seconds; `utilisation`, `fragmentation`, `allocation_efficiency` and
`fairness` are shares of 1."""
