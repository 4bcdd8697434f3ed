"""Who starts when: the schedulers by name."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from verification.experiments.machine import Machine
from verification.experiments.schedulers.conservative import Conservative
from verification.experiments.schedulers.easy import easy, easy_sjf
from verification.experiments.schedulers.fcfs import Fcfs, ljf, sjf
from verification.experiments.schedulers.ideal import ideal
from verification.experiments.schedulers.lists import FcfsBestFit, MultiQueue, PriorityRule
from verification.experiments.schedulers.protocol import Scheduler
from verification.experiments.schedulers.rejecting import Rejecting
from verification.experiments.schedulers.scored import Scored
from verification.experiments.schedulers.sharing.policies import POLICIES
from verification.experiments.schedulers.sharing.scheduler import Sharing

SCHEDULERS: Final[Mapping[str, Callable[[Machine], Scheduler]]] = MappingProxyType(
    {
        "fcfs": Fcfs,
        "fcfs-best-fit": FcfsBestFit,
        "sjf": sjf,
        "ljf": ljf,
        "easy": easy,
        "easy-sjf": easy_sjf,
        "conservative": Conservative,
        "score": Scored,
        "multi-queue": MultiQueue,
        "priority-rule": PriorityRule,
        "ideal": ideal("slowdown"),
        "ideal-wait": ideal("wait"),
        "rejecting": Rejecting,
        **{name: partial(Sharing, policy=policy) for name, policy in POLICIES.items()},
    }
)
"""By name: makes a scheduler for a machine."""
APART: Final = ("ideal", "ideal-wait", *POLICIES)
"""Whom nobody means by saying all: they take thousands of times as long as others, or need to know
how fast jobs are beside one another."""
