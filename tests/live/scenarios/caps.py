"""Limits: who may not start though there is room."""

from live.scenarios.crowd import crowd
from live.scenarios.scenario import USERS, Deed, Job, Scenario, four_cores, layout

ENFORCED = ("AccountingStorageEnforce=associations,limits,qos",)
FOUR_NODES = four_cores("n1", "n2", "n3", "n4")
NARROW = ("-N1 -n1", "-N1 -n2", "-N1 -n3", "-N1 -n4", "-N2 -n8")

TWO_QOS = (
    "add qos wide",
    "modify qos wide set maxtresperuser=cpu=6",
    "add qos few",
    "modify qos few set maxjobsperuser=2 grpjobs=3",
    "add account lab qos=normal,wide,few",
    *(f"add user {user} account=lab" for user in USERS[:3]),
)
OF_TWO_QOS = crowd(
    21,
    28,
    [f"{shape} {qos}" for shape in NARROW for qos in ("--qos=wide", "--qos=few", "")],
    users=USERS[:3],
)

QOS_CAPS = Scenario(
    name="qos-caps",
    shows="CPUs and jobs per user of a QOS; whom a cap keeps back, all others pass",
    layout=layout(nodes=FOUR_NODES, settings=ENFORCED),
    accounting=TWO_QOS,
    jobs=OF_TWO_QOS,
)

CAPS_THAT_BLOCK = Scenario(
    name="caps-that-block",
    shows="with assoc_limit_stop, whom a cap keeps back stops those behind him",
    layout=layout(nodes=FOUR_NODES, settings=ENFORCED, scheduler="assoc_limit_stop"),
    accounting=TWO_QOS,
    jobs=OF_TWO_QOS,
)

ACCOUNT_CAPS = Scenario(
    name="account-caps",
    shows="an account's CPUs together with those of its branches, and jobs of a user in it",
    layout=layout(nodes=FOUR_NODES, settings=(*ENFORCED, "PriorityWeightJobSize=1000")),
    accounting=(
        "add account faculty",
        "modify account faculty set grptres=cpu=10",
        "add account physics parent=faculty",
        "add account biology parent=faculty",
        "modify account biology set grptres=node=2",
        "add account guests",
        "modify account guests set grpjobs=2",
        "add user games account=physics",
        "add user news account=biology maxjobs=2",
        "add user mail account=guests",
        "add user irc account=guests",
    ),
    jobs=crowd(22, 30, NARROW, users=USERS),
)

MOVING_CAPS = Scenario(
    name="moving-caps",
    shows="a cap that is raised, or lowered, while jobs wait for it",
    layout=layout(nodes=FOUR_NODES, settings=ENFORCED),
    accounting=(
        "add account lab",
        "modify account lab set grptres=cpu=4",
        *(f"add user {user} account=lab" for user in USERS[:2]),
    ),
    jobs=crowd(23, 24, ("-N1 -n1", "-N1 -n2", "-N1 -n4"), users=USERS[:2], over_s=40),
    deeds=(
        Deed(at_s=45, command="sacctmgr -i modify account lab set grptres=cpu=12"),
        Deed(at_s=85, command="sacctmgr -i modify account lab set grptres=cpu=6"),
    ),
)

PARTITION_QOS = Scenario(
    name="partition-qos",
    shows="a partition's own QOS limits it as a whole, and each user in it",
    layout=layout(
        nodes=FOUR_NODES,
        partitions=("main Nodes=ALL Default=YES", "small Nodes=ALL QOS=small"),
        settings=ENFORCED,
    ),
    accounting=(
        "add qos small",
        "modify qos small set grptres=cpu=8 maxtresperuser=cpu=5",
        "add account lab",
        *(f"add user {user} account=lab" for user in USERS[:3]),
    ),
    jobs=crowd(
        24, 28, [f"{s} {p}" for s in NARROW for p in ("-p main", "-p small")], users=USERS[:3]
    ),
)

LICENCES = Scenario(
    name="licences",
    shows="who lacks a licence is passed and reserves nothing",
    layout=layout(nodes=FOUR_NODES, settings=("Licenses=tool:3,solver:1",)),
    jobs=crowd(
        25,
        26,
        (
            "-N1 -n2",
            "-N2 -n8",
            "-N1 -n2 -L tool:1",
            "-N1 -n4 -L tool:2",
            "-N1 -n1 -L solver:1,tool:1",
        ),
    ),
)

LICENCES_PLANNED = Scenario(
    name="licences-planned",
    shows="with bf_licenses, licences are reserved as nodes are",
    layout=layout(
        nodes=FOUR_NODES, settings=("Licenses=tool:3,solver:1",), scheduler="bf_licenses"
    ),
    jobs=crowd(
        25,
        26,
        (
            "-N1 -n2",
            "-N2 -n8",
            "-N1 -n2 -L tool:1",
            "-N1 -n4 -L tool:2",
            "-N1 -n1 -L solver:1,tool:1",
        ),
    ),
)

MINUTES_CAP = Scenario(
    name="minutes-caps",
    shows="minutes that running jobs may still use, of a user and of an account",
    layout=layout(nodes=FOUR_NODES, settings=ENFORCED),
    accounting=(
        "add qos tight",
        "modify qos tight set maxtresrunminspu=cpu=12",
        "add account lab qos=normal,tight",
        "modify account lab set grptresrunmins=cpu=40",
        *(f"add user {user} account=lab" for user in USERS[:2]),
    ),
    jobs=(
        Job(at_s=0, name="first", options="-N1 -n4 -t 5", run_s=50),
        *crowd(
            26,
            22,
            ("-N1 -n2", "-N1 -n4", "-N1 -n1 --qos=tight", "-N1 -n3 --qos=tight"),
            users=USERS[:2],
        ),
    ),
)

CAPS = (
    QOS_CAPS,
    CAPS_THAT_BLOCK,
    ACCOUNT_CAPS,
    MOVING_CAPS,
    PARTITION_QOS,
    LICENCES,
    LICENCES_PLANNED,
    MINUTES_CAP,
)
