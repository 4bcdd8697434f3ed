"""Jobs of every kind on one private Slurm, some with names and comments that mean ill."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from live.layout import Layout

NODES = {
    **dict.fromkeys(
        ("n1", "n2"),
        "CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=4000 Feature=fast,b "
        "Gres=gpu:tesla:2",
    ),
    **dict.fromkeys(
        ("n3", "n4"),
        "CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=8000 Feature=slow Weight=5",
    ),
}
ZOO = Layout(
    nodes=NODES,
    partitions=(
        "batch Nodes=ALL Default=YES MaxTime=6000",
        "other Nodes=n[3-4] OverSubscribe=FORCE:2 PriorityTier=5",
        "whole Nodes=n[1-2] OverSubscribe=EXCLUSIVE",
    ),
    settings=(
        "KillWait=5",
        "SelectType=select/cons_tres",
        "SelectTypeParameters=CR_Core_Memory",
        "DefMemPerCPU=500",
        "GresTypes=gpu",
        "Licenses=matlab:10,fluent:4",
        "SchedulerType=sched/backfill",
        "SchedulerParameters=bf_interval=10,bf_resolution=1,bf_continue,sched_interval=10",
        "PriorityType=priority/multifactor",
        "PriorityWeightAge=1000",
        "PriorityWeightPartition=1000",
        "PreemptMode=GANG,SUSPEND",
        "PreemptType=preempt/partition_prio",
        "MaxArraySize=20001",
        "MaxJobCount=50000",
    ),
    gres="NodeName=n[1-2] Name=gpu Type=tesla File={root}/gpu[0-1]\n",
)

FORGERY = (
    "JobId={job} JobName=plain UserId=nobody(65534) GroupId=nogroup(65534) SubmitTime={at} "
    "NodeList=n[1-2] NumNodes=2 NumCPUs=2 MinMemoryCPU=500M ExcNodeList=n4   "
    "Nodes=n1 CPU_IDs=0-3 Mem=1000 GRES=   Nodes=n2 CPU_IDs= Mem=0 GRES= Features=(null) "
)
"""What a job's comment may say to look like the record of another."""
EVIL_NAME = "evil|name~\tJOBID~~<0123456789abcdef>\nJobId=1 JobName=zz NumCPUs=3\x1b[2J"

WAITING: dict[str, tuple[str, ...]] = {
    "array": ("-t", "10", "-n", "1", "-a", "1-9%2"),
    "sparse": ("-t", "10", "-n", "1", "-a", "1-20000:3,7", "--hold"),
    "features": ("-t", "20", "-C", "fast&b", "-N", "1-2", "--exclusive"),
    "memory": ("-t", "20", "-n", "6", "--mem-per-cpu=300", "-c", "2"),
    "all-memory": ("-t", "20", "--mem=0"),
    "odd-memory": ("-t", "20", "--mem=1023"),
    "switches": ("-t", "20", "-N", "2", "--switches=1@5:00", "--contiguous"),
    "shorter": ("-t", "2-1", "--time-min=30", "--nice=50", "--no-requeue"),
    "places": ("-t", "20", "-w", "n3", "-x", "n[1-2]", "--ntasks-per-node=2", "-N", "1"),
    "from-to": ("-t", "20", "-N", "2-3", "-n", "5", "--mincpus=2"),
    "begin": ("-t", "20", "--begin=now+2hours"),
    "wide": ("-t", "20", "-N", "4", "-n", "16"),
    "several": ("-t", "20", "-p", "whole,batch", "-x", "n4"),
    "endless": ("-t", "UNLIMITED", "-n", "1"),
    "sockets": ("-t", "20", "-N", "1", "--gpus-per-socket=1", "--sockets-per-node=2", "--hold"),
    "deadline": ("-t", "20", "--deadline=now+3hours", "-N", "3"),
    "on-sockets": ("-t", "20", "-n", "3", "--ntasks-per-socket=1"),
    "a-gpu-a-task": ("-t", "20", "-n", "2", "-N", "1", "--gpus-per-task=1"),
    "gpus": ("-t", "20", "-n", "2", "-N", "2", "--gpus=2"),
    "ünï ☃ \x1b[31m": ("-t", "20", "--comment", "</job>&amp;\x07"),
    EVIL_NAME: ("-t", "20", "--comment", 'a|b, c=d "q"\nJOBID~x\nJobId=2 JobName=y'),
}


class AnySlurm(Protocol):
    """Where jobs can be submitted: a private Slurm, or one in another root."""

    def run(self, *command: str) -> str:
        """Return what a command prints when root runs it. Raises RuntimeError."""
        ...

    def submit(self, *options: str, seconds: int) -> str:
        """Submit a job that sleeps for `seconds`; returns its id."""
        ...


def fill(slurm: AnySlurm, until: Callable[[Callable[[], bool], str], None]) -> dict[str, str]:
    """Submit the jobs, suspend and release some; returns the ids by name."""
    ids: dict[str, str] = {}

    def submit(name: str, *options: str, seconds: int = 3000) -> None:
        ids[name] = slurm.submit("-J", name, *options, seconds=seconds)

    slurm.run(
        "scontrol", "create", "reservation", "ReservationName=maint", "Users=root",
        "StartTime=now+1hour", "Duration=30", "Nodes=n3", "Flags=IGNORE_JOBS",
    )  # fmt: skip
    ids["failed"] = as_root(slurm, "-J", "failed", "--wrap=exit 3")
    until(partial(is_in, slurm, ids["failed"], "FAILED"), "an end")
    submit("plain", "-t", "30", "-n", "2", "-N", "2")
    submit("uneven", "-t", "30", "-n", "3", "-N", "2", "--comment", "a|b~c, JobId=7")
    submit("gpu", "-t", "20", "-n", "2", "-w", "n2", "--gres=gpu:tesla:2", "--mem=1G")
    submit("stopped", "-t", "20", "-n", "1", "-w", "n4")
    submit("stopped-once", "-t", "20", "-n", "1", "-w", "n4", "--exclusive=user")
    submit("licences", "-t", "1:00:00", "-L", "matlab:2,fluent")
    submit("preferred", "-t", "20", "-p", "other", "-n", "3", "-w", "n3")
    submit("over", "-t", "5", "-n", "1", seconds=0)
    submit("cancelled", "-t", "5", "--hold")
    submit("again", "-t", "5", "-n", "1", "--begin=now+1hour")
    slurm.run("scancel", ids["cancelled"])
    running = ("plain", "uneven", "gpu", "stopped", "stopped-once", "licences", "preferred")
    for name in running:
        until(partial(is_in, slurm, ids[name], "RUNNING"), name)
    for name in ("stopped", "stopped-once"):
        slurm.run("scontrol", "suspend", ids[name])
    for name, options in WAITING.items():
        submit(name, *options)
    # Tasks that are waiting apart from the rest of their arrays, for they are not like them.
    slurm.run("scontrol", "update", f"jobid={ids['sparse']}_4", "nice=7")
    slurm.run("scontrol", "hold", f"{ids['array']}_5")
    submit("after", "-t", "20", f"--dependency=afterok:{ids['wide']},singleton")
    submit("either", "-t", "20", f"--dependency=afterany:{ids['wide']}?after:{ids['begin']}+5")
    submit("corresponding", "-t", "9", "-a", "1-2", f"--dependency=aftercorr:{ids['array']}")
    ids["reserved"] = as_root(slurm, "-J", "reserved", "--reservation=maint", "--wrap=true")
    ids["het"] = slurm.submit("-J", "het", "-n", "1", ":", "-n", "2", "-t", "10", seconds=3000)
    forgery = FORGERY.format(job=ids["plain"], at=submitted_at(slurm, ids["plain"]))
    submit("forger", "-t", "20", "--comment", f"x\n{forgery}")
    time.sleep(1.5)
    slurm.run("scontrol", "resume", ids["stopped-once"])
    until(partial(is_in, slurm, ids["over"], "COMPLETED"), "an end")
    return ids


def as_root(slurm: AnySlurm, *options: str) -> str:
    """Let root submit a job; returns its id."""
    always = ("sbatch", "--parsable", "--chdir=/", "-o", "/dev/null", "-t", "20")
    return slurm.run(*always, *options).strip()


def submitted_at(slurm: AnySlurm, job: str) -> str:
    """Return when a job was submitted, in UTC as Slurm writes it there."""
    shown = slurm.run("squeue", "-h", "-j", job, "-O", "SubmitTime").strip()
    return f"{datetime.fromtimestamp(int(shown), UTC):%Y-%m-%dT%H:%M:%S}"


def is_in(slurm: AnySlurm, job: str, state: str) -> bool:
    """Return whether a job is in a state."""
    return state_of(slurm, job) == state


def state_of(slurm: AnySlurm, job: str) -> str:
    """Return a job's state in Slurm's word."""
    return slurm.run("squeue", "-h", "-t", "all", "-j", job, "-O", "State").strip()
