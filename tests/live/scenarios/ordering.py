"""Who is looked at first, how deep a pass looks, and whom a blocked job stops."""

from dataclasses import replace

from live.layout import FOUR_CORES
from live.scenarios.crowd import crowd
from live.scenarios.scenario import USERS, Deed, Scenario, four_cores, layout

MIXED = ("-N1 -n1", "-N1 -n2", "-N1 -n4", "-N2 -n8", "-N2 -n8", "-N3 -n12")
FOUR_NODES = four_cores("n1", "n2", "n3", "n4")
BIG = f"{FOUR_CORES} Feature=big"

MULTIFACTOR = Scenario(
    name="multifactor",
    shows="age, size, partition and QOS make the order; it changes with the clock",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "main Nodes=ALL Default=YES PriorityJobFactor=1",
            "urgent Nodes=ALL PriorityJobFactor=4",
        ),
        settings=(
            "PriorityWeightAge=1000",
            "PriorityWeightJobSize=500",
            "PriorityWeightPartition=300",
            "PriorityWeightQOS=400",
            "PriorityMaxAge=00:03:00",
        ),
    ),
    accounting=(
        "add qos high",
        "modify qos high set priority=100",
        "modify qos normal set priority=20",
        "add account lab qos=normal,high",
        *(f"add user {user} account=lab" for user in USERS),
    ),
    jobs=crowd(
        11,
        26,
        [f"{m} {p}" for m in MIXED for p in ("-p main", "-p urgent", "-p main --qos=high")],
        users=USERS,
        over_s=80,
    ),
)

FAIRSHARE = Scenario(
    name="fairshare",
    shows="who used less of his share goes first, and the order turns as usage grows",
    layout=layout(
        nodes=FOUR_NODES,
        settings=(
            "PriorityWeightFairshare=10000",
            "PriorityWeightAge=10",
            "PriorityDecayHalfLife=00:05:00",
        ),
    ),
    accounting=(
        "add account blue fairshare=3",
        "add account red fairshare=1",
        "add user games account=blue fairshare=2",
        "add user news account=blue fairshare=1",
        "add user mail account=red fairshare=1",
        "add user irc account=red fairshare=1",
    ),
    jobs=crowd(12, 32, ("-N1 -n2", "-N1 -n4", "-N2 -n8"), users=USERS, over_s=60),
)

TIERS = Scenario(
    name="tiers",
    shows="a partition's tier comes before any priority",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "bronze Nodes=ALL Default=YES PriorityTier=10 PriorityJobFactor=9",
            "silver Nodes=ALL PriorityTier=20",
            "gold Nodes=n[1-2] PriorityTier=30",
        ),
        settings=("PriorityWeightPartition=1000", "PriorityWeightJobSize=100"),
    ),
    jobs=crowd(
        13,
        30,
        (
            "-p bronze -N1 -n2",
            "-p bronze -N2 -n8",
            "-p silver -N1 -n4",
            "-p silver -N3 -n12",
            "-p gold -N1 -n3",
            "-p gold -N2 -n2",
        ),
        over_s=80,
    ),
)

OVERLAP = Scenario(
    name="overlap",
    shows="between two looks ahead, a blocked job stops all partitions that share its nodes",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4", "n5", "n6"),
        partitions=(
            "left Nodes=n[1-3] Default=YES",
            "middle Nodes=n[3-4]",
            "right Nodes=n[4-6]",
        ),
        scheduler="bf_interval=15",
    ),
    jobs=crowd(
        14,
        30,
        (
            "-p left -N1 -n2",
            "-p left -N3 -n12",
            "-p middle -N1 -n2",
            "-p middle -N2 -n8",
            "-p right -N1 -n3",
            "-p right -N2 -n8",
        ),
        over_s=80,
    ),
)

SEVERAL_PARTITIONS = Scenario(
    name="several-partitions",
    shows="a job that names several partitions is in the queue once for each",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4", "n5"),
        partitions=(
            "left Nodes=n[1-3] Default=YES PriorityJobFactor=2",
            "right Nodes=n[3-5] PriorityJobFactor=5",
        ),
        settings=("PriorityWeightPartition=1000",),
    ),
    jobs=crowd(
        15,
        28,
        ("-p left,right -N1 -n4", "-p right,left -N2 -n8", "-p left -N1 -n3", "-p right -N 3"),
    ),
)

CONSERVATIVE = Scenario(
    name="conservative",
    shows="every blocked job is protected: nobody passes who would delay one of them",
    layout=layout(nodes=FOUR_NODES, settings=("PriorityType=priority/basic",)),
    jobs=crowd(16, 24, MIXED),
)

EASY = Scenario(
    name="easy",
    shows="only the first blocked job of a partition is protected",
    layout=layout(
        nodes=FOUR_NODES,
        settings=("PriorityType=priority/basic",),
        scheduler="bf_job_part_count_reserve=1",
    ),
    jobs=crowd(16, 24, MIXED),
)

FULL_TABLE = Scenario(
    name="full-table",
    shows="the look ahead ends once its table holds so many begins and ends of reservations",
    layout=layout(
        nodes=FOUR_NODES,
        settings=("PriorityType=priority/basic",),
        scheduler="bf_node_space_size=4",
    ),
    jobs=crowd(27, 26, MIXED),
)

PER_USER = Scenario(
    name="looked-at-per-user",
    shows="the look ahead considers so many jobs of a user, and so many in all",
    layout=layout(
        nodes=FOUR_NODES,
        settings=("PriorityType=priority/basic",),
        scheduler="bf_max_job_user=2,bf_max_job_test=6",
    ),
    jobs=crowd(17, 26, MIXED, users=USERS[:3]),
)

PER_ASSOCIATION = Scenario(
    name="looked-at-per-association",
    shows="the look ahead considers so many jobs of each user in an account",
    layout=layout(
        nodes=FOUR_NODES,
        settings=("PriorityType=priority/basic",),
        scheduler="bf_max_job_assoc=2,bf_max_job_user=1",
    ),
    accounting=(
        "add account blue",
        "add account red",
        *(f"add user {user} account=blue,red" for user in USERS[:2]),
    ),
    jobs=crowd(
        20, 26, [f"{m} -A {account}" for m in MIXED for account in ("blue", "red")], users=USERS[:2]
    ),
)

QUICK = Scenario(
    name="quick-pass-capped",
    shows="the quick pass considers so many jobs of a partition, and starts so many",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4", "n5", "n6"),
        partitions=("main Nodes=n[1-3] Default=YES", "side Nodes=n[4-6]"),
        settings=("SchedulerType=sched/builtin", "PriorityType=priority/basic"),
        scheduler="partition_job_depth=2,sched_max_job_start=3",
    ),
    jobs=crowd(
        21,
        32,
        ("-N1 -n1", "-N1 -n2", "-N2 -n4", "-p side -N1 -n1", "-p side -N1 -n3", "-p side -N2 -n8"),
    ),
)

COARSE = Scenario(
    name="coarse",
    shows="reservations begin and end on whole minutes, and the look ahead is seldom",
    layout=layout(
        nodes=FOUR_NODES,
        settings=("PriorityType=priority/basic",),
        scheduler="bf_resolution=60,bf_interval=20,sched_interval=30",
    ),
    jobs=crowd(18, 22, MIXED),
)

STRICT = Scenario(
    name="strict",
    shows="without a look ahead, nobody of a partition passes a blocked job",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=("main Nodes=ALL Default=YES", "side Nodes=n[3-4] PriorityTier=2"),
        settings=("SchedulerType=sched/builtin", "PriorityWeightJobSize=1000"),
    ),
    jobs=crowd(19, 24, (*MIXED, "-p side -N1 -n3")),
)

OUT_OF_REACH = Scenario(
    name="out-of-reach",
    shows="who lacks nodes that others keep stops nobody as long as nobody is on those left to it",
    layout=layout(
        nodes={**four_cores("n1", "n2", "n3"), **dict.fromkeys(("n4", "n5", "n6"), BIG)},
        partitions=("main Nodes=ALL Default=YES", "top Nodes=n[4-6] PriorityTier=2"),
        settings=("SchedulerType=sched/builtin", "PriorityType=priority/basic"),
    ),
    jobs=crowd(
        71,
        34,
        (
            "-p top -N2 -n8",
            "-p top --exclusive -N3 -n3",
            "-C big -N1 -n4",
            "-C big --exclusive -N2 -n2",
            "-N1 -n2",
            "-N1 -n4",
            "--exclusive -N3 -n3 -t 3",
            "--exclusive -N1 -n1 -t 3",
        ),
        over_s=120,
        longest_s=20,
    ),
    deeds=(
        Deed(
            at_s=0,
            command="scontrol create reservation ReservationName=course StartTime=now+65"
            " Duration=1 Nodes=n[1-2] Users=root",
        ),
        Deed(
            at_s=100,
            command="scontrol create reservation ReservationName=more StartTime=now+60"
            " Duration=1 Nodes=n[1-4] Users=root Flags=IGNORE_JOBS",
        ),
    ),
)

OUT_OF_REACH_OVER = replace(
    OUT_OF_REACH,
    name="out-of-reach-over",
    shows="where jobs may be ended for others, who lacks nodes that others keep stops nobody",
    layout=replace(
        OUT_OF_REACH.layout,
        settings=(
            *OUT_OF_REACH.layout.settings,
            "PreemptType=preempt/partition_prio",
            "PreemptMode=REQUEUE",
        ),
    ),
)

ORDERING = (
    OUT_OF_REACH,
    OUT_OF_REACH_OVER,
    MULTIFACTOR,
    FAIRSHARE,
    TIERS,
    OVERLAP,
    SEVERAL_PARTITIONS,
    CONSERVATIVE,
    EASY,
    FULL_TABLE,
    PER_USER,
    PER_ASSOCIATION,
    QUICK,
    COARSE,
    STRICT,
)
