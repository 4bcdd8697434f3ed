"""A scenario: a small cluster, its rules, and what its users and its administrator do when."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from live.layout import FOUR_CORES, Layout

USERS = ("games", "news", "mail", "irc")
"""Accounts that every Debian has; the first submits what is said of nobody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something that a user submits."""

    at_s: int
    """Seconds after the beginning."""
    name: str
    options: str
    """sbatch's; `{name}` stands for the id of a job submitted before."""
    run_s: int
    """How long it runs, if nobody ends it; each task of an array."""
    user: str = USERS[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that the administrator does."""

    at_s: int
    command: str
    """`{name}` stands for the id of a job submitted before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What is played on a real Slurm, and then by the replica."""

    name: str
    shows: str
    """Which rule it is about, in a sentence."""
    layout: Layout
    jobs: tuple[Job, ...]
    deeds: tuple[Deed, ...] = ()
    accounting: tuple[str, ...] = ()
    """What `sacctmgr` is told before the controller starts."""
    looks_every_s: int = 5
    may_refuse: bool = False
    """Whether Slurm may refuse jobs, and deeds come to nothing: what is then left out."""
    longest_s: int = 300
    """When it is over at the latest, whoever is still there."""


def layout(
    *,
    nodes: dict[str, str],
    partitions: tuple[str, ...] = ("main Nodes=ALL Default=YES",),
    scheduler: str = "",
    settings: tuple[str, ...] = (),
    select: str = "CR_Core",
    gres: str = "",
    topology: str = "",
    programs: Mapping[str, str] = MappingProxyType({}),
    credential_s: int = 120,
) -> Layout:
    """Return a cluster that looks at its queue every few seconds unless `scheduler` says otherwise.

    What `scheduler` says replaces what is said of the same word here.
    """
    words = {**SCHEDULER, **dict(word.partition("=")[::2] for word in scheduler.split(",") if word)}
    parameters = ",".join(f"{word}={value}" if value else word for word, value in words.items())
    named = {line.partition("=")[0] for line in settings}
    defaults = tuple(line for line in SETTINGS if line.partition("=")[0] not in named)
    return Layout(
        nodes=nodes,
        partitions=partitions,
        settings=(
            *defaults,
            *settings,
            f"SelectTypeParameters={select}" if select else "",
            f"SchedulerParameters={parameters}",
            "TopologyPlugin=topology/tree" if topology else "",
        ),
        gres=gres,
        topology=topology,
        programs=programs,
        credential_s=credential_s,
    )


SCHEDULER = {"bf_interval": "4", "bf_resolution": "1", "bf_continue": "", "sched_interval": "5"}
SETTINGS = (
    "KillWait=2",
    "SelectType=select/cons_tres",
    "SchedulerType=sched/backfill",
    "PriorityType=priority/multifactor",
    "PriorityCalcPeriod=1",
)


def four_cores(*names: str) -> dict[str, str]:
    """Return alike nodes of four cores."""
    return dict.fromkeys(names, FOUR_CORES)
