"""When nodes are in service again that jobs are still on, or that jobs nearby block."""

from dataclasses import replace

import pytest

from collectors.slurm.returns import with_returns
from collectors.slurm.words.states import node_flags, node_state
from predictor.domain import (
    UNLIMITED,
    JobSpec,
    Node,
    NodeFlag,
    NodeShare,
    NodeState,
    Request,
    RunningJob,
)
from predictor.domain.defaults import NO_LIMIT_S

NOW = 1795294800
BOOT_S, DOZES_S = 60, 10
N1 = Node(name="n1", cpus=4, memory_mb=1000, state=NodeState.IDLE)
ALONE = "--exclusive=topo"


def a_run(limit_s, *uncounted, node="n1"):
    request = Request(nodes=1, cpus=1, limit_s=limit_s, uncounted=uncounted)
    spec = JobSpec(id="1", user="ada", request=request, partitions=("p",), submitted_at=NOW)
    return RunningJob(spec=spec, started_at=NOW, allocation=(NodeShare(node=node, cpus=1),))


def back_after(node, *running):
    [seen] = with_returns([node], running, NOW, boot_s=BOOT_S, dozes_s=DOZES_S)
    return None if seen.back_by is None else seen.back_by - NOW


@pytest.mark.parametrize(
    ("words", "afterwards", "returns"),
    [
        ("MIXED+DRAIN+REBOOT_REQUESTED", "RESUME", True),
        ("ALLOCATED+DRAIN+REBOOT_REQUESTED+PLANNED", "UNDRAIN", True),
        ("MIXED+DRAIN+REBOOT_REQUESTED", "DOWN", False),
        ("MIXED+REBOOT_REQUESTED", "RESUME", False),  # others still come
        ("MIXED+DRAIN+POWER_DOWN", "", True),
        ("MIXED+POWER_DOWN", "", False),  # likewise
        ("MIXED+DRAIN+FAIL+POWER_DOWN", "", False),
        ("DOWN+DRAIN+POWER_DOWN", "", False),
    ],
)
def test_who_is_drained_only_until_nobody_is_on_it(words, afterwards, returns):
    assert (NodeFlag.RETURNING in node_flags(words.split("+"), [afterwards])) is returns


@pytest.mark.parametrize(
    ("state", "flags", "back_s"),
    [
        pytest.param(NodeState.MIXED, {NodeFlag.REBOOT}, 600 + BOOT_S, id="it boots"),
        pytest.param(NodeState.MIXED, set(), 600 + DOZES_S + BOOT_S, id="it falls asleep before"),
        pytest.param(NodeState.DOWN, {NodeFlag.REBOOT}, BOOT_S, id="it boots already"),
    ],
)
def test_it_is_back_once_the_last_job_on_it_is_to_be_over(state, flags, back_s):
    node = replace(N1, state=state, flags=frozenset(flags | {NodeFlag.RETURNING, NodeFlag.DRAIN}))
    assert back_after(node, a_run(300), a_run(600), a_run(9000, node="n2")) == back_s


@pytest.mark.parametrize(
    ("running", "free_s"),
    [
        pytest.param([a_run(900), a_run(60, ALONE)], 60, id="who blocks"),
        pytest.param([a_run(60, ALONE), a_run(90, ALONE)], 90, id="the last"),
        pytest.param([a_run(60), a_run(900)], 900, id="it is not told who"),
        pytest.param([a_run(UNLIMITED, ALONE)], NO_LIMIT_S, id="without a limit"),
        pytest.param([], None, id="nobody runs"),
    ],
)
def test_a_blocked_node_is_free_once_those_who_block_it_are_to_be_over(running, free_s):
    assert node_flags(["IDLE", "BLOCKED"]) == {NodeFlag.BLOCKED}
    assert back_after(replace(N1, flags=frozenset({NodeFlag.BLOCKED})), *running) == free_s


def test_on_external_nodes_nobody_is_planned():
    state = node_state(["IDLE", "EXTERNAL", "DYNAMIC_NORM"])
    assert not replace(N1, state=state).usable
    assert node_state(["IDLE", "DYNAMIC_NORM"]) is NodeState.IDLE


def test_of_others_nothing_is_said():
    assert back_after(N1, a_run(60, ALONE)) is None
