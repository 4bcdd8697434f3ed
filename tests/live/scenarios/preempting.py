"""Preemption: who may end whose job, whose first, and what becomes of those."""

from live.scenarios.crowd import crowd
from live.scenarios.scenario import USERS, Deed, Job, Scenario, four_cores, layout

FIFO = ("PriorityType=priority/basic",)
FOUR_NODES = four_cores("n1", "n2", "n3", "n4")
BY_PARTITION = (*FIFO, "PreemptType=preempt/partition_prio")
LOW = ("-p low -N1 -n2", "-p low -N1 -n4", "-p low -N2 -n8")
SOON_BACK_S = 20
"""So long who was sent back stays away."""

PREEMPTION = Scenario(
    name="preemption-by-partition",
    shows="a partition's jobs send those of another back into the queue",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=REQUEUE",
            "high Nodes=n[1-3] PriorityTier=9 PreemptMode=OFF",
        ),
        settings=(*BY_PARTITION, "PreemptMode=REQUEUE"),
    ),
    jobs=(
        *crowd(50, 18, LOW, over_s=50),
        Job(at_s=12, name="high0", options="-p high -N1 -n4 -t 1", run_s=20),
        Job(at_s=26, name="high1", options="-p high -N2 -n8 -t 2", run_s=20),
        Job(at_s=44, name="high2", options="-p high -N1 -n1 -t 1", run_s=20),
    ),
    longest_s=300,
)

PREEMPTION_BY_QOS = Scenario(
    name="preemption-by-qos",
    shows="jobs of one QOS end those of another",
    layout=layout(nodes=FOUR_NODES, settings=("PreemptType=preempt/qos", "PreemptMode=CANCEL")),
    accounting=(
        "add qos low",
        "add qos high",
        "modify qos high set preempt=low priority=10",
        "add account lab qos=normal,low,high",
        "add user games account=lab",
    ),
    jobs=(
        *crowd(51, 20, ("--qos=low -N1 -n2", "--qos=low -N1 -n4", "-N2 -n8", "-N1 -n3"), over_s=50),
        Job(at_s=12, name="high0", options="--qos=high -N1 -n4 -t 1", run_s=20),
        Job(at_s=26, name="high1", options="--qos=high -N2 -n8 -t 2", run_s=20),
        Job(at_s=44, name="high2", options="--qos=high -N1 -n1 -t 1", run_s=20),
    ),
)

THREE_TIERS = Scenario(
    name="preemption-of-tiers",
    shows="of three partitions the lowest gives way first: one is sent back, one ended for good",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=REQUEUE",
            "middle Nodes=ALL PriorityTier=5 PreemptMode=CANCEL",
            "high Nodes=n[2-4] PriorityTier=9 PreemptMode=OFF",
        ),
        settings=(*BY_PARTITION, "PreemptMode=REQUEUE"),
        credential_s=SOON_BACK_S,
    ),
    jobs=(
        *crowd(52, 16, (*LOW, "-p low -N1 -n2 --no-requeue"), over_s=60, shortest_s=15),
        *crowd(53, 6, ("-p middle -N1 -n2", "-p middle -N1 -n4"), over_s=50, prefix="m"),
        Job(at_s=12, name="high0", options="-p high -N1 -n4 -t 1", run_s=20),
        Job(at_s=26, name="high1", options="-p high -N2 -n8 -t 2", run_s=20),
        Job(at_s=44, name="high2", options="-p high -N1 -n1 -t 1", run_s=20),
        Job(at_s=64, name="high3", options="-p high -N3 -n12 -t 1", run_s=12),
    ),
)

YOUNGEST_FIRST = Scenario(
    name="preemption-youngest-first",
    shows="who started last is ended first",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=CANCEL",
            "high Nodes=ALL PriorityTier=9 PreemptMode=OFF",
        ),
        settings=(*BY_PARTITION, "PreemptMode=CANCEL"),
        scheduler="preempt_youngest_first",
    ),
    jobs=(
        *crowd(54, 22, LOW, over_s=60, shortest_s=15),
        Job(at_s=13, name="high0", options="-p high -N1 -n4 -t 1", run_s=15),
        Job(at_s=27, name="high1", options="-p high -N1 -n2 -t 2", run_s=25),
        Job(at_s=33, name="high2", options="-p high -N2 -n8 -t 2", run_s=15),
        Job(at_s=62, name="high3", options="-p high -N1 -n3 -t 1", run_s=15),
    ),
)

OF_SHARERS = Scenario(
    name="preemption-of-sharers",
    shows="whom it takes where several share a node of which only a part is wanted",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=CANCEL",
            "high Nodes=ALL PriorityTier=9 PreemptMode=OFF",
        ),
        settings=(*BY_PARTITION, "PreemptMode=CANCEL"),
    ),
    jobs=(
        *crowd(
            58,
            44,
            ("-p low -N1 -n1", "-p low -N1 -n1", "-p low -N1 -n2", "-p low -N2 -n4"),
            over_s=60,
            shortest_s=20,
            longest_s=50,
        ),
        Job(at_s=24, name="high0", options="-p high -N1 -n1 -t 1", run_s=15),
        Job(at_s=34, name="high1", options="-p high -N1 -n3 -t 2", run_s=25),
        Job(at_s=44, name="high2", options="-p high -N2 -n4 -t 2", run_s=15),
        Job(at_s=62, name="high3", options="-p high -N1 -n2 -t 1", run_s=15),
        Job(at_s=74, name="high4", options="-p high -N3 -n9 -t 1", run_s=15),
    ),
)

WITH_GRACE = Scenario(
    name="preemption-with-grace",
    shows="who is to go may finish within a grace time, and nobody goes who has just begun",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=REQUEUE GraceTime=12",
            "high Nodes=n[1-3] PriorityTier=9 PreemptMode=OFF",
        ),
        settings=(*BY_PARTITION, "PreemptMode=REQUEUE", "PreemptExemptTime=00:00:15"),
        credential_s=SOON_BACK_S,
    ),
    jobs=(
        *crowd(55, 18, LOW, over_s=60, shortest_s=20, longest_s=45),
        Job(at_s=12, name="high0", options="-p high -N1 -n4 -t 1", run_s=20),
        Job(at_s=36, name="high1", options="-p high -N2 -n8 -t 2", run_s=20),
        Job(at_s=64, name="high2", options="-p high -N1 -n1 -t 1", run_s=20),
    ),
)

QOS_SENDS_BACK = Scenario(
    name="preemption-qos-sends-back",
    shows="by QOS: one sends back, one ends, one has a grace time, one spares the young",
    layout=layout(
        nodes=FOUR_NODES,
        settings=("PreemptType=preempt/qos", "PreemptMode=REQUEUE", "PriorityWeightQOS=1000"),
        credential_s=SOON_BACK_S,
    ),
    accounting=(
        "add qos low",
        "add qos spare",
        "add qos high",
        "modify qos low set gracetime=8",
        "modify qos spare set preemptmode=cancel preemptexempttime=00:00:20",
        "modify qos high set preempt=low,spare priority=10",
        "add account lab qos=normal,low,spare,high",
        *(f"add user {user} account=lab" for user in USERS[:2]),
    ),
    jobs=(
        *crowd(
            56,
            22,
            ("--qos=low -N1 -n2", "--qos=low -N1 -n4", "--qos=spare -N1 -n2", "-N1 -n3"),
            over_s=60,
            users=USERS[:2],
            shortest_s=15,
        ),
        Job(at_s=12, name="high0", options="--qos=high -N1 -n4 -t 1", run_s=20),
        Job(at_s=33, name="high1", options="--qos=high -N2 -n8 -t 2", run_s=20),
        Job(at_s=54, name="high2", options="--qos=high -N1 -n1 -t 1", run_s=20),
    ),
)

SENT_BACK = Scenario(
    name="sent-back",
    shows="running jobs that an administrator sends back into the queue, by hand or with a node",
    layout=layout(nodes=FOUR_NODES, settings=FIFO, credential_s=SOON_BACK_S),
    jobs=(
        Job(at_s=0, name="first", options="-N2 -n8 -t 2", run_s=40),
        Job(at_s=0, name="second", options="-N1 -n4 -t 2", run_s=30),
        *crowd(57, 20, ("-N1 -n2", "-N1 -n4", "-N2 -n8"), over_s=60, shortest_s=15),
    ),
    deeds=(
        Deed(at_s=13, command="scontrol requeue {second}"),
        Deed(at_s=22, command="scontrol requeue {first}"),
        Deed(at_s=45, command="scontrol update nodename=n3 state=down reason=fails"),
    ),
)

STAND_STILL = Scenario(
    name="preemption-suspends",
    shows="who must make room stands still, keeps its nodes, and goes on when they are free again",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=SUSPEND",
            "middle Nodes=n[2-4] PriorityTier=5 PreemptMode=SUSPEND",
            "high Nodes=n[1-3] PriorityTier=9 PreemptMode=OFF",
        ),
        settings=(*BY_PARTITION, "PreemptMode=SUSPEND,GANG"),
    ),
    jobs=(
        *crowd(59, 18, LOW, over_s=60, shortest_s=15),
        *crowd(60, 5, ("-p middle -N1 -n2", "-p middle -N1 -n4"), over_s=50, prefix="m"),
        Job(at_s=12, name="high0", options="-p high -N1 -n4 -t 1", run_s=20),
        Job(at_s=26, name="high1", options="-p high -N2 -n8 -t 2", run_s=20),
        Job(at_s=44, name="high2", options="-p high -N1 -n1 -t 1", run_s=20),
        Job(at_s=64, name="high3", options="-p high -N3 -n12 -t 1", run_s=12),
    ),
    longest_s=360,
)

QOS_SUSPENDS = Scenario(
    name="preemption-qos-suspends",
    shows="by QOS: who stands still keeps its memory, which the other must find beside it",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=("main Nodes=ALL Default=YES OverSubscribe=FORCE:1",),
        settings=("PreemptType=preempt/qos", "PreemptMode=SUSPEND,GANG"),
        select="CR_Core_Memory",
    ),
    accounting=(
        "add qos low",
        "add qos high",
        "modify qos high set preempt=low priority=10",
        "add account lab qos=normal,low,high",
        "add user games account=lab",
    ),
    jobs=(
        *crowd(
            62,
            18,
            (
                "--qos=low -N1 -n2 --mem=1000",
                "--qos=low -N1 -n4 --mem=1500",
                "--qos=low -N1 -n4 --mem=3500",
                "-N1 -n2 --mem=1000",
            ),
            over_s=50,
            shortest_s=20,
            longest_s=45,
        ),
        Job(at_s=12, name="high0", options="--qos=high -N1 -n4 -t 1 --mem=2000", run_s=20),
        Job(at_s=26, name="high1", options="--qos=high -N2 -n8 -t 2 --mem=2000", run_s=20),
        Job(at_s=44, name="high2", options="--qos=high -N1 -n1 -t 1 --mem=1000", run_s=20),
    ),
)

PREEMPTING = (
    PREEMPTION,
    PREEMPTION_BY_QOS,
    THREE_TIERS,
    YOUNGEST_FIRST,
    OF_SHARERS,
    WITH_GRACE,
    QOS_SENDS_BACK,
    SENT_BACK,
    STAND_STILL,
    QOS_SUSPENDS,
)
