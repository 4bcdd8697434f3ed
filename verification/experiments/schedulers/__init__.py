"""Who starts when: the schedulers by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from verification.experiments.later import later
from verification.experiments.machine import Machine
from verification.experiments.schedulers.protocol import Scheduler
from verification.experiments.schedulers.rejecting import Rejecting
from verification.experiments.schedulers.sharing.policies import POLICIES

HERE: Final = "verification.experiments.schedulers"

SCHEDULERS: Final[Mapping[str, Callable[[Machine], Scheduler]]] = MappingProxyType(
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
        "rejecting": Rejecting,
        **{
            name: later(f"{HERE}.sharing.scheduler", "Sharing", policy)
            for name, policy in POLICIES.items()
        },
    }
)
"""By name: makes a scheduler for a machine."""
APART: Final = ("ideal", "ideal-wait", *POLICIES)
"""Whom nobody means by saying all: they take thousands of times as long as others, or need to know
how fast jobs are beside one another."""
