"""Wishes for nodes: under few switches for a while, and so many nodes of each group."""

import pytest
from engine_scenes import AHEAD_ONLY, FAR, STRICT_ONLY, Scene, busy, job

from predictor.engine import codes

# leaf a: 0-1, leaf b: 2-3
TREE = {"switches": [(0b0011, 2, True), (0b1100, 2, True), (0b1111, -1, False)]}
ONE_FREE_OF_EACH = {"r": busy(0b0101, 100)}


def insisting(s=10, **more):
    return job(2, s, switches_max=1, allocation=codes.TREE, **more)


def starts(jobs, running=ONE_FREE_OF_EACH, **rules):
    return Scene(jobs, running, machine=TREE, main_period_s=5, **rules).run(until=300)


@pytest.mark.parametrize(
    "rules", [STRICT_ONLY, AHEAD_ONLY | {"period_s": 5}], ids=("main", "ahead")
)
@pytest.mark.parametrize(
    ("wish", "start"),
    [
        pytest.param({"insists_s": 40}, 40, id="for a while"),
        pytest.param({"insists_s": 40, "eligible_since": 15}, 55, id="since it could start"),
        pytest.param({"insists_s": 40, "not_before": 20}, 60, id="not before it is ripe"),
        pytest.param({"insists_s": -1}, 100, id="for ever"),
    ],
)
def test_how_long_a_job_insists_on_one_switch(rules, wish, start):
    assert starts({"a": insisting(**wish)}, **rules) == {"a": start}


def test_who_waits_for_fewer_switches_keeps_the_nodes_it_could_have():
    jobs = {"a": insisting(s=60, insists_s=-1), "b": job(1, 30)}
    assert starts(jobs, **AHEAD_ONLY)["b"] >= 100


GROUPED = AHEAD_ONLY | {"group_s": 30}


@pytest.mark.parametrize(
    ("size", "length_s", "b_at"),
    [
        pytest.param(2, 60, 0, id="until the slot on one switch is begun"),
        pytest.param(2, 150, 120, id="longer than that: not on its nodes"),
        pytest.param(3, 150, 0, id="no switch has so many: no slot"),
    ],
)
def test_in_groups_of_ends_a_slot_is_on_few_switches_or_there_is_none(size, length_s, b_at):
    wish = {"switches_max": 1, "allocation": codes.TREE, "insists_s": 500}
    jobs = {"a": job(size, 60, **wish), "b": job(2, length_s)}
    assert starts(jobs, **GROUPED)["b"] == b_at


def test_on_one_switch_it_starts_at_once():
    assert starts({"a": insisting(insists_s=40)}, {"r": busy(0b0011, 100)}) == {"a": 0}


# Two of 0-1 and 2-3 together: the pass that looks ahead wants two of each to be free.
COUNTED = {"a": job(2, 50, groups=[(0b0011, 1), (0b1100, 1)])}


@pytest.mark.parametrize(
    ("rules", "in_use", "start"),
    [
        pytest.param(STRICT_ONLY, 0b0101, 0, id="in strict order one of each is enough"),
        pytest.param(AHEAD_ONLY | {"period_s": 5}, 0b0101, 100, id="looking ahead all of one"),
        pytest.param(AHEAD_ONLY, 0, 0, id="which they are here"),
    ],
)
def test_counts_of_groups_in_the_two_passes(rules, in_use, start):
    running = {"r": busy(in_use, 100)} if in_use else {}
    scene = Scene(COUNTED, running, **rules)
    assert scene.run(until=FAR) == {"a": start}
    assert len(scene.nodes()["a"]) == 2
