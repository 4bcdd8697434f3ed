"""Scenarios drawn by lot: a cluster, its rules and its users, the same for each number.

None was thought up to show a rule; what the replica tells of them shows which nobody thought of.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from live.scenarios.crowd import crowd
from live.scenarios.scenario import USERS, Deed, Job, Scenario, layout

NAME = re.compile(r"lot-(\d+)")
JOBS = 46
OVER_S = 110
SHAPES = 14
"""So many sorts of jobs there are in each."""

SELECTS = ("CR_Core", "CR_Core", "CR_Core_Memory", "CR_Core_Memory", "CR_CPU", "CR_CPU_Memory")
SELECTS_TOO = ("", "", "", "", ",CR_LLN", ",CR_Pack_Nodes", ",CR_ONE_TASK_PER_CORE")
SHARES = ("NO", "NO", "NO", "EXCLUSIVE", "EXCLUSIVE", "YES:2", "FORCE:2", "FORCE:1")
SCHEDULING = {
    "bf_resolution": (1, 1, 2, 5, 10),
    "bf_window": (5, 20),
    "bf_max_job_test": (4, 12),
    "bf_max_job_user": (2, 4),
    "bf_max_job_part": (3, 6),
    "bf_max_job_assoc": (3,),
    "bf_max_job_array_resv": (1, 3),
    "bf_max_job_start": (1, 3),
    "bf_job_part_count_reserve": (1, 3),
    "bf_min_age_reserve": (15, 40),
    "bf_min_prio_reserve": (900, 1100),
    "bf_max_time": (3,),
    "bf_node_space_size": (4, 12),
    "bf_busy_nodes": ("",),
    "bf_one_resv_per_job": ("",),
    "bf_running_job_reserve": ("",),
    "bf_licenses": ("",),
    "assoc_limit_stop": ("",),
    "default_queue_depth": (3, 8),
    "partition_job_depth": (3,),
    "sched_max_job_start": (2,),
    "max_switch_wait": (20,),
    "pack_serial_at_end": ("",),
    "build_queue_timeout": (2000000,),
    "preempt_strict_order": ("",),
    "preempt_youngest_first": ("",),
    "preempt_reorder_count": (2,),
    "enable_user_top": ("",),
    "reduce_completing_frag": ("",),
}
"""What may be said in SchedulerParameters, each with what it may be."""
LIMITS = {
    "user": ("maxjobs=2", "maxjobs=3", "grptres=cpu=12", "maxtresperjob=cpu=10", "grptres=node=2"),
    "qos": (
        "maxtresperuser=cpu=12",
        "maxtresperuser=node=2",
        "maxjobsperuser=2",
        "grpjobs=3",
        "grptres=node=3",
        "grptres=cpu=16",
        "grptresrunmins=cpu=30",
        "maxtresperaccount=cpu=14",
        "maxjobsperaccount=3",
        "priority=50",
    ),
    "account": ("grptres=cpu=20", "grpjobs=5", "grptres=node=3", "grptresrunmins=cpu=40"),
}
PREEMPTION = (("qos", "REQUEUE"), ("qos", "CANCEL"), ("partition_prio", "REQUEUE"),
              ("partition_prio", "CANCEL"), ("partition_prio", "SUSPEND,GANG"))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """One of slurm.conf, and how wide jobs in it may be."""

    name: str
    nodes: int
    """How many it has."""
    line: str
    shared: bool
    """Whether jobs may wish to share cores there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What jobs may ask for."""

    partitions: Sequence[Partition]
    cpus: int
    """Of the smallest node."""
    memory: bool
    features: bool
    gpus: Sequence[str]
    licenses: bool
    qos: Sequence[str]
    switches: bool


def drawn(name: str) -> Scenario | None:
    """Return the scenario of that name, if it has the number of one: `lot-17`."""
    found = NAME.fullmatch(name)
    return drawn_with(name, random.Random(int(found[1]))) if found else None  # noqa: S311 no secrets


def drawn_with(name: str, chance: random.Random) -> Scenario:
    """Return a scenario of that name, as chance has it."""
    nodes, cpus, gpus = _nodes(chance)
    select = chance.choice(SELECTS) + chance.choice(SELECTS_TOO)
    linear = chance.random() < 0.08
    if linear:
        select = chance.choice(("CR_Memory", ""))
    preempt = chance.choice(PREEMPTION) if chance.random() < 0.25 else None
    qos = ("normal", "wide", "few") if chance.random() < 0.6 else ("normal",)
    partitions = _partitions(chance, len(nodes), preempt, linear)
    licenses, switches = chance.random() < 0.2, chance.random() < 0.15
    wishes = Wishes(
        partitions=partitions,
        cpus=cpus,
        memory="Memory" in select,
        features=chance.random() < 0.5,
        gpus=() if linear else gpus,
        licenses=licenses,
        qos=qos,
        switches=switches,
    )
    shapes = [_shape(chance, wishes) for _ in range(SHAPES)]
    return Scenario(
        name=name,
        shows="whatever the lot brings",
        layout=layout(
            nodes=nodes,
            partitions=tuple(partition.line for partition in partitions),
            scheduler=_scheduler(chance),
            settings=_settings(chance, linear, preempt, licenses=licenses, gpus=bool(gpus)),
            select=select,
            gres=_gres(nodes) if gpus else "",
            topology=_topology(len(nodes)) if switches else "",
            credential_s=20 if preempt else 120,
        ),
        accounting=_accounting(chance, qos, preempt),
        jobs=(*_arrays(chance, wishes), *_crowds(chance, shapes)),
        deeds=_deeds(chance, len(nodes)),
        may_refuse=True,
        longest_s=260,
    )


def _nodes(chance: random.Random) -> tuple[dict[str, str], int, Sequence[str]]:
    """Return the nodes, how many CPUs the smallest has, and how GPUs may be asked for."""
    count = chance.randint(4, 8)
    shapes = chance.sample(((1, 4, 1), (1, 8, 1), (2, 4, 1), (1, 4, 2), (2, 2, 2)), k=2)
    if chance.random() < 0.5:
        shapes = shapes[:1]
    with_gpus = chance.random() < 0.25
    nodes = {}
    for number in range(count):
        sockets, cores, threads = shapes[number * len(shapes) // count]
        cpus = sockets * cores * threads
        line = (
            f"CPUs={cpus} Sockets={sockets} CoresPerSocket={cores} ThreadsPerCore={threads}"
            f" RealMemory={chance.choice((4000, 4000, 8000))}"
            f" Feature={chance.choice(('fast', 'slow'))},{chance.choice(('east', 'west'))}"
        )
        if chance.random() < 0.2:
            line += f" Weight={chance.choice((2, 5))}"
        if with_gpus and number % 2:
            line += " Gres=gpu:2"
        nodes[f"n{number + 1}"] = line
    smallest = min(sockets * cores * threads for sockets, cores, threads in shapes)
    return nodes, smallest, ("--gres=gpu:1", "--gres=gpu:2", "--gpus=2") if with_gpus else ()


def _partitions(
    chance: random.Random, nodes: int, preempt: tuple[str, str] | None, linear: bool
) -> list[Partition]:
    made = []
    for number in range(chance.randint(1, 3)):
        first = 1 if number == 0 else chance.randint(1, nodes - 1)
        last = nodes if number == 0 else chance.randint(first + 1, nodes)
        share = "NO" if linear else chance.choice(SHARES)
        line = f"p{number} Nodes=n[{first}-{last}] OverSubscribe={share}"
        line += " Default=YES" if number == 0 else ""
        if preempt and preempt[0] == "partition_prio":
            line += f" PriorityTier={number + 1}"
        elif chance.random() < 0.3:
            line += f" PriorityTier={chance.randint(1, 2)}"
        for odds, more in (
            (0.4, f" PriorityJobFactor={chance.choice((1, 5, 10))}"),
            (0.1, " ExclusiveUser=YES"),
            (0.1, " LLN=YES"),
            (0.1, f" MaxCPUsPerNode={chance.choice((2, 3))}"),
            (0.1, " QOS=few"),
            (0.1, " MaxTime=3"),
        ):
            if chance.random() < odds and not (linear and "CPUs" in more):
                line += more
        made.append(
            Partition(name=f"p{number}", nodes=last - first + 1, line=line, shared=share == "YES:2")
        )
    return made


def _settings(
    chance: random.Random,
    linear: bool,
    preempt: tuple[str, str] | None,
    *,
    licenses: bool,
    gpus: bool,
) -> tuple[str, ...]:
    lines = ["AccountingStorageEnforce=associations,limits,qos"]
    if linear:
        lines.append("SelectType=select/linear")
    if chance.random() < 0.4:
        lines.append("PriorityType=priority/basic")
    else:
        for factor in ("Age", "Fairshare", "JobSize", "Partition", "QOS"):
            if chance.random() < 0.5:
                lines.append(f"PriorityWeight{factor}={chance.choice((100, 1000, 3000))}")
        lines.append(f"PriorityMaxAge={chance.choice((2, 10))}")
        lines.append(f"PriorityFavorSmall={chance.choice(('YES', 'NO'))}")
    if preempt:
        lines += [f"PreemptType=preempt/{preempt[0]}", f"PreemptMode={preempt[1]}"]
    if licenses:
        lines.append("Licenses=matlab:2,vasp:4")
    if gpus:
        lines += ["GresTypes=gpu", "AccountingStorageTRES=gres/gpu"]
    if chance.random() < 0.15:
        lines.append(f"CompleteWait={chance.choice((3, 8))}")
    return tuple(lines)


def _scheduler(chance: random.Random) -> str:
    """Return what SchedulerParameters says, besides what every scenario says."""
    told = chance.sample(sorted(SCHEDULING), k=chance.randint(1, 5))
    words = [f"{word}={chance.choice(SCHEDULING[word])}".rstrip("=") for word in told]
    return ",".join((f"bf_interval={chance.choice((3, 4, 6))}", *words))


def _accounting(
    chance: random.Random, qos: Sequence[str], preempt: tuple[str, str] | None
) -> tuple[str, ...]:
    lines = ["add qos wide", "add qos few"]
    for name in ("wide", "few"):
        limit = chance.choice(LIMITS["qos"])
        lines.append(f"modify qos {name} set {limit}")
    if preempt and preempt[0] == "qos":
        lines.append("modify qos wide set preempt=normal priority=10")
    allowed = ",".join({"normal": "", "wide": "", "few": "", **dict.fromkeys(qos, "")})
    for number, account in enumerate(("lab", "guests")):
        lines.append(f"add account {account} qos={allowed} fairshare={1 + 2 * number}")
        if chance.random() < 0.3:
            lines.append(f"modify account {account} set {chance.choice(LIMITS['account'])}")
    for number, user in enumerate(USERS):
        limit = f" {chance.choice(LIMITS['user'])}" if chance.random() < 0.2 else ""
        lines.append(f"add user {user} account={('lab', 'guests')[number % 2]}{limit}")
    return tuple(lines)


def _shape(chance: random.Random, wishes: Wishes) -> str:
    """Return what one sort of jobs asks for."""
    partition = chance.choice(wishes.partitions)
    names = partition.name
    if len(wishes.partitions) > 1 and chance.random() < 0.2:
        names = ",".join(one.name for one in wishes.partitions)
    width = chance.choice((1, 1, 1, 1, 2, 2, 3, 4))
    width = min(width, partition.nodes)
    tasks = width * chance.randint(1, wishes.cpus)
    words = [f"-p {names}"]
    words.append(
        chance.choice((f"-N{width} -n{tasks}", f"-N{width} -n{tasks}", f"-n{tasks}", f"-N{width}"))
    )
    if wishes.memory and chance.random() < 0.5:
        words.append(chance.choice(("--mem=1000", "--mem=2500", "--mem-per-cpu=500", "--mem=0")))
    if wishes.features and chance.random() < 0.25:
        words.append(chance.choice(("-C fast", "-C slow", "-C 'fast|west'", "-C east&slow")))
    if wishes.gpus and chance.random() < 0.3:
        words.append(chance.choice(wishes.gpus))
    if wishes.licenses and chance.random() < 0.3:
        words.append(chance.choice(("-L matlab:1", "-L matlab:2", "-L vasp:2")))
    if len(wishes.qos) > 1 and chance.random() < 0.6:
        words.append(f"--qos={chance.choice(wishes.qos)}")
    if wishes.switches and chance.random() < 0.3:
        words.append(chance.choice(("--switches=1", "--switches=1@10")))
    for odds, word in (
        (0.08, "--exclusive"),
        (0.04, "--exclusive=user"),
        (0.1, f"--nice={chance.choice((50, 500))}"),
        (0.06, f"-x n{chance.randint(1, 3)}"),
        (0.05, "--time-min=1"),
        (0.05, f"--begin=now+{chance.choice((20, 50))}"),
        (0.05, "-d singleton"),
        (0.04, "--contiguous"),
        (0.3 if partition.shared else 0.0, "-s"),
    ):
        if chance.random() < odds:
            words.append(word)
    return " ".join(words)


def _crowds(chance: random.Random, shapes: Sequence[str]) -> tuple[Job, ...]:
    seed = chance.randrange(1 << 30)
    return crowd(seed, JOBS, shapes, over_s=OVER_S, users=USERS, shortest_s=8, longest_s=50)


def _arrays(chance: random.Random, wishes: Wishes) -> tuple[Job, ...]:
    made = []
    for number in range(chance.randint(0, 2)):
        most = chance.choice(("", "%2", "%1"))
        partition = chance.choice(wishes.partitions).name
        tasks = chance.randint(1, wishes.cpus)
        made.append(
            Job(
                at_s=chance.randrange(0, OVER_S, 10),
                name=f"a{number}",
                options=f"-p {partition} -N1 -n{tasks} -t 1 --array=1-{chance.randint(3, 7)}{most}",
                run_s=chance.randint(8, 30),
                user=chance.choice(USERS),
            )
        )
    return tuple(made)


def _deeds(chance: random.Random, nodes: int) -> tuple[Deed, ...]:
    made = []
    if chance.random() < 0.25:
        last, flags = chance.randint(1, nodes), chance.choice(("", " Flags=MAINT", " Flags=FLEX"))
        made.append(
            Deed(
                at_s=0,
                command="scontrol create reservation ReservationName=kept"
                f" StartTime=now+{chance.choice((60, 90))} Duration=1 Nodes=n[1-{last}]"
                f" Users=games{flags}",
            )
        )
    if chance.random() < 0.2:
        node = f"n{chance.randint(1, nodes)}"
        update = f"scontrol update nodename={node} state="
        made.append(Deed(at_s=45, command=f"{update}drain reason=disk"))
        made.append(Deed(at_s=95, command=f"{update}resume"))
    return tuple(made)


def _gres(nodes: dict[str, str]) -> str:
    have = ",".join(name for name, line in nodes.items() if "Gres" in line)
    return f"NodeName={have} Name=gpu File={{root}}/gpu[0-1]\n"


def _topology(nodes: int) -> str:
    middle = nodes // 2
    return (
        f"SwitchName=s1 Nodes=n[1-{middle}]\nSwitchName=s2 Nodes=n[{middle + 1}-{nodes}]\n"
        "SwitchName=top Switches=s1,s2\n"
    )
