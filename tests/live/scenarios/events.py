"""What moves the queue besides jobs that come and end."""

from live.power import PROGRAMS, SAVING
from live.scenarios.crowd import crowd
from live.scenarios.scenario import Deed, Job, Scenario, four_cores, layout

FIFO = ("PriorityType=priority/basic",)
FOUR_NODES = four_cores("n1", "n2", "n3", "n4")
MIXED = ("-N1 -n1", "-N1 -n2", "-N1 -n4", "-N2 -n8", "-N2 -n8", "-N3 -n12")

RESERVATION = Scenario(
    name="reservation",
    shows="jobs inside wait for its start; jobs outside must be gone by then, or go elsewhere",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=(
        *(
            Job(at_s=10, name=f"in{n}", options=f"--reservation=course -n {n} -t 1", run_s=20)
            for n in (4, 2, 3)
        ),
        *crowd(41, 22, MIXED[:5], over_s=90),
    ),
    deeds=(
        Deed(
            at_s=0,
            command="scontrol create reservation ReservationName=course StartTime=now+70"
            " Duration=1 Nodes=n1,n2 Users=games",
        ),
    ),
)

MAINTENANCE = Scenario(
    name="maintenance",
    shows="who would not be gone before the maintenance waits until it is over",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=crowd(42, 22, MIXED, over_s=90),
    deeds=(
        Deed(
            at_s=0,
            command="scontrol create reservation ReservationName=service StartTime=now+95"
            " Duration=1 Nodes=ALL Users=root Flags=MAINT,IGNORE_JOBS",
        ),
    ),
)

ARRAYS = Scenario(
    name="arrays",
    shows="arrays, some of which run only so many tasks at a time",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=(
        Job(at_s=0, name="wide", options="-N 4 -t 1", run_s=20),
        Job(at_s=5, name="two", options="-N1 -n2 -t 1 --array=1-7%2", run_s=15),
        Job(at_s=5, name="all", options="-N1 -n1 -t 2 --array=0-9", run_s=22),
        Job(at_s=10, name="one", options="-N1 -n4 -t 1 --array=2,5,9%1", run_s=12),
        Job(at_s=30, name="late", options="-N2 -n8 -t 3 --array=1-4", run_s=17),
        *crowd(43, 8, MIXED, over_s=50),
    ),
)

DEPENDENCIES = Scenario(
    name="dependencies",
    shows="jobs that wait for others: their start, end, success, failure, or their name",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=(
        Job(at_s=0, name="a", options="-N1 -n4 -t 1", run_s=20),
        Job(at_s=0, name="b", options="-N3 -n12 -t 2", run_s=30),
        Job(at_s=0, name="c", options="-N1 -n4 -t 5 --dependency=afterok:{a}", run_s=20),
        Job(at_s=0, name="d", options="-N1 -n4 -t 1 --dependency=afterany:{b}:{c}", run_s=15),
        Job(at_s=0, name="e", options="-N1 -n2 -t 1 --dependency=after:{c}", run_s=15),
        Job(at_s=5, name="f", options="-N1 -n2 -t 1 --dependency=afternotok:{b}", run_s=10),
        Job(
            at_s=5, name="g", options="-N1 -n2 -t 1 --dependency=afterok:{a}?afterok:{d}", run_s=12
        ),
        *(
            Job(at_s=5, name="same", options="-N1 -n1 -t 1 --dependency=singleton", run_s=run_s)
            for run_s in (14, 9, 11)
        ),
        Job(at_s=5, name="tasks", options="-N1 -n1 -t 1 --array=1-4", run_s=16),
        Job(at_s=5, name="pairs", options="-N1 -n1 -t 1 --array=1-4 -d aftercorr:{tasks}", run_s=9),
        Job(at_s=5, name="last", options="-N 2 -t 1 -d afterany:{tasks}", run_s=9),
        *crowd(44, 10, MIXED[:4], over_s=60),
    ),
    deeds=(Deed(at_s=25, command="scancel {b}"),),
)

BEGIN_TIMES = Scenario(
    name="begin-times",
    shows="jobs that are not to start before a given time, among others",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=(
        *(
            Job(at_s=0, name=f"at{s}", options=f"-n {c} -t 1 --begin=now+{s}", run_s=20)
            for s, c in ((20, 4), (35, 8), (50, 2), (65, 16), (80, 4))
        ),
        *crowd(45, 20, MIXED, over_s=60),
    ),
)

CHANGES = Scenario(
    name="changes",
    shows="jobs that are cancelled, held, released, made shorter, nicer or more urgent",
    layout=layout(nodes=FOUR_NODES, settings=("PriorityWeightJobSize=1000",)),
    jobs=(
        Job(at_s=0, name="first", options="-N3 -n12 -t 5", run_s=200),
        Job(at_s=0, name="wide", options="-N4 -n16 -t 3", run_s=20),
        Job(at_s=5, name="held", options="-N1 -n4 -t 1", run_s=20),
        Job(at_s=5, name="long", options="-N1 -n4 -t 30", run_s=20),
        Job(at_s=5, name="urgent", options="-N1 -n4 -t 3", run_s=20),
        Job(at_s=5, name="gone", options="-N2 -n8 -t 3", run_s=20),
        *crowd(46, 14, MIXED[:5], over_s=60),
    ),
    deeds=(
        Deed(at_s=10, command="scontrol hold {held}"),
        Deed(at_s=20, command="scancel {gone}"),
        Deed(at_s=30, command="scontrol update jobid={long} timelimit=1"),
        Deed(at_s=35, command="scontrol update jobid={urgent} priority=100000"),
        Deed(at_s=50, command="scancel {first}"),
        Deed(at_s=60, command="scontrol release {held}"),
    ),
)

NODES_LEAVE = Scenario(
    name="nodes-leave",
    shows="a node is drained for a while, and another partition closed",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=("main Nodes=ALL Default=YES", "side Nodes=n[3-4]"),
        settings=FIFO,
    ),
    jobs=crowd(47, 26, (*MIXED, "-p side -N1 -n2", "-p side -N1 -n4"), over_s=80),
    deeds=(
        Deed(at_s=15, command="scontrol update nodename=n4 state=drain reason=repair"),
        Deed(at_s=40, command="scontrol update partitionname=side state=down"),
        Deed(at_s=70, command="scontrol update nodename=n4 state=resume"),
        Deed(at_s=90, command="scontrol update partitionname=side state=up"),
    ),
)

SHORTER_IF_NEED_BE = Scenario(
    name="shorter-if-need-be",
    shows="jobs that accept a shorter limit in order to start earlier",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=(
        Job(at_s=0, name="three", options="-N3 -n12 -t 4", run_s=55),
        Job(at_s=0, name="four", options="-N4 -n16 -t 2", run_s=20),
        *crowd(48, 20, ("-N1 -n2 --time-min=1", "-N1 -n4 --time-min=1", "-N1 -n2", "-N2 -n8")),
    ),
)

HETEROGENEOUS = Scenario(
    name="heterogeneous",
    shows="jobs of unlike components start with all of them, and by the look ahead only",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=(
        Job(at_s=0, name="het0", options="-n 2 -t 1 : -n 4 -t 1", run_s=15),
        *crowd(49, 16, MIXED, over_s=60),
        Job(at_s=20, name="het1", options="-N2 -n8 -t 2 : -n 1 -t 2", run_s=20),
        Job(at_s=40, name="het2", options="-n 4 -t 1 : -n 4 -t 1 : -n 4 -t 1", run_s=10),
    ),
)

POWER_SAVING = Scenario(
    name="power-saving",
    shows="nodes without work go to sleep, and are woken by those who find no others",
    layout=layout(nodes=FOUR_NODES, settings=(*FIFO, *SAVING), programs=PROGRAMS),
    jobs=(
        Job(at_s=0, name="two", options="-N2 -n8 -t 3", run_s=70),
        Job(at_s=40, name="wakes", options="-N1 -n4 -t 1", run_s=20),
        Job(at_s=50, name="third", options="-N1 -n2 -t 2", run_s=45),
        Job(at_s=50, name="beside", options="-N1 -n2 -t 2", run_s=45),
        Job(at_s=60, name="wide", options="-N4 -n16 -t 1", run_s=15),
        Job(at_s=70, name="awake", options="-N1 -n4 -t 1", run_s=12),
        Job(at_s=160, name="alone", options="-N1 -n4 -t 1", run_s=15),
        Job(at_s=165, name="both", options="-N3 -n12 -t 1", run_s=15),
    ),
    longest_s=280,
)

PARTITIONS_SAVE_POWER = Scenario(
    name="power-saving-by-partition",
    shows="partitions with times of their own; one of three nodes, and one by name, stay awake",
    layout=layout(
        nodes=four_cores(*(f"n{n}" for n in range(1, 7))),
        partitions=(
            "near Nodes=n[1-3] Default=YES SuspendTime=15 ResumeTimeout=12",
            "far Nodes=n[4-6] SuspendTimeout=14",
        ),
        settings=(*FIFO, *SAVING, "SuspendExcNodes=n[1-3]:1,n4"),
        programs=PROGRAMS,
    ),
    jobs=(
        Job(at_s=0, name="near0", options="-N3 -n12 -t 2", run_s=20),
        Job(at_s=0, name="far0", options="-p far -N3 -n12 -t 2", run_s=12),
        Job(at_s=40, name="falling", options="-p far -N3 -n12 -t 2", run_s=20),
        Job(at_s=60, name="kept", options="-N1 -n4 -t 2", run_s=30),
        Job(at_s=65, name="woken", options="-N2 -n8 -t 2", run_s=20),
        Job(at_s=150, name="named", options="-p far -N1 -n4 -t 2", run_s=15),
        Job(at_s=155, name="one", options="-p far -N1 -n4 -t 2", run_s=15),
        Job(at_s=155, name="again", options="-N1 -n4 -t 2", run_s=15),
        Job(at_s=160, name="all", options="-N3 -n12 -t 2", run_s=15),
    ),
    longest_s=280,
)

OUTLASTING = Scenario(
    name="outlasts-its-reservation",
    shows="who has a reservation starts in it, though its limit is longer than what is left of it",
    layout=layout(nodes=FOUR_NODES, settings=FIFO),
    jobs=(
        *crowd(61, 14, ("-N1 -n2", "-N1 -n4", "-N2 -n8"), over_s=60),
        *(
            Job(at_s=4 + 6 * n, name=f"in{n}", options=f"--reservation=course {size}", run_s=run_s)
            for n, (size, run_s) in enumerate(
                (
                    ("-N1 -n4 -t 30", 25),
                    ("-N1 -n2 -t 1", 15),
                    ("-N1 -n2 -t 20", 15),
                    ("-N2 -n8 -t 10", 22),
                    ("-N1 -n4 -t 5", 90),
                    ("-N1 -n4 -t 10", 20),
                )
            )
        ),
    ),
    deeds=(
        Deed(
            at_s=0,
            command="scontrol create reservation ReservationName=course StartTime=now+20"
            " Duration=2 Nodes=n[3-4] Users=root,games",
        ),
    ),
    longest_s=280,
)

EVENTS = (
    OUTLASTING,
    RESERVATION,
    MAINTENANCE,
    ARRAYS,
    DEPENDENCIES,
    BEGIN_TIMES,
    CHANGES,
    NODES_LEAVE,
    SHORTER_IF_NEED_BE,
    POWER_SAVING,
    PARTITIONS_SAVE_POWER,
    HETEROGENEOUS,
)
