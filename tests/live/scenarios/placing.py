"""Which nodes: under few switches, some of each kind, of one user alone, the emptiest, the last."""

from live.layout import FOUR_CORES
from live.scenarios.crowd import crowd
from live.scenarios.scenario import USERS, Scenario, four_cores, layout

FIFO = ("PriorityType=priority/basic",)
EIGHT_CORES = "CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=4000"

SWITCHES = Scenario(
    name="switches",
    shows="few switches: the tightest leaf first, and who insists on one waits for it a while",
    layout=layout(
        nodes=four_cores(*(f"n{n}" for n in range(1, 9))),
        settings=FIFO,
        topology=(
            "SwitchName=s1 Nodes=n[1-2]\n"
            "SwitchName=s2 Nodes=n[3-5]\n"
            "SwitchName=s3 Nodes=n[6-8]\n"
            "SwitchName=near Switches=s[1-2]\n"
            "SwitchName=top Switches=near,s3\n"
        ),
    ),
    jobs=crowd(
        60,
        34,
        (
            "-N1 -n4",
            "-N1 -n2",
            "-N2 -n8",
            "-N3 -n12",
            "-N5 -n20",
            "-N2 -n8 --switches=1@0:00:25",
            "-N3 -n12 --switches=1@0:00:25",
            "-N3 -n12 --switches=1",
        ),
        over_s=80,
    ),
)

LEAVES = Scenario(
    name="switches-and-widths",
    shows="leaf by leaf where it is open how many nodes a job takes, of two widths",
    layout=layout(
        nodes={
            **four_cores("n1", "n2", "n3", "n4", "n5"),
            "n6": EIGHT_CORES,
            "n7": EIGHT_CORES,
            "n8": EIGHT_CORES,
        },
        partitions=("main Nodes=ALL Default=YES", "whole Nodes=ALL OverSubscribe=EXCLUSIVE"),
        settings=FIFO,
        topology=(
            "SwitchName=s1 Nodes=n[1-3]\n"
            "SwitchName=s2 Nodes=n[4-6]\n"
            "SwitchName=s3 Nodes=n[7-8]\n"
            "SwitchName=top Switches=s[1-3]\n"
        ),
    ),
    jobs=crowd(
        64,
        36,
        (
            "-n 3",
            "-n 7",
            "-n 11",
            "-N1 -n2",
            "-N2 -n4",
            "-p whole -n 9",
            "-p whole -n 5",
            "-p whole -N2",
            "-p whole -N3",
        ),
        over_s=80,
    ),
)

FEATURE_COUNTS = Scenario(
    name="feature-counts",
    shows="so many nodes with a feature, so many with another, and groups of features",
    layout=layout(
        nodes={
            "n1": f"{FOUR_CORES} Feature=fast,east",
            "n2": f"{FOUR_CORES} Feature=fast,east",
            "n3": f"{FOUR_CORES} Feature=slow,east,ib",
            "n4": f"{FOUR_CORES} Feature=slow,west",
            "n5": f"{FOUR_CORES} Feature=slow,west,ib",
        },
        settings=FIFO,
    ),
    jobs=crowd(
        61,
        30,
        (
            "-N1 -n4",
            "-N2 -n8",
            "-N3 -n12 -C '[fast*2&slow*1]'",
            "-N2 -n8 -C '[fast*1&slow*1]'",
            "-N3 -n12 -C '[fast*1]'",
            "-N2 -n8 -C '(fast|ib)&east'",
            "-N2 -n8 -C 'slow&(ib|west)'",
            "-N1 -n4 -C 'fast|west&ib'",
            "-N2 -n8 -C '[(slow&west)*1&east*1]'",
        ),
    ),
)

FEATURE_SETS = Scenario(
    name="feature-counts-beside",
    shows="a count without brackets, counts of groups, and one kind or the other for all nodes",
    layout=layout(
        nodes={
            "n1": f"{FOUR_CORES} Feature=fast,east",
            "n2": f"{FOUR_CORES} Feature=fast,east",
            "n3": f"{FOUR_CORES} Feature=slow,east,ib",
            "n4": f"{FOUR_CORES} Feature=slow,west",
            "n5": f"{FOUR_CORES} Feature=slow,west,ib",
        },
        settings=FIFO,
    ),
    jobs=crowd(
        76,
        24,
        (
            "-N1 -n4",
            "-N3 -n12 -C 'fast*1'",
            "-N3 -n12 -C '[(fast|ib)*2&west*1]'",
            "-N2 -n8 -C '[fast|slow]'",
            "-N2 -n8 -C 'slow&(ib|west)'",
            "-N2 -n8 -C '[fast*1&slow*1]'",
            "-N2 -n8 -C '[ib|west]'",
        ),
    ),
)

ONE_USER_BESIDE_OTHERS = Scenario(
    name="own-nodes-by-wish",
    shows="jobs that share their nodes with their own user's jobs only, beside easier ones",
    layout=layout(nodes=four_cores("n1", "n2", "n3", "n4"), settings=FIFO),
    jobs=crowd(
        62,
        34,
        ("-N1 -n1", "-N1 -n2", "-N1 -n1 --exclusive=user", "-N1 -n2 --exclusive=user", "-N2 -n6"),
        users=USERS[:3],
    ),
)

EMPTIEST = Scenario(
    name="emptiest-everywhere",
    shows="all partitions take the emptiest nodes first, of nodes that are not alike",
    layout=layout(
        nodes={**four_cores("n1", "n2"), "n3": EIGHT_CORES, "n4": f"{EIGHT_CORES} Weight=9"},
        partitions=("main Nodes=ALL Default=YES", "side Nodes=n[2-3]"),
        settings=FIFO,
        select="CR_Core,CR_LLN",
    ),
    jobs=crowd(63, 34, ("-N1 -n1", "-N1 -n2", "-p side -N1 -n3", "-N1 -n4", "-N1 -n7", "-N2 -n4")),
)

SINGLE_CPUS_LAST = Scenario(
    name="single-cpus-last",
    shows="jobs of one CPU go to the last nodes, and tasks fill node after node",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4"),
        settings=FIFO,
        scheduler="pack_serial_at_end",
        select="CR_Core,CR_Pack_Nodes",
    ),
    jobs=crowd(64, 34, ("-n 1", "-n 1", "-N1 -n2", "-N1 -n4", "-N2 -n5", "-N2 -n8", "-n 6")),
)

MOST_GPUS = Scenario(
    name="most-gpus",
    shows="who takes whole nodes and asks for GPUs gets those that have most",
    layout=layout(
        nodes={
            "n1": FOUR_CORES,
            **{f"n{n}": f"{FOUR_CORES} Gres=gpu:a100:2" for n in range(2, 6)},
            **{f"n{n}": f"{FOUR_CORES} Gres=gpu:v100:4" for n in range(6, 9)},
        },
        settings=(*FIFO, "GresTypes=gpu", "AccountingStorageTRES=gres/gpu"),
        gres=(
            "NodeName=n[2-5] Name=gpu Type=a100 File={root}/gpu[0-1]\n"
            "NodeName=n[6-8] Name=gpu Type=v100 File={root}/gpu[0-3]\n"
        ),
    ),
    jobs=crowd(
        90,
        34,
        (
            "-N1 -n1 --exclusive --gres=gpu:1",
            "-N2 -n2 --exclusive --gres=gpu:2",
            "-N1 -n1 --exclusive --gres=gpu:a100:1",
            "-N1 -n1 --gres=gpu:1",
            "-N1 -n1 --gres=gpu:v100:1",
            "-N2 -n8",
            "-N1 -n2",
        ),
        over_s=80,
    ),
)

GPUS_BY_TASK = Scenario(
    name="gpus-by-task",
    shows="GPUs of tasks and GPUs in total lie on as many nodes as they need, where most are free",
    layout=layout(
        nodes={f"n{n}": f"{FOUR_CORES} Gres=gpu:4" for n in range(1, 7)},
        settings=(*FIFO, "GresTypes=gpu", "AccountingStorageTRES=gres/gpu"),
        gres="NodeName=n[1-6] Name=gpu File={root}/gpu[0-3]\n",
    ),
    jobs=crowd(
        91,
        34,
        (
            "-n4 --gpus-per-task=1",
            "-n2 -c2 --gpus-per-task=1",
            "-n6 --gpus-per-task=1",
            "-n4 --gpus-per-task=2",
            "-n2 --gpus=2",
            "-n1 --gpus=1 --cpus-per-gpu=2",
            "-N1 -n2 --gpus-per-node=2",
            "-N1 -n1 --gres=gpu:1",
        ),
        over_s=80,
    ),
)

PLACING = (
    SWITCHES,
    LEAVES,
    FEATURE_COUNTS,
    FEATURE_SETS,
    ONE_USER_BESIDE_OTHERS,
    EMPTIEST,
    MOST_GPUS,
    GPUS_BY_TASK,
    SINGLE_CPUS_LAST,
)
