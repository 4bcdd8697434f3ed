"""Nodes that one user's jobs have to themselves."""

import pytest
from engine_scenes import AHEAD_ONLY, STRICT_ONLY, Scene, busy, job
from hypothesis import given
from hypothesis import strategies as st

from predictor.engine import codes

ONE_NODE = {"nodes": 1, "cpus": 8}


def starts_at_once(new, *others):
    """Whether it starts beside the others, on the one node there is."""
    running = {f"r{place}": busy(1, 100, cpus=1, **other) for place, other in enumerate(others)}
    scene = Scene({"a": job(cpus=1, **new)}, running, machine=ONE_NODE, **STRICT_ONLY)
    return scene.run(until=1) == {"a": 0}


def own(user):
    return {"tenant": user, "alone": True}


def shared(user):
    return {"tenant": user}


@pytest.mark.parametrize(
    ("new", "others", "starts"),
    [
        pytest.param(own(1), [], True, id="on an empty node"),
        pytest.param(own(1), [own(1), own(1)], True, id="beside its own"),
        pytest.param(own(1), [own(2)], False, id="not beside another's"),
        pytest.param(own(1), [shared(1)], True, id="beside those of its own that do not mind"),
        pytest.param(own(1), [shared(2)], False, id="not beside another's that does not mind"),
        pytest.param(own(2), [shared(1), shared(3)], False, id="nor beside two others of its mean"),
        pytest.param(shared(1), [own(2)], False, id="who does not mind keeps off as well"),
        pytest.param(shared(2), [own(2), shared(2)], True, id="but not from its own"),
        pytest.param(shared(1), [shared(2), shared(3)], True, id="nobody minds"),
    ],
)
def test_who_is_let_onto_a_node(new, others, starts):
    assert starts_at_once(new, *others) is starts


tenants = st.builds(
    lambda user, alone: {"tenant": user, "alone": alone}, st.integers(1, 4), st.booleans()
)


@given(tenants, st.lists(tenants, max_size=5))
def test_only_those_are_let_in_whom_nobody_minds(new, others):
    strangers = [one for one in others if one["tenant"] != new["tenant"]]
    minds = strangers if new["alone"] else [one for one in strangers if one["alone"]]
    assert starts_at_once(new, *others) is (not minds)


def test_a_node_is_open_again_when_its_user_has_left():
    scene = Scene(
        {"a": job(s=200, cpus=1, **own(1)), "b": job(cpus=1, **own(2))},
        {"r": busy(1, 100, cpus=1, **own(3))},
        machine=ONE_NODE,
        **AHEAD_ONLY | {"period_s": 10},
    )
    assert scene.run() == {"a": 100, "b": 300}


# nodes    50  100  200     "a" asks for a node of its own. As long as there is one of which nobody
# 0     x                   is in the way nothing else is looked at but that one, where its own
# 1     y          |        user's job is, up to when the first other is left; else it is tried when
# 2     own             |   the first of the others is left of which it needs one.
@pytest.mark.parametrize(
    ("mine", "nodes", "told"),
    [
        pytest.param({}, 1, {"a": 0}, id="beside his own it starts at once"),
        pytest.param(
            {"cpus": 4}, 1, {"a": 50}, id="they leave no room: the first other that is left"
        ),
        pytest.param({"tenant": 4}, 1, {"a": 50}, id="all are others'"),
        pytest.param({"tenant": 4}, 2, {"a": 100}, id="two of them"),
    ],
)
def test_nodes_of_others_are_not_seen_until_they_are_left(mine, nodes, told):
    running = {
        "x": busy(0b001, 50, cpus=1, **shared(2)),
        "y": busy(0b010, 100, cpus=1, **shared(3)),
        "own": busy(0b100, 200, **{"cpus": 1} | shared(1) | mine),
    }
    scene = Scene(
        {"a": job(nodes, 30, cpus=1, **own(1))}, running, partitions={"p": 0b111}, group_s=30
    )
    assert scene.look() == told


# nodes    50  90  100  200     By the end of "y" the group of ends would take in 90 and 100; yet
# 0     x           |           who is tried at 50, when "w" leaves, sees only nodes left by then.
# 1     y       |
# 2     w  |
def test_who_is_tried_once_others_have_left_sees_nothing_of_later_ends():
    running = {
        "x": busy(0b001, 100, cpus=1, **shared(2)),
        "y": busy(0b010, 90, cpus=1, **shared(3)),
        "w": busy(0b100, 50, cpus=1, **shared(4)),
    }
    scene = Scene({"a": job(1, 30, cpus=1, **own(1))}, running, partitions={"p": 0b111}, group_s=60)
    assert scene.look() == {"a": 50}
    assert scene.planned_nodes()["a"] == 0b100


@pytest.mark.parametrize(
    ("leave", "told"),
    [
        pytest.param(True, {"a": 100}, id="its leaving is seen"),
        pytest.param(False, {}, id="it is taken to stay"),
    ],
)
def test_whether_a_plan_sees_the_owner_leave(leave, told):
    scene = Scene(
        {"a": job(cpus=1, **own(1))},
        {"r": busy(1, 100, cpus=1, **own(2))},
        machine=ONE_NODE,
        owners_leave=leave,
    )
    assert scene.look() == told


AHEAD = AHEAD_ONLY | {"period_s": 1}


@pytest.mark.parametrize(
    ("user", "leave", "passes", "start"),
    [
        pytest.param(1, False, STRICT_ONLY, 500, id="another's"),
        pytest.param(1, False, AHEAD, 500, id="another's, by who looks ahead"),
        pytest.param(1, True, STRICT_ONLY, codes.DIES_S, id="not another's whose leaving is seen"),
        pytest.param(1, True, AHEAD, 500, id="but so by who looks ahead: it waits for it"),
        pytest.param(2, False, STRICT_ONLY, codes.DIES_S, id="not his own"),
        pytest.param(2, False, AHEAD, codes.DIES_S, id="nor by who looks ahead"),
    ],
)
def test_nobody_is_ended_for_him_on_nodes_that_are(user, leave, passes, start):
    stations = [{"ends": [], "fate": codes.ENDED}, {"ends": [0]}]
    scene = Scene(
        {"a": job(station=1, **shared(user))},
        {"r": busy(1, 500, **own(2))},
        machine=ONE_NODE,
        stations=stations,
        owners_leave=leave,
        **passes,
    )
    assert scene.run() == {"a": start}


@pytest.mark.parametrize(
    ("fate", "told"),
    [
        pytest.param(codes.SENT_BACK, ["a", "x"], id="who waits anew keeps nobody off"),
        pytest.param(codes.ENDED, ["a"], id="who is over does"),
    ],
)
def test_whom_those_who_were_ended_keep_off_until_nodes_are_cleared(fate, told):
    gone_at = 40 + codes.DIES_S
    jobs = {
        "low": job(s=500, station=0, **shared(2)),
        "a": job(station=1, enters_at=40, **own(2)),
        "x": job(station=1, enters_at=gone_at + 3, **own(1)),
    }
    scene = Scene(
        jobs,
        machine=ONE_NODE,
        stations=[{"ends": [], "fate": fate}, {"ends": [0]}],
        preemption={"vacating": (17, 0), "back_after_s": 100},
        owners_leave=False,
        arrival_delay_s=0,
        **AHEAD_ONLY | {"period_s": 1},
    )
    scene.run(gone_at + 8)
    announced = scene.forward.ahead.announced.earliest
    assert [name for name, at in zip(jobs, announced, strict=False) if at >= 0] == told


@pytest.mark.parametrize(
    ("left", "new", "start"),
    [
        pytest.param(
            shared(2), own(1), 40, id="who wants it alone waits for the last of its nodes"
        ),
        pytest.param(own(2), shared(1), 12, id="who does not takes what its owner has left"),
        pytest.param(shared(2), own(2), 12, id="its own user does, too"),
    ],
)
def test_a_node_that_is_cleared_while_another_of_its_job_is_not(left, new, start):
    jobs = {"gone": job(2, 10, **left), "new": job(1, 5, enters_at=12, **new)}
    machine = {"nodes": 2, "clearings": [[10, 40, 0b10]]}
    policy = AHEAD_ONLY | {"period_s": 1}
    scene = Scene(jobs, machine=machine, owners_leave=False, arrival_delay_s=0, **policy)
    assert scene.run()["new"] == start
