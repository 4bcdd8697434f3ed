"""A slurm.conf read by us says what a controller tells that was started with it."""

from dataclasses import fields, replace

import pytest
from live.cluster import running
from live.layout import Layout
from live.needs import needs

from collectors.slurm.coverage.catalogue import Verdict
from collectors.slurm.coverage.command import of_answers, of_files
from collectors.slurm.files.setup import load_setup
from collectors.slurm.partitioned import partitioned
from collectors.slurm.text.config import parse_config
from collectors.slurm.text.licenses import parse_licenses
from collectors.slurm.text.nodes import parse_nodes
from collectors.slurm.text.partitions import parse_partitions
from collectors.slurm.text.topology import parse_topology, under_switches

pytestmark = pytest.mark.live

MORE = """\
# What a site keeps apart.
priorityWEIGHTage = 1000  # spelled otherwise
PriorityWeightFairshare=2000
PriorityWeightJobSize=300
PriorityWeightPartition\\
   =400
PriorityWeightQOS=500
PriorityWeightTRES="CPU=10,Mem=5"
PriorityFlags=no_normal_all,max_tres
PriorityCalcPeriod=2
PriorityMaxAge=3-12
PriorityDecayHalfLife=2-0
PriorityUsageResetPeriod=weekly
PriorityFavorSmall=yes
"""
RICH = Layout(
    nodes={
        "n1": "CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 Feature=a,b",
        "n2": "Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 Weight=7 Features=b",
        "n3": "CPUs=4 RealMemory=4000 MemSpecLimit=500 Gres=gpu:tesla:2",
        "n4": "CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 CoreSpecCount=1",
    },
    partitions=(
        "DEFAULT MaxTime=2-0 PriorityTier=3 DefMemPerCPU=100",
        "plain Nodes=n[1-4] Default=YES",
        "whole Nodes=n[2-3] OverSubscribe=exclusive MaxTime=60 DefaultTime=10 MaxNodes=2",
        "lists Nodes=n1,n4 AllowAccounts=x,y DenyQos=z PriorityJobFactor=9 State=DRAIN",
        "grace Nodes=n1,n4 GraceTime=33 MinNodes=2",
        "often Nodes=ALL Shared=FORCE PreemptMode=off LLN=YES MaxTime=INFINITE OverTimeLimit=5",
        "yes Nodes=n1 OverSubscribe=YES:2 ExclusiveUser=YES MaxCPUsPerNode=3 DefMemPerNode=77",
        "set Nodes=bees MaxMemPerCPU=500 TRESBillingWeights=CPU=1.5,Mem=0.25G AllowGroups=root",
    ),
    settings=(
        "Include {root}/more.conf",
        "NodeSet=bees Feature=b",
        "KillWait=7",
        "CompleteWait=3",
        "MinJobAge=120",
        "OverTimeLimit=4",
        "ResumeTimeout=99",
        "KillWait=9",
        "selecttype=select/cons_tres",
        "SelectTypeParameters=CR_Core_Memory,CR_LLN",
        "SchedulerParameters=bf_interval=7,bf_window=2880,assoc_limit_stop,bf_max_job_test=50",
        "PriorityType=priority/multifactor",
        "PreemptType=preempt/partition_prio",
        "PreemptMode=requeue",
        "PreemptExemptTime=00:05:00",
        "Licenses=matlab:3,fluent",
        "GresTypes=gpu",
        "TopologyPlugin=topology/tree",
        "TopologyParam=TopoOptional",
        "PrivateData=jobs,usage",
        "DefMemPerNode=640",
    ),
    gres="NodeName=n3 Name=gpu Type=tesla File={root}/gpu[0-1]\n",
    topology="SwitchName=l1 Nodes=n[1-2]\nSwitchName=l2 Nodes=n[3-4]\n"
    "SwitchName=top Switches=l[1-2]\n",
    programs={"more.conf": MORE},
)
SEEN_ONLY = {"boot_at", "idle_since"}
"""What only a running node has."""


@pytest.fixture(scope="module")
def slurm():
    needs()
    with running(RICH) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def told(slurm):
    """What the controller says: its settings, nodes, partitions and licenses."""
    config = parse_config(slurm.run("scontrol", "show", "config"))[0]
    found = parse_nodes(slurm.run("scontrol", "-o", "show", "node"))[0]
    switches = parse_topology(slurm.run("scontrol", "show", "topology"))[0]
    nodes = tuple(
        replace(node, boot_at=None, idle_since=None) for node in under_switches(found, switches)
    )
    partitions = parse_partitions(slurm.run("scontrol", "-o", "show", "partition"))[0]
    licenses = parse_licenses(slurm.run("scontrol", "-o", "show", "licenses"))[0]
    return config, nodes, partitioned(partitions, config, nodes), licenses


@pytest.fixture(scope="module")
def read(slurm):
    """What the files say."""
    return load_setup(slurm.root / "slurm.conf", "22.05.8")


def differences(ours, theirs):
    """Return the fields in which two values differ, with both."""
    pairs = ((f.name, getattr(ours, f.name), getattr(theirs, f.name)) for f in fields(ours))
    return {name: (one, other) for name, one, other in pairs if one != other}


def test_settings_agree(told, read):
    assert differences(read.settings, told[0].settings) == {}
    assert read.cluster == told[0].cluster


def test_nodes_agree(told, read):
    assert [node.name for node in read.nodes] == [node.name for node in told[1]]
    for ours, theirs in zip(read.nodes, told[1], strict=True):
        assert differences(ours, theirs) == {}, ours.name


def test_partitions_agree(told, read):
    assert [one.name for one in read.partitions] == [one.name for one in told[2]]
    for ours, theirs in zip(read.partitions, told[2], strict=True):
        assert differences(ours, theirs) == {}, ours.name


def test_licenses_agree(told, read):
    assert sorted(read.licenses, key=lambda one: one.name) == list(told[3])


def test_only_what_is_strange_is_remarked_upon(read):
    assert ["again" in remark.cause for remark in read.remarks] == [True]


def test_every_setting_of_the_file_is_in_the_catalogue(slurm):
    found = of_files(slurm.root / "slurm.conf")
    verdicts = {f.title: f.ruling.verdict for f in found.findings}
    assert [title for title, verdict in verdicts.items() if verdict is Verdict.UNKNOWN] == []
    assert verdicts["OverTimeLimit"] is Verdict.APPROXIMATED


def test_every_setting_that_the_controller_tells_is_in_the_catalogue(slurm):
    printed = {
        "config": slurm.run("scontrol", "show", "config"),
        "partitions": slurm.run("scontrol", "-o", "show", "partition"),
    }
    found = of_answers("here", printed, {})
    unknown = [f.title for f in found.findings if f.ruling.verdict is Verdict.UNKNOWN]
    assert unknown == []
