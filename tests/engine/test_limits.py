"""The engine's limits, against a second opinion that adds up anew for each question."""

import pytest
from hypothesis import given, settings
from limit_scenes import InTheEngine, answers, engine_answers, scenes
from limited import HOUR, NOW
from slow_limits import SlowLimits

from predictor.engine import bound, store
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limit_tables import Binding, Claim, Group, LimitTables, Price, Rule, Running
from predictor.engine.limits import Limits


@given(scenes)
@settings(max_examples=200, deadline=None)
def test_it_says_what_the_second_opinion_says(scene):
    assert answers(InTheEngine, scene) == answers(SlowLimits, scene)


@given(scenes)
@settings(max_examples=60, deadline=None)  # the first waits for a process
def test_both_kinds_of_engine_say_the_same(same_in_both, scene):
    same_in_both(engine_answers, scene)


# -- single questions, about a machine of four nodes with a group of all jobs ----------------

FOUR = {
    "nodes": 4,
    "opened_at": NOW,
    "resources": 2,
    "holders": 40,
    "claims": [Claim(binding=0, form=0, nodes=1, node_class=0, limit_s=HOUR)],
    "classes": [0b1111],
    "forms": [[[0, 0]]],
}
SEVERAL = Group(held=[bound.ONE], spread=True, spent=[(bound.ONE, 0.0)])


def limits_with(*, early=(), late=(), **more):
    """Return the limits of a machine where such rules bind everybody."""
    binding = Binding(groups=[0], early=early, late=late, held_weight=1, asked_weight=1)
    tables = LimitTables(**FOUR | {"groups": [SEVERAL], "bindings": [binding]} | more)
    return Limits(LimitLayout(tables))


def started(limits, holder, nodes, at=NOW):
    limits.place(0, store.rows([nodes], 4), 0, 0)
    limits.start(holder, at)


def jobs_at_most(cap):
    return Rule(kind=bound.HELD, resource=bound.ONE, cap=cap, group=0)


def test_a_holder_counts_for_all_that_was_started_under_its_number():
    limits = limits_with(early=[jobs_at_most(2)])
    started(limits, 7, 0b0001)
    assert limits.early(0, NOW) == -1
    started(limits, 7, 0b0010)
    assert limits.early(0, NOW) == 0
    limits.end(7, NOW)
    assert limits.in_use(0, NOW) == 0


def test_who_holds_nothing_may_end():
    limits = limits_with(early=[jobs_at_most(2)])
    limits.end(3, NOW)
    assert limits.in_use(0, NOW) == 0


def test_nodes_that_jobs_share_count_until_the_last_of_them_ends():
    at_most_two = Rule(kind=bound.SPREAD, resource=bound.NODES, cap=2, group=0)
    limits = limits_with(late=[at_most_two])
    for holder in range(5):
        started(limits, holder, 0b0011)
    for holder in range(5):
        limits.place(0, store.rows([0b0110], 4), 0, 0)
        assert (limits.late(NOW), limits.asked(0, 0)) == (0, 1)
        limits.place(0, store.rows([0b0010], 4), 0, 0)
        assert limits.late(NOW) == -1
        limits.end(holder, NOW)
    assert limits.in_use(0, NOW) == 0


def test_there_is_room_for_as_many_jobs_as_start():
    limits = limits_with(early=[jobs_at_most(40)])
    for holder in range(40):
        assert limits.early(0, NOW) == -1
        started(limits, holder, 0b0001)
    assert limits.early(0, NOW) == 0
    for holder in range(40):
        limits.end(holder, NOW)
    assert limits.in_use(0, NOW) == 0


def test_reset_goes_back_to_what_ran_at_first():
    wall = Rule(kind=bound.SPENT, resource=bound.ONE, cap=HOUR, group=0)
    runs = Running(
        holder=0, binding=0, amounts=[1, 1], nodes=1, started_at=NOW - HOUR, limit_s=2 * HOUR
    )
    limits = limits_with(early=[jobs_at_most(2), wall], running=[runs])
    started(limits, 1, 0b0010)
    limits.end(0, NOW + HOUR)
    assert limits.in_use(1, NOW + HOUR) == 2 * HOUR
    limits.reset()
    assert (limits.in_use(0, NOW), limits.in_use(1, NOW)) == (1, 0)
    limits.end(0, NOW + HOUR)
    assert (limits.in_use(0, NOW + HOUR), limits.in_use(1, NOW + HOUR)) == (0, HOUR)


def test_on_a_machine_where_nothing_runs_only_the_job_itself_can_be_too_much():
    runs = Running(holder=0, binding=0, amounts=[1, 1], nodes=1, started_at=NOW, limit_s=HOUR)
    limits = limits_with(early=[jobs_at_most(1)], late=[jobs_at_most(0)], running=[runs])
    assert limits.early(0, NOW) == 0
    limits.clear()
    assert (limits.early(0, NOW), limits.late_unplaced(0, NOW)) == (-1, 1)


@pytest.mark.parametrize(
    ("added", "price"),
    [
        pytest.param((True, True, True), 3 + 20 + 500, id="all are added"),
        pytest.param((False, False, True), 20 + 500, id="of the rest the dearest counts"),
        pytest.param((False, False, False), 500, id="the dearest of all, here the last"),
    ],
)
def test_the_price_of_a_job(added, price):
    weights = zip((3.0, 10.0, 100.0), added, strict=True)
    limits = limits_with(
        late=[Rule(kind=bound.MOST, resource=5, cap=0)],
        resources=6,
        price=5,
        forms=[[[0, 0, 1, 2, 5, 0]]],
        tariffs=[[Price(resource=2 + i, weight=w, added=a) for i, (w, a) in enumerate(weights)]],
    )
    limits.place(0, store.rows([0b0001], 4), 0, 0)
    assert limits.asked(limits.late(NOW), 0) == price


def test_an_early_rule_cannot_ask_what_is_not_known_yet():
    with pytest.raises(ValueError, match="before nodes are looked at"):
        limits_with(early=[Rule(kind=bound.MOST, resource=bound.NODES, cap=1)])


def test_huge_amounts_and_caps_do_not_overflow():
    most = [Rule(kind=bound.HELD, resource=2, cap=2**70, group=0)]
    huge = Group(held=[2], ahead=[2], spent=[(2, 1e30)])
    forms = [[[0, 0, 2**70]]]
    limits = limits_with(late=most, groups=[huge], resources=3, forms=forms)
    for holder in range(40):
        started(limits, holder, 0b1111)
    for holder in range(40):
        limits.end(holder, NOW)
    assert limits.in_use(0, NOW) == 0


MINUTES = Group(ahead=[bound.ONE])
AN_HOUR_AND_A_HALF = Rule(kind=bound.AHEAD, resource=bound.ONE, cap=HOUR + HOUR // 2, group=0)


def minutes_left(**more):
    return limits_with(early=[AN_HOUR_AND_A_HALF], groups=[MINUTES], **more)


def test_what_jobs_may_still_use_is_counted_anew_now_and_then():
    limits = minutes_left(counted_at=NOW - 100, counts_every_s=300)
    started(limits, 1, 0b0001, NOW + 10)
    left = {at: limits.in_use(0, NOW + at) / 60 for at in (10, 199, 200, 499, 500, 1_500)}
    # Whole minutes of what is left at 10 s, 200 s, 500 s and 1,400 s.
    assert left == {10: 60, 199: 60, 200: 56, 499: 56, 500: 51, 1_500: 36}
    limits.end(1, NOW + 1_600)
    assert limits.in_use(0, NOW + 1_600) == 0


def test_of_who_runs_it_was_counted_before():
    """Who started since then counts as a whole, who started before only with the rest."""
    for started_at, left in ((NOW - 60, HOUR), (NOW - 400, HOUR - 300)):
        one = Running(
            holder=0, binding=0, amounts=[1, 0], nodes=1, started_at=started_at, limit_s=HOUR
        )
        limits = minutes_left(counted_at=NOW - 100, counts_every_s=300, running=[one])
        assert limits.in_use(0, NOW) == left


def test_without_a_count_it_is_all_of_it_to_the_end():
    limits = minutes_left(counts_every_s=0)
    started(limits, 1, 0b0001)
    assert limits.in_use(0, NOW + HOUR - 1) == HOUR
    assert (limits.early(0, NOW + 9), limits.fades_at) == (0, -1)
    limits.end(1, NOW + HOUR)
    assert limits.in_use(0, NOW + HOUR) == 0


def test_whom_it_blocks_may_start_at_the_next_count():
    limits = minutes_left(counted_at=NOW - 100, counts_every_s=300)
    started(limits, 1, 0b0001)
    assert (limits.early(0, NOW + 9), limits.fades_at) == (0, NOW + 200)


def test_nothing_is_spent_where_nobody_counts_it():
    spent = Rule(kind=bound.SPENT, resource=bound.ONE, cap=1, group=0)
    limits = limits_with(early=[spent], spends=False)
    started(limits, 1, 0b0001)
    assert limits.early(0, NOW + HOUR) == -1
