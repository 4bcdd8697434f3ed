"""Who starts when: the schedulers by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from verification.experiments.machine import Machine
from verification.experiments.schedulers.fcfs import Fcfs, ljf, sjf
from verification.experiments.schedulers.ideal import ideal
from verification.experiments.schedulers.protocol import Scheduler
from verification.experiments.schedulers.rejecting import Rejecting

SCHEDULERS: Final[Mapping[str, Callable[[Machine], Scheduler]]] = MappingProxyType(
    {
        "fcfs": Fcfs,
        "sjf": sjf,
        "ljf": ljf,
        "rejecting": Rejecting,
        "ideal": ideal("slowdown"),
        "ideal-wait": ideal("wait"),
    }
)
"""By name: makes a scheduler for a machine."""
