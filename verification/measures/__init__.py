"""What a schedule is worth: pure measures of the courses that jobs took."""

from predictor.engine import kind
from verification.measures.course import Ran, Watch
from verification.measures.machine import (
    allocation_efficiency,
    fragmentation,
    makespan_s,
    throughput_per_h,
    utilisation,
)
from verification.measures.queue import mean_queue, most_waiting, queue_size
from verification.measures.table import MEASURES, Measure
from verification.measures.waits import (
    fairness,
    mean_slowdown,
    mean_turnaround_s,
    mean_wait_s,
    quantile_wait_s,
    slowdown,
    waited_s,
)

__all__ = [
    "MEASURES",
    "Measure",
    "Ran",
    "Watch",
    "allocation_efficiency",
    "fairness",
    "fragmentation",
    "makespan_s",
    "mean_queue",
    "mean_slowdown",
    "mean_turnaround_s",
    "mean_wait_s",
    "most_waiting",
    "quantile_wait_s",
    "queue_size",
    "slowdown",
    "throughput_per_h",
    "utilisation",
    "waited_s",
]

# Compiled modules lie in a folder of their own that is searched first: all of them or none.
__path__[:0] = kind.compiled_folder("verification/measures")
