"""Who must be over by an instant, and is removed once that cannot be any more."""

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting
from services import StandingClock

from predictor.domain import PassSettings, SchedulerSettings, Unpredictable
from predictor.domain.instants import rfc3339
from predictor.forecast import forecast
from predictor.sampling import starts_of
from predictor.simulation.courses import Course
from predictor.site import default

SITE = default()


def told_of(made):
    """Return in how many minutes each starts, or why it does not."""
    starts = {one.job_id: (one.start_at - NOW) // MINUTE for one in made.predictions}
    return starts | {one.job_id: one.cause for one in made.abstentions}


@pytest.mark.parametrize(
    ("start_by", "told"),
    [
        (NOW + 60 * MINUTE, {"1": 60, "2": 70}),
        (NOW + 60 * MINUTE - 1, {"1": Unpredictable.DEADLINE, "2": 60}),
        (NOW - MINUTE, {"1": Unpredictable.DEADLINE, "2": 60}),
        (-1, {"1": Unpredictable.DEADLINE, "2": 60}),
        (1 << 70, {"1": 60, "2": 70}),
    ],
)
def test_who_would_start_too_late_is_removed_and_keeps_nobody_waiting(start_by, told):
    late = waiting("1", start_by=start_by)
    made = forecast(cluster(1, running("9", "n1", 60), late, waiting("2")), SITE)
    assert told_of(made) == told


def test_who_is_removed_is_told_when_it_would_have_to_start():
    by = NOW + 30 * MINUTE
    made = forecast(cluster(1, running("9", "n1", 60), waiting("1", start_by=by)), SITE)
    [one] = made.abstentions
    assert f"must start by {rfc3339(by)}" in one.detail


@pytest.mark.parametrize("leaves_at", [None, NOW + 20 * MINUTE, NOW + 50 * MINUTE])
def test_in_each_course_it_goes_the_sooner_of_two_ways(leaves_at):
    """It runs out of time after 30 minutes; it may give up before."""
    seen = cluster(1, running("9", "n1", 60), waiting("1", start_by=NOW + 30 * MINUTE))
    ends = (25 * MINUTE, 40 * MINUTE)
    gone = {} if leaves_at is None else {"1": leaves_at}
    courses = [Course(ends_at={"9": NOW + end}, leaves_at=gone) for end in ends]
    found = starts_of(seen, SITE, courses, clock=StandingClock(), budget_s=60).starts["1"]
    gave_up = leaves_at is not None and leaves_at < NOW + ends[0]
    assert found == (None if gave_up else NOW + ends[0], None)


@pytest.mark.parametrize(
    ("start_by_min", "told"),
    [(62, {"1": 60, "2": 70}), (59, {"1": Unpredictable.DEADLINE, "2": 60})],
)
def test_the_batch_systems_own_passes_remove_it_too(start_by_min, told):
    late = waiting("1", start_by=NOW + start_by_min * MINUTE)
    passes = PassSettings(interval_s=30, step_s=1)
    settings = SchedulerSettings(passes=passes)
    seen = cluster(1, running("9", "n1", 60), late, waiting("2"), settings=settings)
    made = forecast(seen, SITE)
    assert made.policy == "two-pass"
    assert told_of(made) == told
