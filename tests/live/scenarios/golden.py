"""Scenes whose outcome was worked out by hand: one node of eight CPUs, first come first served."""

from live.scenarios.scenario import Deed, Job, Scenario, layout

ONE_NODE = {"n1": "CPUs=8 CoresPerSocket=8 ThreadsPerCore=1 Sockets=1 RealMemory=4000"}
FIFO = ("PriorityType=priority/basic",)
MINUTES = "bf_resolution=60"

# CPUs       30 s
#  1-6  [ A        ][ B: 4, C: 2 at once: with A gone both fit, whatever the plan said
#  7-8  [   D  ]        D is gone by its limit before A is, by its own
WHOLE_NODE_PLAN = Scenario(
    name="golden-1-whole-node-plan",
    shows="a reservation takes the whole node, but who fits starts when a job ends early",
    layout=layout(nodes=ONE_NODE, settings=FIFO, select="CR_CPU", scheduler=MINUTES),
    jobs=(
        Job(at_s=0, name="A", options="-n 6 -t 10", run_s=600),
        Job(at_s=5, name="B", options="-n 4 -t 60", run_s=30),
        Job(at_s=5, name="C", options="-n 2 -t 30", run_s=25),
        Job(at_s=5, name="D", options="-n 2 -t 5", run_s=15),
    ),
    deeds=(Deed(at_s=35, command="scancel {A}"),),
)

UNLIMITED_HIDES = Scenario(
    name="golden-3-unlimited-hides",
    shows="behind a job without a limit nobody is planned, yet all start when there is room",
    layout=layout(nodes=ONE_NODE, settings=FIFO, select="CR_CPU", scheduler=MINUTES),
    jobs=(
        Job(at_s=0, name="A", options="-n 8 -t 3", run_s=40),
        Job(at_s=5, name="B", options="-n 1", run_s=30),
        Job(at_s=5, name="array", options="-n 1 -t 2 --array=1-30", run_s=12),
        Job(at_s=5, name="after", options="-n 1 -t 1 --dependency=afterany:{B}", run_s=10),
        Job(at_s=5, name="held", options="-n 1 -t 1 --hold", run_s=10),
        Job(at_s=5, name="later", options="-n 1 -t 1 --begin=now+60", run_s=10),
    ),
    deeds=(Deed(at_s=70, command="scontrol release {held}"),),
)

ARRAY_PLANNED = Scenario(
    name="golden-4-array-planned",
    shows="an array's tasks are planned one after another, and start together",
    layout=layout(nodes=ONE_NODE, settings=FIFO, select="CR_CPU", scheduler=MINUTES),
    jobs=(
        Job(at_s=0, name="A", options="-n 8 -t 3", run_s=180),
        Job(at_s=5, name="array", options="-n 1 -t 5 --array=1-30", run_s=18),
        Job(at_s=5, name="single", options="-n 1 -t 5", run_s=18),
    ),
    deeds=(Deed(at_s=30, command="scancel {A}"),),
)

ENDS_GROUPED = Scenario(
    name="golden-5-ends-grouped",
    shows="ends of running jobs are looked at in groups, each twice as long as the one before",
    layout=layout(nodes=ONE_NODE, settings=FIFO, select="CR_CPU", scheduler=MINUTES),
    jobs=(
        *(
            Job(at_s=0, name=f"r{minute}", options=f"-n 1 -t {minute}", run_s=10 + 5 * minute)
            for minute in range(6, 14)
        ),
        Job(at_s=5, name="one", options="-n 1 -t 10", run_s=15),
        Job(at_s=5, name="three", options="-n 3 -t 10", run_s=15),
        Job(at_s=5, name="six", options="-n 6 -t 10", run_s=15),
    ),
)

NO_LOOKING_AHEAD = Scenario(
    name="golden-6-no-looking-ahead",
    shows="a blocked job stops its partition, and every other that wants the same nodes",
    layout=layout(
        nodes=ONE_NODE,
        partitions=("p Nodes=n1 Default=YES", "q Nodes=n1"),
        settings=(*FIFO, "SchedulerType=sched/builtin"),
        select="CR_CPU",
        scheduler=MINUTES,
    ),
    jobs=(
        Job(at_s=0, name="A", options="-p p -n 6 -t 10", run_s=40),
        Job(at_s=5, name="B", options="-p p -n 4 -t 5", run_s=20),
        Job(at_s=5, name="C", options="-p p -n 1 -t 5", run_s=20),
        Job(at_s=5, name="D", options="-p q -n 1 -t 5", run_s=20),
    ),
)

GOLDEN = (WHOLE_NODE_PLAN, UNLIMITED_HIDES, ARRAY_PLANNED, ENDS_GROUPED, NO_LOOKING_AHEAD)
