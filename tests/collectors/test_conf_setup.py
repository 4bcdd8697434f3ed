"""What a slurm.conf says of a cluster, in the values that a controller's answers become."""

from dataclasses import replace

import pytest

import collectors.slurm.files.setup
from collectors.slurm.files.conf import parse
from collectors.slurm.files.setup import load_setup, setup
from collectors.slurm.text.config import parse_config
from collectors.slurm.text.nodes import parse_nodes
from collectors.slurm.text.partitions import parse_partitions
from predictor.domain import (
    UNLIMITED,
    CpuGranularity,
    Eviction,
    License,
    NodeFlag,
    NodeSharing,
    NodeState,
    PartitionState,
)
from predictor.errors import SourceFormatError


def described(text, version=""):
    return setup(parse(text), version=version)


def test_the_file_of_a_real_cluster_says_what_its_controller_told(recorded):
    folder = recorded / "slurm-22.05" / "minutes"
    found = load_setup(folder / "slurm.conf", "22.05.8")
    config = parse_config((folder / "config.txt").read_text())[0]
    nodes = parse_nodes((folder / "nodes_text.txt").read_text())[0]
    assert found.settings == config.settings
    assert found.partitions == parse_partitions((folder / "partitions.txt").read_text())[0]
    assert len(found.nodes) == 128
    as_new = {"state": NodeState.IDLE, "boot_at": None, "idle_since": None, "cpus_allocated": 0}
    told = [replace(node, memory_allocated_mb=0, reason="", **as_new) for node in nodes]
    assert set(told) <= set(found.nodes)
    assert found.remarks == ()


@pytest.mark.parametrize(
    ("version", "multifactor", "granularity"),
    [
        pytest.param("22.05.8", False, CpuGranularity.NODE, id="old"),
        pytest.param("23.11.0", True, CpuGranularity.CORE, id="new"),
        pytest.param("", True, CpuGranularity.CORE, id="unknown"),
    ],
)
def test_defaults_changed_once(version, multifactor, granularity):
    settings = described("ClusterName=c\n", version).settings
    assert (settings.multifactor, settings.granularity) == (multifactor, granularity)


def test_bare_numbers_are_seconds_or_minutes_as_slurm_has_them():
    settings = described(
        "KillWait=7\nPriorityMaxAge=60\nPriorityCalcPeriod=2\nOverTimeLimit=3\nResumeTimeout=9\n"
        "ResumeProgram=/wake\nMinJobAge=11\nCompleteWait=13\n"
    ).settings
    assert (settings.kill_wait_s, settings.priority_max_age_s) == (7, 3600)
    assert (settings.priority_period_s, settings.over_time_s) == (120, 180)
    assert (settings.boot_s, settings.min_job_age_s, settings.complete_wait_s) == (9, 11, 13)


@pytest.mark.parametrize(
    ("said", "cpus", "per_core", "sockets"),
    [
        ("", 1, 1, 1),
        ("CPUs=8", 8, 1, 8),
        ("Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", 16, 2, 2),
        ("CPUs=16 CoresPerSocket=4 ThreadsPerCore=2", 16, 2, 2),
        ("Boards=2 SocketsPerBoard=2 CoresPerSocket=4", 16, 1, 4),
        ("Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CoreSpecCount=1", 14, 2, 1),
        ("CPUs=8 CpuSpecList=0-1,7", 5, 1, 8),
        ("CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2", 8, 1, 1),
        ("CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CoreSpecCount=1", 7, 1, 1),
    ],
)
def test_cpus_of_a_node(said, cpus, per_core, sockets):
    [node] = described(f"NodeName=n {said}\n").nodes
    assert (node.cpus, node.cpus_per_core, node.sockets) == (cpus, per_core, sockets)


def test_what_else_a_node_has():
    [node] = described(
        "NodeName=n RealMemory=4000 MemSpecLimit=500 TmpDisk=9 Gres=gpu:a100:4 Feature=a,b "
        "Weight=3\n"
    ).nodes
    assert (node.memory_mb, node.weight, node.features) == (3500, 3, ("a", "b"))
    assert node.tmp_disk_mb == 9
    assert node.gres == (("gpu:a100", 4),)


def test_states_of_nodes():
    nodes = {
        node.name: node
        for node in described(
            'NodeName=a\nNodeName=b State=DRAIN Reason="no fan = hot"\nNodeName=c State=FUTURE\n'
            "NodeName=d State=CLOUD\nNodeName=e\nDownNodes=e,zz Reason=gone\n"
        ).nodes
    }
    assert nodes.keys() == {"a", "b", "d", "e"}
    assert nodes["b"].flags == {NodeFlag.DRAIN}
    assert nodes["b"].reason == "no fan = hot"
    assert nodes["d"].asleep
    assert (nodes["e"].state, nodes["e"].reason) == (NodeState.DOWN, "gone")


def test_nodes_stand_in_the_order_of_their_names():
    found = described("NodeName=n10\nNodeName=n[2-3],b1\nPartitionName=p Nodes=ALL\n")
    assert [node.name for node in found.nodes] == ["b1", "n2", "n3", "n10"]
    assert found.partitions[0].node_names == ("b1", "n2", "n3", "n10")


def test_sets_of_nodes_stand_for_their_nodes():
    found = described(
        "NodeName=n[1-4]\nNodeName=g[1-2] Feature=gpu\nNodeSet=fat Nodes=n[3-4]\n"
        "NodeSet=gpus Feature=gpu\nPartitionName=p Nodes=fat,gpus,n1\n"
    )
    assert found.partitions[0].node_names == ("g1", "g2", "n1", "n3", "n4")


def test_a_partition_without_words_has_slurms_defaults():
    [found] = described("PreemptMode=REQUEUE\nPartitionName=p\n").partitions
    assert (found.state, found.max_time_s, found.max_nodes) == (
        PartitionState.UP,
        UNLIMITED,
        UNLIMITED,
    )
    assert found.eviction is Eviction.SENT_BACK


@pytest.mark.parametrize(
    ("said", "sharing", "jobs"),
    [
        ("", NodeSharing.NO, 1),
        ("OverSubscribe=exclusive", NodeSharing.EXCLUSIVE, 1),
        ("Shared=Force", NodeSharing.FORCE, 4),
        ("OverSubscribe=YES:2", NodeSharing.YES, 2),
        ("OverSubscribe=YES:1", NodeSharing.NO, 1),
        ("Exclusive=node", NodeSharing.EXCLUSIVE, 1),
    ],
)
def test_sharing(said, sharing, jobs):
    [found] = described(f"PartitionName=p {said}\n").partitions
    assert (found.sharing, found.jobs_per_cpu) == (sharing, jobs)


def test_licenses():
    assert described("Licenses=matlab:10,fluent\n").licenses == (
        License(name="fluent", total=1),
        License(name="matlab", total=10),
    )


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("NodeName=n CPUs=many\n", "n: cpus: expected a number, not 'many'"),
        ("NodeName=n[1-999999999]\n", "more than"),
        ("NodeName=n[1-2\n", "n[1-2: "),
        ("NodeName=\n", ": no names"),
        ("PartitionName=p MaxTime=soon\n", "p: "),
        ("PartitionName=p Nodes=n[1-999999999]\n", "p: "),
        ("PartitionName=p State=odd\n", "p: "),
        ("Licenses=x:many\n", "Licenses: "),
    ],
)
def test_a_record_that_makes_no_sense_is_left_out_and_named(text, cause):
    found = described(text + "KillWait=5\n")
    assert (found.nodes, found.partitions, found.licenses) == ((), (), ())
    assert [str(one).startswith("slurm.conf:1: ") for one in found.remarks] == [True]
    assert cause in found.remarks[0].cause


def test_names_without_end_are_left_out(monkeypatch):
    monkeypatch.setattr(collectors.slurm.files.setup, "MOST_NAMES", 1000)
    lines = (f"NodeName=a{n}x[1-400]\n" for n in range(3))
    lists = (f"PartitionName=p{n} Nodes=a0x[1-100]\n" for n in range(3))
    found = described("".join((*lines, *lists)))
    assert len(found.nodes) == 800
    assert [one.name for one in found.partitions] == []
    assert "more than 1000 names of nodes in all" in found.remarks[-1].cause


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(SourceFormatError, match=r"slurm\.conf: not a duration: 'SOON'"):
        described("PriorityMaxAge=soon\n")


def test_quotes_cannot_smuggle_in_keys():
    [found] = described(
        'PartitionName="p State=DOWN" AllowAccounts="a PriorityTier=9"\n'
    ).partitions
    assert (found.state, found.tier) == (PartitionState.UP, 1)


TREE = "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=t Switches=a,b\n"
YAML = """\
---
- topology: main   # the one
  cluster_default: true
  tree:
    switches:
      - switch: t
        children: a,b
      - switch: a
        nodes: n[1-2]
      - switch: b
        nodes: "n[3-4]"
"""


@pytest.mark.parametrize(("name", "text"), [("topology.conf", TREE), ("topology.yaml", YAML)])
def test_a_tree_of_switches(tmp_path, name, text):
    plugin = "TopologyPlugin=topology/tree\n" if name.endswith("conf") else ""
    (tmp_path / "slurm.conf").write_text(f"{plugin}NodeName=n[1-4]\n")
    (tmp_path / name).write_text(text)
    found = load_setup(tmp_path / "slurm.conf")
    assert [node.switches for node in found.nodes] == [("a", "t")] * 2 + [("b", "t")] * 2
    assert found.remarks == ()


@pytest.mark.parametrize(
    ("text", "causes"),
    [
        ("- topology: flat\n  cluster_default: true\n  flat: true\n", []),
        (
            "- topology: b1\n  block:\n    block_sizes:\n      - 4\n    blocks:\n      - block: x",
            ["not read: '- 4'", "topology b1: block: not read"],
        ),
        ("- {topology: t, tree: {}}\n", ["not read: '- {topology: t, tree: {}}'"]),
        (
            YAML + "- topology: other\n  flat: true\n",
            ["topologies of single partitions are not read"],
        ),
    ],
)
def test_what_is_not_read_of_a_topology_is_named(tmp_path, text, causes):
    (tmp_path / "slurm.conf").write_text("NodeName=n[1-4]\n")
    (tmp_path / "topology.yaml").write_text(text)
    found = load_setup(tmp_path / "slurm.conf")
    assert [remark.cause for remark in found.remarks] == causes
