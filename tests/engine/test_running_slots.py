"""Who runs keeps whole nodes as if in a slot, where the scheduler is told so."""

import pytest
from engine_scenes import STRICT_ONLY, Scene, busy, job

RULES = {"running_reserved": True, "step_s": 60, "group_s": 300}


# nodes    95    205      Who keeps a node keeps it to the last full step. "trio" is tried where
# 0     r  |              one ends: from 60 on, with 2 and 3, which are free, but without node 1.
# 1     s        |        Else both ends are seen as one; then "late" may have a node now.
@pytest.mark.parametrize(
    ("whole", "told"), [(True, {"trio": 95, "late": 180}), (False, {"trio": 205, "late": 0})]
)
def test_who_runs_may_keep_whole_nodes_as_if_in_a_slot(whole, told):
    running = {"r": busy(0b0001, 95, whole=whole), "s": busy(0b0010, 205, whole=whole)}
    jobs = {"trio": job(3, 100), "late": job(1, 150)}
    assert Scene(jobs, running, **RULES).look() == told


def test_whole_nodes_may_be_kept_up_to_the_end_of_the_last_step():
    # "trio" is tried where the slots of "r" and "s" are over: from 120 on, with 0, 2 and 3.
    running = {"r": busy(0b0001, 95, whole=True), "s": busy(0b0010, 205, whole=True)}
    found = Scene({"trio": job(3, 100)}, running, **RULES | {"rounds_up": True}).look()
    assert found == {"trio": 120}


def test_who_has_just_begun_keeps_whole_nodes_too():
    jobs = {
        "first": job(1, 155, whole=True),
        "second": job(1, 265, whole=True),
        "trio": job(3, 100),
    }
    scene = Scene(jobs, **RULES | STRICT_ONLY)
    assert scene.run(until=1) == {"first": 0, "second": 0}
    assert scene.look()["trio"] == 155


def test_who_is_over_keeps_nothing_though_its_nodes_are_still_to_be_cleared():
    scene = Scene(
        {"pair": job(2, 30)}, {"over": busy(0b1111, 90, planned_s=0, whole=True)}, **RULES
    )
    assert scene.look() == {"pair": 0}


# nodes   205        The ends of those who run and have licenses that nobody plans for part the
# 0     r  | a |     time. Of all these parts a slot makes two one. "j" would meet "a"; it sees to
#         180 480    the second beginning behind 250: to where that is over, if there is no other.
@pytest.mark.parametrize(
    ("ends", "told"),
    [
        pytest.param([], {"j": 480}, id="there is none"),
        pytest.param([245, 305], {"j": 480}, id="there is one between, and one was made one"),
        pytest.param([245, 305, 365], {}, id="there are two"),
    ],
)
def test_who_runs_and_has_licenses_parts_the_time(ends, told):
    running = {f"s{at}": busy(0, at, licenses=[[0, 1]]) for at in ends}
    jobs = {"a": job(1, 300, candidates=0b0001), "j": job(1, 250, candidates=0b0001)}
    scene = Scene(jobs, running | {"r": busy(0b0001, 205)}, machine={"licenses": [3]}, **RULES)
    assert scene.look() == {"a": 205} | told
