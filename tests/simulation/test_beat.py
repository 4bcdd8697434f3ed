"""How passes that look ahead may go on, by how long the latest ones took."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from clusters import HOUR, MINUTE, NOW, cluster
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import PassSettings, SchedulerHealth, SchedulerSettings
from predictor.simulation.beat import LATEST, course, latest_s
from predictor.simulation.cast import LONGEST_S

PASSES = PassSettings(interval_s=30, rest_after_us=0)
SETTINGS = SchedulerSettings(passes=PASSES)


def chance(seed):
    return Random(seed)  # noqa: S311 - no secret


def told(begun_s=0, lasted_s=None, settings=SETTINGS):
    """A look that tells of a pass begun so long after it; the durations are whole seconds."""
    lasted_us = None if lasted_s is None else 1_000_000 * lasted_s
    health = SchedulerHealth(backfill_last_at=NOW + begun_s, backfill_cycle_last_us=lasted_us)
    return replace(cluster(1, settings=settings), health=health)


def test_the_latest_durations_come_first_and_each_counts_once():
    looks = [told(-120, 9), told(-80, 5), told(-40, 5), told(-10, 7)]
    assert latest_s(looks) == (7, 5, 9)
    assert latest_s([told(0, lasted) for lasted in range(1, 100)]) == tuple(
        range(99, 99 - LATEST, -1)
    )


def test_who_tells_of_no_pass_tells_of_no_duration():
    assert latest_s([cluster(1), replace(cluster(1), health=SchedulerHealth())]) == ()


@given(st.lists(st.integers(1, 25), min_size=1, max_size=9), st.integers(0, 2**32))
def test_each_pass_begins_a_pause_after_one_that_took_as_long_as_one_of_the_latest(lasted, seed):
    turns = course(told(-10), lasted, NOW + HOUR, chance(seed))
    assert turns == course(told(-10), lasted, NOW + HOUR, chance(seed))
    found = turns.ahead_at
    assert (found[0], found[-1]) == (NOW + 20, NOW + HOUR)
    assert {after - before for before, after in pairwise(found[:-1])} <= {
        30 + one for one in lasted
    }


def test_parts_of_seconds_add_up():
    found = course(told(-10), [0.5], NOW + 20 + 3050, chance(1)).ahead_at
    assert (len(found), found[100]) == (101, NOW + 20 + 3050)
    assert {after - before for before, after in pairwise(found)} == {30, 31}


@pytest.mark.parametrize(
    ("snapshot", "lasted"),
    [
        pytest.param(told(-10), (), id="nothing was told of any"),
        pytest.param(
            told(-10, settings=replace(SETTINGS, backfill=False)), (5,), id="no looking ahead"
        ),
    ],
)
def test_without_knowledge_there_is_no_course(snapshot, lasted):
    assert course(snapshot, lasted, NOW + HOUR, chance(1)).ahead_at == ()


def test_the_first_regular_pass_is_made_anywhere_in_its_rhythm():
    made = {course(told(), (), NOW + HOUR, chance(seed)).main_at - NOW for seed in range(999)}
    assert made == set(range(1, PASSES.main_interval_s + 1))


@pytest.mark.parametrize("interval_s", [-(2**62), 0, 2**62])
def test_an_absurd_interval_makes_a_first_regular_pass_that_can_be(interval_s):
    odd = replace(SETTINGS, passes=replace(PASSES, main_interval_s=interval_s))
    made = {course(told(settings=odd), (), NOW + HOUR, chance(seed)).main_at for seed in range(9)}
    assert NOW < min(made) <= max(made) <= NOW + LONGEST_S
    assert interval_s > 0 or made == {NOW + 1}


@pytest.mark.parametrize("interval_s", [-(2**62), 2**62])
@pytest.mark.parametrize("lasted_s", [0.0, 1e300])
def test_absurd_numbers_make_passes_that_are_bounded(interval_s, lasted_s):
    odd = replace(SETTINGS, passes=replace(PASSES, interval_s=interval_s))
    found = course(told(-10, settings=odd), [lasted_s], NOW + MINUTE, chance(1)).ahead_at
    assert len(found) <= MINUTE + 2
    assert all(at <= max(NOW + MINUTE, found[0]) for at in found)
    assert found == tuple(sorted(found))
