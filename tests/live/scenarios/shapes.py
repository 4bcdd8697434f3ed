"""What fits where: cores, threads, memory, GPUs, features, whole nodes, and which node is taken."""

from live.layout import FOUR_CORES
from live.scenarios.crowd import crowd
from live.scenarios.scenario import USERS, Scenario, four_cores, layout

FIFO = ("PriorityType=priority/basic",)
TWO_THREADS = dict.fromkeys(
    ("n1", "n2", "n3"), "CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 Sockets=1 RealMemory=4000"
)

GPUS = Scenario(
    name="gpus",
    shows="GPUs by type and of any type, on a node and in all",
    layout=layout(
        nodes={
            "n1": f"{FOUR_CORES} Gres=gpu:a100:2",
            "n2": f"{FOUR_CORES} Gres=gpu:a100:2",
            "n3": f"{FOUR_CORES} Gres=gpu:v100:4",
            "n4": FOUR_CORES,
        },
        settings=(*FIFO, "GresTypes=gpu", "AccountingStorageTRES=gres/gpu"),
        gres=(
            "NodeName=n[1-2] Name=gpu Type=a100 File={root}/gpu[0-1]\n"
            "NodeName=n3 Name=gpu Type=v100 File={root}/gpu[0-3]\n"
        ),
    ),
    jobs=crowd(
        31,
        28,
        (
            "-N1 -n1 --gres=gpu:1",
            "-N1 -n2 --gres=gpu:a100:1",
            "-N1 -n2 --gres=gpu:a100:2",
            "-N1 -n1 --gres=gpu:v100:3",
            "-N1 -n4",
            "-N2 -n2 --gres=gpu:a100:1",
            "-N1 -n1 --gpus=2",
        ),
    ),
)

MEMORY = Scenario(
    name="memory",
    shows="memory per CPU, per node, all of it, and what a job gets that says nothing",
    layout=layout(
        nodes={
            **four_cores("n1", "n2", "n3"),
            "n4": "CPUs=4 CoresPerSocket=4 ThreadsPerCore=1 Sockets=1 RealMemory=12000",
        },
        settings=(*FIFO, "DefMemPerCPU=800"),
        select="CR_Core_Memory",
    ),
    jobs=crowd(
        32,
        30,
        (
            "-N1 -n1 --mem=3000",
            "-N1 -n2 --mem-per-cpu=1500",
            "-N1 -n4",
            "-N1 -n1 --mem=0",
            "-N1 -n1 --mem=9000",
            "-N2 -n2 --mem=2500",
            "-N1 -n3",
        ),
    ),
)

THREADS = Scenario(
    name="threads",
    shows="a core is given to one job with all its threads",
    layout=layout(
        nodes=TWO_THREADS,
        settings=FIFO,
    ),
    jobs=crowd(33, 28, ("-N1 -n1", "-N1 -n3", "-N1 -n5", "-N1 -n2 -c 2", "-N1 -n8", "-N2 -n16")),
)

THREADS_COUNTED = Scenario(
    name="threads-one-by-one",
    shows="where CPUs are counted one by one, a core's other CPU still is nobody else's",
    layout=layout(nodes=TWO_THREADS, settings=FIFO, select="CR_CPU"),
    jobs=crowd(92, 34, ("-N1 -n1", "-N1 -n1", "-N1 -n3", "-N1 -n5", "-N1 -n7", "-N2 -n10", "-n 9")),
)

CPUS_AS_CORES = Scenario(
    name="cpus-that-are-cores",
    shows="where a node's CPUs are its cores, their threads count for nothing",
    layout=layout(
        nodes=dict.fromkeys(
            ("n1", "n2", "n3"), "CPUs=4 CoresPerSocket=4 ThreadsPerCore=2 Sockets=1 RealMemory=4000"
        ),
        settings=FIFO,
    ),
    jobs=crowd(93, 34, ("-N1 -n1", "-N1 -n1", "-N1 -n2", "-N1 -n3", "-N1 -n4", "-N2 -n6", "-n 5")),
)

OWN_CORES = Scenario(
    name="own-cores",
    shows="tasks that have their cores to themselves, and jobs that use half of each",
    layout=layout(
        nodes=TWO_THREADS,
        settings=FIFO,
        select="CR_Core,CR_ONE_TASK_PER_CORE",
    ),
    jobs=crowd(
        72,
        28,
        (
            "-n2",
            "-n5",
            "-n9",
            "-n3 --hint=nomultithread",
            "-n6 --threads-per-core=1",
            "-N1 -n2 -c3",
            "-n4 --ntasks-per-core=2",
        ),
    ),
)

SHARED_AND_WHOLE = Scenario(
    name="shared-and-whole",
    shows="whole nodes and single cores side by side, whole by partition and by wish",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4", "n5"),
        partitions=(
            "whole Nodes=n[1-3] Default=YES OverSubscribe=EXCLUSIVE",
            "cores Nodes=n[3-5] OverSubscribe=NO",
        ),
        settings=FIFO,
    ),
    jobs=crowd(
        34,
        30,
        (
            "-p whole -N1 -n1",
            "-p whole -N 2",
            "-p cores -N1 -n1",
            "-p cores -N1 -n2",
            "-p cores -N1 -n3",
            "-p cores -N1 -n1 --exclusive",
            "-p cores -N2 -n8",
        ),
    ),
)

ONE_USER = Scenario(
    name="one-user-a-node",
    shows="a node is shared by jobs of one user only",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3"),
        partitions=("main Nodes=ALL Default=YES ExclusiveUser=YES",),
        settings=FIFO,
    ),
    jobs=crowd(35, 28, ("-N1 -n1", "-N1 -n2", "-N1 -n3", "-N2 -n8"), users=USERS[:3]),
)

FEATURES = Scenario(
    name="features",
    shows="features with and, or, either-all, nodes by name, and nodes in a row",
    layout=layout(
        nodes={
            "n1": f"{FOUR_CORES} Feature=fast,east",
            "n2": f"{FOUR_CORES} Feature=fast,east,ib",
            "n3": f"{FOUR_CORES} Feature=slow,west,ib",
            "n4": f"{FOUR_CORES} Feature=slow,west",
            "n5": f"{FOUR_CORES} Feature=slow,west",
        },
        settings=FIFO,
    ),
    jobs=crowd(
        36,
        30,
        (
            "-N1 -n2 -C fast",
            "-N1 -n4 -C 'fast&ib'",
            "-N1 -n3 -C 'ib|west'",
            "-N2 -n8 -C '[east|west]'",
            "-N1 -n4",
            "-N1 -n2 -w n2",
            "-N1 -n4 -x n1,n2",
            "-N3 -n12 --contiguous",
            "-N2 -n8 -C slow",
        ),
    ),
)

WEIGHTS = Scenario(
    name="weights",
    shows="nodes of little weight are taken first, so that those with more are left for the needy",
    layout=layout(
        nodes={
            "n1": f"{FOUR_CORES} Weight=30 Feature=big",
            "n2": f"{FOUR_CORES} Weight=10",
            "n3": f"{FOUR_CORES} Weight=20 Feature=big",
            "n4": f"{FOUR_CORES} Weight=10",
        },
        settings=FIFO,
    ),
    jobs=crowd(
        37, 30, ("-N1 -n1", "-N1 -n2", "-N1 -n3", "-N1 -n4 -C big", "-N1 -n2 -C big", "-N2 -n8")
    ),
)

SPREAD = Scenario(
    name="least-loaded",
    shows="a partition that takes the emptiest node first, so that whole nodes are rare",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4"),
        partitions=("main Nodes=ALL Default=YES LLN=YES",),
        settings=FIFO,
    ),
    jobs=crowd(38, 32, ("-N1 -n1", "-N1 -n1", "-N1 -n2", "-N1 -n4", "-N1 -n1 --exclusive")),
)

TASKS_ANYWHERE = Scenario(
    name="tasks-anywhere",
    shows="who asks for tasks, and not for so many nodes, gets cores wherever some are free",
    layout=layout(nodes=four_cores("n1", "n2", "n3", "n4"), settings=FIFO),
    jobs=crowd(40, 30, ("-n 1", "-n 2", "-n 3", "-n 5", "-n 7", "-N 2 -n 5", "-n 3 -c 2")),
)

WHOLE_NODES = Scenario(
    name="linear",
    shows="whole nodes only",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4", "n5"),
        settings=(*FIFO, "SelectType=select/linear"),
        select="",
    ),
    jobs=crowd(39, 24, ("-n 1", "-N 2", "-N 3", "-n 8", "-N 4")),
)

SHAPES = (
    GPUS,
    MEMORY,
    THREADS,
    THREADS_COUNTED,
    CPUS_AS_CORES,
    OWN_CORES,
    SHARED_AND_WHOLE,
    ONE_USER,
    FEATURES,
    WEIGHTS,
    SPREAD,
    TASKS_ANYWHERE,
    WHOLE_NODES,
)
