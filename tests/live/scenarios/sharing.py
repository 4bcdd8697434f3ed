"""Several jobs a core: where a partition makes them share, and where they say that they may."""

from live.scenarios.crowd import crowd
from live.scenarios.scenario import Job, Scenario, four_cores, layout

FIFO = ("PriorityType=priority/basic",)
FOUR_NODES = four_cores("n1", "n2", "n3", "n4")

FORCED = Scenario(
    name="cores-shared-by-force",
    shows="two jobs a core at most, none of them beside jobs of a partition that shares nothing",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "crowded Nodes=n[1-3] Default=YES OverSubscribe=FORCE:2",
            "plain Nodes=n[3-4]",
        ),
        settings=FIFO,
    ),
    jobs=(
        *crowd(
            80,
            34,
            (
                "-N1 -n1",
                "-N1 -n2",
                "-N1 -n4",
                "-N1 -n4",
                "-N2 -n8",
                "-n 3",
                "-N1 -n3",
                "-p plain -N1 -n2",
                "-p plain -N1 -n4",
            ),
            longest_s=30,
        ),
        Job(at_s=30, name="whole", options="-N1 -n1 --exclusive -t 1", run_s=12),
    ),
)

AGREED = Scenario(
    name="cores-shared-by-wish",
    shows="up to three jobs a core of those that agree, and none of them beside those that do not",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3"),
        partitions=("main Nodes=ALL Default=YES OverSubscribe=YES:3",),
        settings=FIFO,
    ),
    jobs=crowd(
        81,
        36,
        (
            "-N1 -n2 -s",
            "-N1 -n4 -s",
            "-N1 -n4 -s",
            "-N2 -n6 -s",
            "-N1 -n1",
            "-N1 -n4",
            "-N1 -n2",
        ),
        longest_s=30,
    ),
)

TWICE = Scenario(
    name="cores-shared-twice",
    shows="partitions with nodes in common, in each of which as many jobs share a core as it says",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4"),
        partitions=(
            "crowded Nodes=n[1-3] Default=YES OverSubscribe=FORCE:2",
            "packed Nodes=n[2-4] OverSubscribe=FORCE:3",
        ),
        settings=FIFO,
    ),
    jobs=crowd(
        86,
        44,
        (
            "-N1 -n2",
            "-N1 -n4",
            "-N2 -n8",
            "-n 5",
            "-N1 -n3",
            "-p packed -N1 -n2",
            "-p packed -N1 -n4",
            "-p packed -N2 -n6",
            "-p packed -N1 -n4",
        ),
        longest_s=40,
    ),
)

BESIDE = Scenario(
    name="cores-shared-beside",
    shows="who comes beside whom where some partitions with nodes in common let jobs share cores",
    layout=layout(
        nodes=four_cores("n1", "n2", "n3", "n4"),
        partitions=(
            "plain Nodes=n[1-3] Default=YES",
            "wished Nodes=n[2-4] OverSubscribe=YES:2",
            "other Nodes=n[3-4] OverSubscribe=YES:2",
        ),
        settings=FIFO,
    ),
    jobs=crowd(
        87,
        48,
        (
            "-N1 -n2",
            "-N1 -n1",
            "-N2 -n6",
            "-p wished -N1 -n2 -s",
            "-p wished -N1 -n4 -s",
            "-p wished -N1 -n2",
            "-p wished -n 5",
            "-p other -N1 -n2 -s",
            "-p other -N1 -n1",
        ),
        longest_s=40,
    ),
)

SHARING = (FORCED, AGREED, TWICE, BESIDE)
