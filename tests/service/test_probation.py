"""When our clock is believed in deleting what is old."""

import pytest
from campaigns.simulated_cluster import VirtualClock

from predictor.domain.durations import WEEK_S
from predictor.service.probation import PROBATION_S, Probation

NOW = 1_700_000_000


@pytest.mark.parametrize(
    ("known_at", "evenly_since", "believed"),
    [
        (None, None, True),
        (NOW - 60, NOW - WEEK_S, True),
        (NOW - 60, NOW - PROBATION_S, True),
        # The clock was set forward while nothing ran, or nothing ran for long.
        (NOW - WEEK_S, NOW - 2 * WEEK_S, False),
        (NOW - 3_601, NOW - WEEK_S, False),
        # It was set forward some looks ago, and then restarted.
        (NOW - 60, NOW - 120, False),
    ],
)
def test_at_the_start_what_is_recorded_bears_the_clock_out_or_does_not(
    known_at, evenly_since, believed
):
    assert Probation(VirtualClock(NOW), known_at, evenly_since).over() is believed


def test_a_clock_that_is_set_is_believed_again_after_a_day():
    clock = VirtualClock(NOW)
    probation = Probation(clock, NOW - 60, NOW - WEEK_S)
    clock.set_by = 7_200
    assert not probation.over()
    clock.sleep(PROBATION_S - 1)
    assert not probation.over()
    clock.sleep(1)
    assert probation.over()
