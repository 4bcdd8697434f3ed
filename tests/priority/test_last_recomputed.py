"""When priorities were last recomputed, by the ages they show."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from predictor.domain import (
    JobSpec,
    PendingJob,
    PriorityFactors,
    PriorityWeights,
    Provenance,
    Request,
    SchedulerHealth,
    SchedulerSettings,
    Snapshot,
)
from predictor.priority.phase import (
    SET_UP_BY_S,
    SETTING_UP_S,
    counting_period_s,
    last_counted,
    last_recomputed,
)

NOW = 1_700_000_000
SETTINGS = SchedulerSettings(
    weights=PriorityWeights(age=2_000), priority_max_age_s=86_400, priority_period_s=300
)
POINT_S = 86_400 / 2_000


def snapshot(ages, settings=SETTINGS):
    """Return jobs of these accrual instants and age points."""
    pending = tuple(
        PendingJob(
            spec=JobSpec(
                id=str(number),
                user="u",
                request=Request(nodes=1, cpus=1),
                partitions=("batch",),
                submitted_at=0,
                accrues_age_since=since,
            ),
            priorities=(PriorityFactors(partition="batch", priority=1, age=points),),
        )
        for number, (since, points) in enumerate(ages)
    )
    return Snapshot(
        cluster="c",
        taken_at=NOW,
        provenance=Provenance(source="test"),
        pending=pending,
        settings=settings,
    )


@given(st.integers(0, 299), st.sets(st.integers(300, 80_000), min_size=1, max_size=200))
@example(252, {446, 577})
def test_the_instant_found_explains_every_age(ago_s, waited):
    ages = [(NOW - s, round((s - ago_s) / POINT_S)) for s in waited]
    found = last_recomputed(snapshot(ages))
    assert found is not None
    assert abs(found - (NOW - ago_s)) <= POINT_S
    half = 0.5 + 1e-9  # 324 s are 7.5 points, but not in floating point
    assert all(abs((found - since) / POINT_S - points) <= half for since, points in ages)


def test_many_jobs_tell_it_to_the_second():
    ages = [(NOW - s, round((s - 217) / POINT_S)) for s in range(300, 80_000, 97)]
    assert abs(last_recomputed(snapshot(ages)) - (NOW - 217)) <= 1


def test_a_few_jobs_recomputed_at_other_times_do_not_count():
    ages = [(NOW - s, round((s - 217) / POINT_S)) for s in range(300, 80_000, 97)]
    odd = [(NOW - s, round((s - 10) / POINT_S)) for s in range(310, 80_000, 997)]
    assert abs(last_recomputed(snapshot(ages + odd)) - (NOW - 217)) <= 1


def test_a_job_without_points_says_it_was_before_it_earned_one():
    assert last_recomputed(snapshot([(NOW - 200, 0)])) <= NOW - 200 + POINT_S / 2


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(snapshot([]), id="no jobs"),
        pytest.param(snapshot([(None, 5)]), id="no accrual"),
        pytest.param(snapshot([(NOW - 900, None)]), id="no points"),
        pytest.param(snapshot([(NOW - 900, 10)], SchedulerSettings()), id="age has no weight"),
        pytest.param(snapshot([(NOW + 900, 10)]), id="points that fit no instant"),
    ],
)
def test_nobody_tells(given):
    assert last_recomputed(given) is None


# Multiples of the period since the scheduler began: 255 s, 555 s ... before NOW.
BEGAN_AT = NOW - 255 - 300 * 70


def running_since(snapshot, started_at=BEGAN_AT - SETTING_UP_S, counts_since=None):
    health = SchedulerHealth(started_at=started_at, counts_since=counts_since)
    return replace(snapshot, health=health)


def test_without_ages_the_start_of_the_scheduler_tells():
    assert last_recomputed(running_since(snapshot([]))) == NOW - 255
    assert last_recomputed(running_since(snapshot([]), NOW - SETTING_UP_S)) == NOW


@pytest.mark.parametrize(
    ("started_s", "counts_s", "began_s"),
    [
        pytest.param(-50, 0, -1, id="it took long to be set up"),
        pytest.param(-1, 0, 0, id="no time at all"),
        pytest.param(-50, SET_UP_BY_S - 50, SET_UP_BY_S - 51, id="as long as may be"),
        pytest.param(-50, SET_UP_BY_S - 49, -49, id="they were begun anew since"),
        pytest.param(-50, -9_000, -49, id="they are older than it"),
    ],
)
def test_its_statistics_tell_when_it_was_set_up(started_s, counts_s, began_s):
    given = running_since(snapshot([]), BEGAN_AT + started_s, BEGAN_AT + counts_s)
    assert (last_recomputed(given) - BEGAN_AT - began_s) % 300 == 0


def test_one_that_has_not_begun_tells_nothing():
    assert last_recomputed(running_since(snapshot([]), NOW)) is None


@given(st.integers(255 - 43, 255), st.integers(400, 80_000))
def test_of_the_instants_that_one_age_leaves_the_start_tells_which(ago_s, waited):
    seen = snapshot([(NOW - waited, round((waited - ago_s) / POINT_S))])
    before, found = last_recomputed(seen), last_recomputed(running_since(seen))
    # It is no sooner than the start says, and explains the age as well.
    assert abs((found - (NOW - waited)) / POINT_S - round((waited - ago_s) / POINT_S)) <= 0.5 + 1e-9
    assert (found - BEGAN_AT) % 300 <= (before - BEGAN_AT) % 300


def test_many_ages_outweigh_the_start():
    ages = [(NOW - s, round((s - 217) / POINT_S)) for s in range(300, 80_000, 97)]
    assert abs(last_recomputed(running_since(snapshot(ages))) - (NOW - 217)) <= 1


@pytest.mark.parametrize(
    ("given", "ago_s", "period_s"),
    [
        pytest.param(running_since(snapshot([])), 255, 300, id="with the priorities"),
        pytest.param(snapshot([(NOW - 900, 21)]), 300 - 7, 300, id="never later than now"),
        pytest.param(snapshot([]), 0, 300, id="nobody knows"),
        pytest.param(
            running_since(snapshot([], SchedulerSettings(multifactor=False))), NOW, 0, id="never"
        ),
    ],
)
def test_usage_is_counted_with_the_priorities(given, ago_s, period_s):
    assert (NOW - last_counted(given), counting_period_s(given)) == (ago_s, period_s)
