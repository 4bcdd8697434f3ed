"""Who may start where, and when nobody may: groups and accounts, and jobs that are completing."""

from live.scenarios.crowd import crowd
from live.scenarios.scenario import USERS, Deed, Job, Scenario, four_cores, layout

FIFO = ("PriorityType=priority/basic",)
FOUR_NODES = four_cores("n1", "n2", "n3", "n4")

BY_ACCOUNT = Scenario(
    name="partitions-by-account",
    shows="jobs of several partitions, of which some take only jobs of an account, or not of one",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=(
            "open Nodes=n[1-2] Default=YES",
            "lab Nodes=n3 AllowAccounts=lab",
            "rest Nodes=n4 DenyAccounts=lab",
        ),
        settings=FIFO,
    ),
    accounting=(
        "add account lab",
        "add account other",
        "add user games account=lab",
        "add user news account=other",
    ),
    jobs=crowd(
        71,
        26,
        (
            "-p open,lab,rest -N1 -n2",
            "-p lab,rest -N1 -n4",
            "-p rest,open -N1 -n4",
            "-p lab,open -N1 -n3",
        ),
        users=USERS[:2],
    ),
    deeds=(Deed(at_s=65, command="scontrol update partitionname=lab allowaccounts=other"),),
    longest_s=200,
)

BY_GROUP = Scenario(
    name="partitions-by-group",
    shows="jobs of several partitions, one of which takes only jobs of a group",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=("open Nodes=n[1-2] Default=YES", "club Nodes=n[2-4] AllowGroups=games"),
        settings=FIFO,
    ),
    jobs=crowd(
        72,
        22,
        ("-p open,club -N1 -n2", "-p club,open -N1 -n4", "-p open,club -N2 -n8", "-p open -N1 -n3"),
        users=USERS[:2],
    ),
)

EPILOG_S = 5
COMPLETING = Scenario(
    name="waits-for-completing",
    shows="while jobs are completing nobody is started, on whatever nodes",
    layout=layout(
        nodes=FOUR_NODES,
        settings=(*FIFO, "CompleteWait=20", "Epilog={root}/epilog"),
        programs={"epilog": f"#!/bin/sh\nsleep {EPILOG_S}\n"},
    ),
    jobs=(
        *crowd(73, 22, ("-N1 -n2", "-N1 -n4", "-N2 -n8", "-N3 -n12"), over_s=80),
        Job(at_s=0, name="long", options="-N1 -n4 -t 3", run_s=60),
        Job(at_s=100, name="late", options="-N1 -n1 -t 1", run_s=5),
    ),
)

ADMITTING = (BY_ACCOUNT, BY_GROUP, COMPLETING)
