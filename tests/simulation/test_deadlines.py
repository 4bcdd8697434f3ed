"""Who must be over by an instant, and is removed once that cannot be any more."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting
from services import StandingClock

from predictor.domain import (
    ArrayTasks,
    PassSettings,
    Request,
    Reservation,
    ReservationFlag,
    SchedulerSettings,
    Unpredictable,
)
from predictor.domain.instants import rfc3339
from predictor.forecast import forecast
from predictor.sampling import starts_of
from predictor.simulation.courses import Course
from predictor.site import Site, default

SITE = default()
PASSES = SchedulerSettings(passes=PassSettings(interval_s=30, step_s=1))


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
    seen = cluster(1, running("9", "n1", 60), late, waiting("2"), settings=PASSES)
    made = forecast(seen, SITE)
    assert made.policy == "two-pass"
    assert told_of(made) == told


def brief(id_, limit, least, deadline_s=None):
    """Who asks for `limit` minutes, and would be content with `least`, before its deadline."""
    request = Request(nodes=1, cpus=1, limit_s=limit * MINUTE, limit_min_s=least * MINUTE)
    start_by = None if deadline_s is None else NOW + deadline_s - least * MINUTE
    return waiting(id_, of_job={"request": request}, start_by=start_by)


# A limit is whole minutes: 1199 s are 19 of them.
@pytest.mark.parametrize("policy", ["easy", "conservative", "two-pass"])
@pytest.mark.parametrize(
    ("deadline_s", "over_at"),
    [(20 * MINUTE - 1, 19), (20 * MINUTE, 20), (90 * MINUTE, 60), (None, 60)],
)
def test_who_accepts_less_is_over_by_its_deadline(policy, deadline_s, over_at):
    site = Site.model_validate({"policy": {"name": policy}})
    made = forecast(cluster(1, brief("1", 60, 5, deadline_s), waiting("2")), site)
    assert told_of(made) == {"1": 0, "2": over_at}


# n1   held for 20 minutes, then by 1, that is cut to what is left of 50 minutes
def test_what_is_left_counts_from_its_start():
    jobs = brief("1", 60, 5, 50 * MINUTE), waiting("2")
    assert told_of(forecast(cluster(1, running("9", "n1", 20), *jobs), SITE)) == {"1": 20, "2": 50}


def test_tasks_are_cut_one_by_one():
    tasks = brief("1_[1-2]", 30, 5, 50 * MINUTE)
    tasks = replace(tasks, spec=replace(tasks.spec, array=ArrayTasks(job_id="1", tasks=(1, 2))))
    made = forecast(cluster(1, tasks, waiting("2"), settings=PASSES), SITE)
    assert told_of(made)["2"] == 50


@pytest.mark.parametrize(("deadline_min", "start"), [(19, 0), (70, None)])
def test_so_it_may_be_over_before_a_maintenance(deadline_min, start):
    shut = Reservation(
        name="m",
        start_at=NOW + 30 * MINUTE,
        end_at=NOW + 90 * MINUTE,
        node_names=("n1",),
        flags=frozenset({ReservationFlag.MAINTENANCE}),
    )
    job = brief("1", 60, 5, deadline_min * MINUTE)
    made = forecast(cluster(1, job, reservations=(shut,), settings=PASSES), SITE)
    assert told_of(made)["1"] == (Unpredictable.DEADLINE if start is None else start)


# n1   held for 60 minutes, then by both: without a deadline the least time of 3 is before that
# n2   free
@pytest.mark.parametrize(("deadline_s", "start"), [(None, 0), (300 * MINUTE, 70)])
def test_with_a_deadline_it_is_not_planned_short(deadline_s, start):
    jobs = waiting("2", 2), brief("3", 120, 20, deadline_s)
    made = forecast(cluster(2, running("9", "n1", 60), *jobs, settings=PASSES), SITE)
    assert told_of(made) == {"2": 60, "3": start}
