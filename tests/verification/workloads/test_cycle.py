"""When work is begun, by half hour, day of the week and month."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain.durations import DAY_S
from predictor.domain.instants import weekday
from verification.workloads.cycle import (
    Cycle,
    cycle_of,
    month_of,
    slot_of,
)


@given(st.integers(0, 4 * 10**9))
def test_the_calendar(instant):
    moment = datetime.fromtimestamp(instant, UTC)
    assert slot_of(instant) == moment.hour * 2 + moment.minute // 30
    assert weekday(instant) == moment.weekday()
    assert month_of(instant) == moment.month - 1


def test_who_begins_at_nine_on_workdays_does_so_later():
    begun = [day * DAY_S + 9 * 3600 for day in range(364) if weekday(day * DAY_S) < 5]
    cycle = cycle_of(begun)
    assert cycle.slots.index(max(cycle.slots)) == 18
    assert min(cycle.weekdays[:5]) > 1.3
    assert max(cycle.weekdays[5:]) < 0.1
    assert all(0.9 < month < 1.1 for month in cycle.months)


def test_of_a_month_that_was_not_seen_nothing_is_known():
    months = cycle_of([day * DAY_S for day in range(31)]).months
    assert months[1:] == (1.0,) * 11


def test_few_say_little():
    cycle = cycle_of([0])
    assert max(cycle.slots) < 3
    assert max(cycle.weekdays) == 1


@pytest.mark.parametrize("slots", [(1.0,) * 47, (0.0,) * 48, (-1.0,) + (1.0,) * 47])
def test_no_cycle(slots):
    with pytest.raises(ValueError, match="slots: 48 numbers"):
        Cycle(slots=slots, weekdays=(1.0,) * 7, months=(1.0,) * 12)
