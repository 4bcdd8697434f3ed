"""What a private Slurm consists of, and its configuration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SLURM_CONF = """\
ClusterName=live
{controllers}SlurmctldPort={controller_port}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=slurm
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={root}/munge/socket,cred_expire={credential_s}
StateSaveLocation={root}/state
SlurmctldPidFile={root}/log/slurmctld.pid
SlurmctldLogFile={root}/log/slurmctld.log
SlurmdSpoolDir={root}/spool/%n
SlurmdPidFile={root}/log/slurmd-%n.pid
SlurmdLogFile={root}/log/slurmd-%n.log
SlurmdParameters=config_overrides
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
"""

NODE_LINE = "NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} {means}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a Slurm consists of, and how it decides, in the words of slurm.conf(5)."""

    nodes: Mapping[str, str]
    """What each node has, by its name, in Slurm's order."""
    partitions: tuple[str, ...]
    settings: tuple[str, ...]
    """Lines; `{root}` stands for the folder of the Slurm."""
    gres: str = ""
    """The whole of gres.conf; empty: there is none. Devices are files, `{root}/gpu0` and on."""
    topology: str = ""
    """The whole of topology.conf; empty: there is none."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Scripts in the folder, by name, for the controller to run."""
    controllers: tuple[str, ...] = ("localhost(127.0.0.1)",)
    """Hosts of the controller and of those who take over from it, in their order."""
    credential_s: int = 120
    """How long credentials hold, and so how long a job stays away that was sent back."""


FOUR_CORES = "CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000"

# Both partitions want n3 and n4; "whole" comes first and hands out whole nodes only.
OVERLAPPING = Layout(
    nodes={f"n{n}": FOUR_CORES for n in range(1, 7)},
    partitions=(
        "whole Nodes=n[1-4] Default=YES OverSubscribe=EXCLUSIVE PriorityJobFactor=2 MaxTime=60",
        "cores Nodes=n[3-6] OverSubscribe=NO PriorityJobFactor=1 MaxTime=60",
    ),
    settings=(
        "KillWait=5",
        "SelectType=select/cons_tres",
        "SelectTypeParameters=CR_Core",
        "SchedulerType=sched/backfill",
        "SchedulerParameters=bf_interval=5,bf_resolution=1,bf_continue,sched_interval=5",
        "PriorityType=priority/multifactor",
        "PriorityWeightPartition=1000",
    ),
)


def slurm_conf(root: Path, layout: Layout, ports: Sequence[int]) -> str:
    """Return the configuration of a Slurm below `root`; a port for the controller, one a node."""
    controller_port, *node_ports = ports
    nodes = (
        NODE_LINE.format(name=name, port=port, means=means)
        for (name, means), port in zip(layout.nodes.items(), node_ports, strict=True)
    )
    partitions = (f"PartitionName={partition}\n" for partition in layout.partitions)
    settings = (f"{line}\n".replace("{root}", str(root)) for line in layout.settings)
    head = SLURM_CONF.format(
        root=root,
        controllers="".join(f"SlurmctldHost={host}\n" for host in layout.controllers),
        controller_port=controller_port,
        credential_s=layout.credential_s,
    )
    return "".join((head, *settings, *nodes, *partitions))
