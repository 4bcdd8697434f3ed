"""Scenarios drawn by lot that ask for more: whatever sites and users say besides.

Each is one of `lots` with further words for its jobs, partitions, scheduler and selection, and with
deeds of users and operators.
"""

import random
import re
from dataclasses import replace

from live.scenarios.lots import drawn_with
from live.scenarios.scenario import Deed, Job, Scenario

NAME = re.compile(r"broad-(\d+)")
WIDTH = re.compile(r"-N(\d+)")
SEED = 1_000_003
"""Other numbers than those of plain lots."""
UNSHARED = ("--exclusive", "--exclusive=user")
"""Where every job shares its CPUs nothing tells whether one asks for that."""

WORDS = (
    "-c 2",
    "-c 2",
    "-c 3",
    "--ntasks-per-node=1",
    "--ntasks-per-node=2",
    "--ntasks-per-core=1",
    "--ntasks-per-socket=1",
    "--mincpus=3",
    "--spread-job",
    "--use-min-nodes",
    "--hint=nomultithread",
    "-O",
    "-w n2",
    "-m cyclic",
)
FEATURES = ("-C '[fast*1&slow*1]'", "-C 'fast&east'", "-C '(fast|slow)&west'", "--prefer=fast")
MEMORY = ("--mem=1500", "--mem-per-cpu=700", "--mem-per-cpu=1100")
GPUS = ("--gpus-per-task=1", "--gpus-per-node=1", "--gpus=3", "--gpus=1 --cpus-per-gpu=2")
PARTITION = (
    "MaxNodes=2",
    "MinNodes=2",
    "DefaultTime=1",
    "DefMemPerCPU=400",
    "DefMemPerNode=900",
    "MaxMemPerNode=2500",
    "MaxMemPerCPU=800",
    "AllowQos=normal,wide",
    "DenyAccounts=guests",
    "OverTimeLimit=1",
    "SelectTypeParameters=CR_Socket",
)
SCHEDULING = (
    "bf_window_linear=10",
    "bf_max_job_user_part=2",
    "bf_ignore_newly_avail_nodes",
    "bf_allow_magnetic_slot",
    "batch_sched_delay=4",
    "sched_min_interval=3000000",
    "bf_hetjob_prio=avg",
    "max_array_tasks=4",
    "nohold_on_prolog_fail",
    "spec_cores_first",
    "ignore_prefer_validation",
    "no_backup_scheduling",
    "Ignore_NUMA",
)
SETTINGS = (
    "PriorityFlags=NO_FAIR_TREE",
    "PriorityFlags=DEPTH_OBLIVIOUS",
    "PriorityFlags=SMALL_RELATIVE_TO_TIME",
    "PriorityFlags=CALCULATE_RUNNING",
    "PriorityFlags=ACCRUE_ALWAYS",
    "PriorityFlags=NO_NORMAL_ALL",
    "PriorityFlags=MAX_TRES",
    "PriorityWeightTRES=CPU=1000,Mem=500",
    "PriorityWeightAssoc=2000",
    "PriorityDecayHalfLife=2",
    "EnforcePartLimits=ALL",
    "EnforcePartLimits=ANY",
    "OverTimeLimit=1",
    "DefMemPerCPU=300",
    "MaxMemPerNode=3000",
    "MaxArraySize=5",
)
SELECT = ("CR_Socket", "CR_Socket_Memory", "CR_Core,CR_CORE_DEFAULT_DIST_BLOCK", "CR_Core_Memory")
QOS = (
    "modify qos few set flags=NoReserve",
    "modify qos few set flags=DenyOnLimit",
    "modify qos wide set flags=PartitionTimeLimit",
    "modify qos wide set flags=OverPartQOS",
    "modify qos few set usagefactor=2",
    "modify qos few set maxwall=2",
    "modify qos wide set mintres=cpu=2",
    "modify qos wide set grpwall=20",
    "modify qos few set maxtrespernode=cpu=3",
    "modify qos few set maxsubmitjobsperuser=5",
    "modify account lab set maxwall=3",
    "modify account guests set priority=100",
    "modify user irc set grpjobs=2",
    "modify user mail set maxtrespernode=cpu=2",
)
DEEDS = (
    "scontrol hold {{{0}}}",
    "scontrol update jobid={{{0}}} timelimit=1",
    "scontrol update jobid={{{0}}} nice=-100",
    "scontrol update jobid={{{0}}} priority=3000",
    "scontrol update jobid={{{0}}} numnodes=1",
    "scontrol update jobid={{{0}}} partition=p0",
    "scontrol update jobid={{{0}}} qos=normal",
    "scontrol requeue {{{0}}}",
    "scontrol suspend {{{0}}}",
    "scontrol top {{{0}}}",
    "scancel {{{0}}}",
    "scontrol update partitionname=p0 state=down",
    "scontrol update partitionname=p0 maxtime=2",
    "sacctmgr -i modify user games set maxjobs=1",
    "sacctmgr -i modify qos normal set grptres=cpu=14",
)
UNDO = {
    "hold": "scontrol release {{{0}}}",
    "suspend": "scontrol resume {{{0}}}",
    "state=down": "scontrol update partitionname=p0 state=up",
}


def drawn(name: str) -> Scenario | None:
    """Return the scenario of that name, if it has the number of one: `broad-17`."""
    found = NAME.fullmatch(name)
    if not found:
        return None
    chance = random.Random(SEED * (int(found[1]) + 1))  # noqa: S311 no secrets
    return _broadened(drawn_with(name, chance), chance)


def _broadened(plain: Scenario, chance: random.Random) -> Scenario:
    cluster = plain.layout
    linear = any("select/linear" in line for line in cluster.settings)
    partitions = tuple(_partition(line, chance) for line in cluster.partitions)
    settings = list(cluster.settings)
    if chance.random() < 0.6:
        settings += chance.sample(SETTINGS, k=chance.randint(1, 2))
    flags = [line for line in settings if line.startswith("PriorityFlags=")]
    settings = [line for line in settings if line not in flags[1:]]
    if chance.random() < 0.4 and not linear:
        settings = [
            f"SelectTypeParameters={chance.choice(SELECT)}" if "SelectTypeP" in line else line
            for line in settings
        ]
    if chance.random() < 0.5:
        more = ",".join(chance.sample(SCHEDULING, k=chance.randint(1, 3)))
        settings = [f"{line},{more}" if "SchedulerP" in line else line for line in settings]
    told = chance.sample(QOS, k=chance.randint(0, 3))
    return replace(
        plain,
        layout=replace(cluster, partitions=partitions, settings=tuple(settings)),
        # What is said of a user follows the line that adds it.
        accounting=(*plain.accounting, *told),
        jobs=_jobs(plain.jobs, chance, forced=any("FORCE:2" in line for line in partitions)),
        deeds=(*plain.deeds, *_deeds(plain.jobs, chance)),
    )


def _partition(line: str, chance: random.Random) -> str:
    return f"{line} {chance.choice(PARTITION)}" if chance.random() < 0.4 else line


def _jobs(jobs: tuple[Job, ...], chance: random.Random, *, forced: bool) -> tuple[Job, ...]:
    """Return the jobs with further wishes, the same for each sort of them, and after each other."""
    wishes: dict[str, str] = {}
    made: list[Job] = []
    for job in sorted(jobs, key=lambda one: one.at_s):
        sort = job.options.partition("-p ")[2]
        if sort not in wishes:
            wishes[sort] = _wish(sort, chance)
        options = f"{_ranged(job.options, wishes[sort])} {wishes[sort].removeprefix('range')}"
        if forced:
            options = " ".join(word for word in options.split(" ") if word not in UNSHARED)
        earlier = [one.name for one in made if one.at_s < job.at_s]
        if earlier and "-d " not in options and chance.random() < 0.1:
            kind = chance.choice(("afterok", "afterany", "after", "afternotok"))
            options += f" -d {kind}:{{{chance.choice(earlier)}}}"
        made.append(replace(job, options=options.strip()))
    return tuple(made)


def _wish(sort: str, chance: random.Random) -> str:
    """Return what else jobs of that sort ask for, if anything."""
    if chance.random() < 0.5:
        return ""
    odds = [*WORDS, "range", "range"]
    if "-C" not in sort:
        odds += FEATURES
    if "--mem" not in sort:
        odds += MEMORY
    if "--g" in sort:
        return chance.choice(GPUS) if chance.random() < 0.5 else chance.choice(odds)
    return chance.choice(odds)


def _ranged(options: str, wish: str) -> str:
    """Return the options with a range of nodes for their number, if that is the wish."""
    if wish != "range":
        return options
    return WIDTH.sub(lambda found: f"-N{found[1]}-{int(found[1]) + 2}", options, count=1)


def _deeds(jobs: tuple[Job, ...], chance: random.Random) -> tuple[Deed, ...]:
    made = []
    for _ in range(chance.randint(0, 4)):
        job = chance.choice(jobs)
        text = chance.choice(DEEDS)
        at_s = job.at_s + chance.randint(5, 40)
        made.append(Deed(at_s=at_s, command=text.format(job.name)))
        for word, undo in UNDO.items():
            if word in text:
                made.append(Deed(at_s=at_s + chance.randint(10, 40), command=undo.format(job.name)))
    return tuple(made)
