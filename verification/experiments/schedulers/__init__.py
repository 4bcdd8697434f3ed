"""Who starts when: the schedulers by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from predictor.engine import kind
from verification.experiments.later import later

if TYPE_CHECKING:
    from verification.experiments.machine import Machine
    from verification.experiments.schedulers.protocol import Scheduler

# Compiled modules lie in a folder of their own that is searched first: all of them or none.
__path__[:0] = kind.compiled_folder("verification/experiments/schedulers")

HERE: Final = "verification.experiments.schedulers"

SHARING: Final = (
    "co-fastest",
    "co-random-ranks",
    "co-filler",
    "co-jungle",
    "co-slowdown",
    "co-bester",
    "co-rules",
)
"""Those that let two jobs share a node."""
SCHEDULERS: Final[Mapping[str, "Callable[[Machine], Scheduler]"]] = MappingProxyType(
    {
        "fcfs": later(f"{HERE}.fcfs", "Fcfs"),
        "fcfs-best-fit": later(f"{HERE}.lists", "FcfsBestFit"),
        "sjf": later(f"{HERE}.fcfs", "sjf"),
        "ljf": later(f"{HERE}.fcfs", "ljf"),
        "easy": later(f"{HERE}.easy", "easy"),
        "easy-sjf": later(f"{HERE}.easy", "easy_sjf"),
        "conservative": later(f"{HERE}.conservative", "Conservative"),
        "score": later(f"{HERE}.scored", "Scored"),
        "multi-queue": later(f"{HERE}.lists", "MultiQueue"),
        "priority-rule": later(f"{HERE}.lists", "PriorityRule"),
        "ideal": later(f"{HERE}.ideal", "Ideal", "slowdown"),
        "ideal-wait": later(f"{HERE}.ideal", "Ideal", "wait"),
        "rejecting": later(f"{HERE}.rejecting", "Rejecting"),
        **{name: later(f"{HERE}.sharing.scheduler", "sharing", name) for name in SHARING},
    }
)
"""By name: makes a scheduler for a machine."""
APART: Final = ("ideal", "ideal-wait", *SHARING)
"""Whom nobody means by saying all: they take thousands of times as long as others, or need to know
how fast jobs are beside one another."""
