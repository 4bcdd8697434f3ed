"""Reservations with their nodes: found as by trying every second."""

from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from verification.experiments.course import Queued
from verification.experiments.schedulers.placed_plan import PlacedPlan
from verification.experiments.schedulers.plans import Reserved
from verification.experiments.state import Shape

CAPACITY = ([4, 4, 2], [0, 1, 1])  # cores and something scarce, of three nodes
NEEDS = (((0, 1),), ((0, 2), (1, 1)))
HORIZON_S = 200
jobs = st.lists(
    st.tuples(st.sampled_from(NEEDS), st.integers(1, 6), st.integers(1, 9)), min_size=1, max_size=9
)


class Floor:
    """Nobody starts at once: reservations go to the first nodes."""

    def __init__(self):
        self.now_s = 0

    def fits(self, queued):
        return False


def queued(need, units, lasts_s):
    most = sum(fit(need, [column[node] for column in CAPACITY]) for node in range(3))
    return Queued(0, None, Shape(need), min(units, most), lasts_s)


def fit(need, free):
    return min(free[resource] // amount for resource, amount in need)


def earliest(reserved, others, now_s):
    """Return the first second from which on the job fits beside all others."""
    job, need = reserved.queued, reserved.queued.shape.need
    return next(
        at
        for at in range(now_s, HORIZON_S)
        if sum(
            min(
                fit(need, free_at(node, second, others)) for second in range(at, at + job.planned_s)
            )
            for node in range(3)
        )
        >= job.units
    )


def free_at(node, second, others):
    free = [column[node] for column in CAPACITY]
    for one in others:
        if one.start_s <= second < one.end_s:
            for resource, amount in one.queued.shape.need:
                free[resource] -= amount * dict(one.places).get(node, 0)
    return free


@settings(max_examples=60, deadline=None)
@given(jobs, st.data())
def test_who_is_reserved_for_and_who_moves_gets_the_earliest_place(asked, data):
    plan, floor, held = PlacedPlan([list(column) for column in CAPACITY]), Floor(), []
    for need, units, lasts_s in asked:
        new = Reserved(queued(need, units, lasts_s))
        expected = earliest(new, held, 0)
        plan.reserve(new, floor)
        assert new.start_s == expected
        held.append(new)
    while len(held) > 1 and data.draw(st.booleans()):
        gone = held.pop(data.draw(st.integers(0, len(held) - 1)))
        running = SimpleNamespace(queued=gone.queued, places=gone.places)
        plan.release(running, max(gone.start_s, floor.now_s), gone.end_s)
        for one in held:
            if one.start_s > floor.now_s:
                others = [other for other in held if other is not one]
                expected = min(one.start_s, earliest(one, others, floor.now_s))
                before = one.start_s
                assert plan.moves(one, floor) is (expected < before)
                assert one.start_s == expected
        floor.now_s += data.draw(st.integers(0, 3))
        held = [one for one in held if one.end_s > floor.now_s]
        plan.forget_before(floor.now_s)
