"""Preemption by priority, and of jobs that have several components."""

from live.scenarios.crowd import crowd
from live.scenarios.scenario import Job, Scenario, four_cores, layout

FIFO = ("PriorityType=priority/basic",)
FOUR_NODES = four_cores("n1", "n2", "n3", "n4")
SOON_BACK_S = 20

WITHIN = Scenario(
    name="preemption-within-a-qos",
    shows="jobs of one QOS send back others of it that have a lower priority; those of another not",
    layout=layout(
        nodes=FOUR_NODES,
        settings=("PreemptType=preempt/qos", "PreemptMode=REQUEUE", "PriorityWeightJobSize=1000"),
        credential_s=SOON_BACK_S,
    ),
    accounting=(
        "add qos inner",
        "add qos high",
        "modify qos inner set preemptmode=requeue,within",
        "modify qos high set preempt=inner priority=10",
        "add account lab qos=normal,inner,high",
        "add user games account=lab",
    ),
    jobs=(
        *crowd(
            74,
            18,
            (
                "--qos=inner -N1 -n2 --nice=300",
                "--qos=inner -N1 -n4 --nice=100",
                "-N1 -n2",
                "--qos=inner -N2 -n8 --nice=400",
            ),
            over_s=50,
            shortest_s=15,
        ),
        Job(at_s=14, name="urgent0", options="--qos=inner -N1 -n4 -t 1", run_s=20),
        Job(at_s=34, name="urgent1", options="--qos=inner -N2 -n8 -t 1 --nice=50", run_s=20),
        Job(at_s=54, name="high0", options="--qos=high -N1 -n4 -t 1", run_s=15),
    ),
    longest_s=330,
)

COMPONENTS = Scenario(
    name="preemption-of-components",
    shows="a job of several components is ended as one, and ends others only by the look ahead",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=CANCEL",
            "high Nodes=n[1-3] PriorityTier=9 PreemptMode=OFF",
        ),
        settings=(*FIFO, "PreemptType=preempt/partition_prio", "PreemptMode=CANCEL"),
    ),
    jobs=(
        Job(at_s=0, name="het0", options="-p low -N1 -n2 -t 2 : -p low -N1 -n4 -t 2", run_s=60),
        Job(at_s=0, name="het1", options="-p low -N1 -n4 -t 2 : -p low -N1 -n2 -t 2", run_s=50),
        Job(at_s=14, name="high0", options="-p high -N1 -n4 -t 1", run_s=20),
        *crowd(75, 14, ("-p low -N1 -n2", "-p low -N1 -n4", "-p low -N2 -n8"), over_s=50),
        Job(at_s=40, name="het2", options="-p high -N1 -n4 -t 1 : -p high -N1 -n2 -t 1", run_s=15),
        Job(at_s=60, name="het3", options="-p low -N1 -n1 -t 2 : -p low -N1 -n1 -t 2", run_s=60),
        Job(at_s=80, name="high1", options="-p high -N3 -n12 -t 1", run_s=12),
    ),
    longest_s=300,
)

BY_PRIORITY = (WITHIN, COMPONENTS)
