from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from predictor.domain.instants import LAST_INSTANT, is_weekend, weekday


@given(st.integers(0, LAST_INSTANT))
def test_days_of_the_week_are_those_of_the_calendar(local_at):
    day = datetime.fromtimestamp(local_at, UTC).weekday()
    assert weekday(local_at) == day
    assert is_weekend(local_at) == (day >= 5)
