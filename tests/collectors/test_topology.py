"""The tree of switches, as 22.05 and 26.05 print it."""

import pytest

from collectors.slurm.surroundings import Wish
from collectors.slurm.text.topology import parse_topology, parse_wishes, under_switches
from predictor.domain import Node, NodeState
from predictor.errors import SourceFormatError

THREE_LEVELS = """\
SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1-2]
SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n[3-5]
SwitchName=s3 Level=0 LinkSpeed=1 Nodes=n[6-8]
SwitchName=near Level=1 LinkSpeed=1 Nodes=n[1-5] Switches=s[1-2]
SwitchName=top Level=2 LinkSpeed=1 Nodes=n[1-8] Switches=near,s3
"""


def above(text, *names):
    nodes = [Node(name=name, cpus=1, memory_mb=1, state=NodeState.IDLE) for name in names]
    return [node.switches for node in under_switches(nodes, parse_topology(text)[0])]


def test_the_switches_above_a_node_nearest_first():
    assert above(THREE_LEVELS, "n2", "n8", "x") == [("s1", "near", "top"), ("s3", "top"), ()]


@pytest.mark.parametrize("version", ["22.05", "26.05"])
def test_a_recorded_tree(snapshot, version):
    switches = {node.name: node.switches for node in snapshot(version).nodes}
    assert (switches["n01"], switches["n04"]) == (("s1", "core"), ("s2", "core"))


@pytest.mark.parametrize("kind", ["BlockName=b1 BlockIndex=0", "RingName=r1", "TorusName=t1"])
def test_a_topology_of_another_kind_has_no_switches(kind):
    assert above(f"{kind} Nodes=n[1-2]\n", "n1") == [()]


def test_a_switch_above_itself_ends_the_way_up():
    circle = "SwitchName=a Nodes=n1\nSwitchName=b Switches=a,c\nSwitchName=c Switches=b\n"
    assert above(circle, "n1") == [("a", "b", "c")]


def test_a_bad_switch_is_set_aside():
    found, bad = parse_topology(THREE_LEVELS + "SwitchName=x Nodes=n[1-\n")
    assert len(found) == 5
    assert "switch x" in bad[0].example


def test_an_answer_that_is_mostly_bad_is_refused():
    with pytest.raises(SourceFormatError):
        parse_topology("SwitchName=x Nodes=n[1-\n")


def test_who_wants_few_switches():
    text = "7    1    0:25\n8    0    0:00\n9    2    UNLIMITED\n"
    assert parse_wishes(text) == (
        {7: Wish(switches=1, wait_s=25), 9: Wish(switches=2, wait_s=None)},
        (),
    )


def test_without_a_topology_there_are_no_switches():
    assert parse_topology("\n") == ((), ())
