import math
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import case, cases

from verification.scoring.columns import Weighting, columns_of
from verification.scoring.frame import Frame
from verification.scoring.points import Errors
from verification.scoring.weighted import Ascending, mean

weighted_values = st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 5)), max_size=20)


def scored(cases, weighting=Weighting.PER_JOB, name="ours"):
    frame = Frame.of(cases)
    errors = Errors.of(frame.columns, frame.columns.said(name))
    return errors.weighing(frame.weights[weighting]).points(frame.asked[weighting])


def test_a_start_told_too_late_is_a_positive_bias():
    points = scored([case("a", started_at=1000, ours=1060), case("b", started_at=1000, ours=940)])
    assert (points.mae_s, points.bias_s, points.sigma_s) == (60, 0, 60)
    assert scored([case(started_at=1000, ours=1060)]).bias_s == 60


def test_a_long_wait_counts_as_much_as_a_short_one():
    long = [case("long", seen_at=at, started_at=1000, ours=1100) for at in range(0, 1000, 10)]
    short = [case("short", seen_at=0, started_at=10, ours=10)]
    assert scored([*long, *short]).mae_s == pytest.approx(50)
    assert scored([*long, *short], Weighting.PER_SNAPSHOT).mae_s == pytest.approx(10_000 / 101)


def test_the_first_snapshot_judges_by_what_was_said_first():
    cases = [case(seen_at=60, started_at=900, ours=900), case(seen_at=0, started_at=900, ours=0)]
    assert scored(cases, Weighting.FIRST_SNAPSHOT).mae_s == 900


def test_records_count_by_the_one_that_starts_first():
    cases = [
        case("7_1", started_at=100, ours=100),
        case("7_2", started_at=500, ours=100, leads=False),
    ]
    assert scored(cases, Weighting.PER_RECORD).mae_s == 0


def test_node_hours_weigh_what_was_asked_for():
    cases = [
        case("wide", started_at=0, ours=100, nodes=9, limit_s=3600),
        case("narrow", started_at=0, ours=0, nodes=1, limit_s=3600),
    ]
    assert scored(cases, Weighting.NODE_HOURS).mae_s == pytest.approx(90)


def test_silence_counts_against_the_answers_not_against_their_errors():
    points = scored([case("a", started_at=5, ours=7), case("b", started_at=5)])
    assert (points.jobs_scored, points.answered, points.mae_s) == (2, 0.5, 2)


def test_jobs_without_a_start_are_not_scored():
    points = scored([case("a", ours=7), case("b", removed_at=9, ours=7)])
    assert (points.jobs_scored, points.answered, points.mae_s, points.p90_abs_s) == (0, *[None] * 3)


def test_nothing_scores_nothing():
    points = scored([])
    assert (points.jobs_scored, points.answered, points.sigma_s) == (0, None, None)


def test_a_job_that_waits_again_is_another_wait():
    cases = [case("a", started_at=10, ours=10), case("a", seen_at=50, started_at=90, ours=90)]
    assert scored(cases).jobs_scored == 2


@pytest.mark.parametrize(
    ("real_s", "said_s", "close"),
    [
        pytest.param(1000, 2000, 1, id="twice as long is close"),
        pytest.param(1000, 2001, 0, id="more is not"),
        pytest.param(1000, 500, 1, id="nor is less than half, but half is"),
        pytest.param(10, 600, 1, id="short waits count as five minutes"),
        pytest.param(601, 1, 0, id="also where they were told"),
    ],
)
def test_within_a_factor_of_two(real_s, said_s, close):
    assert scored([case(started_at=real_s, ours=said_s)]).within_factor2 == close


def test_bounds_belong_to_what_is_within():
    points = scored([case("a", started_at=0, ours=60), case("b", started_at=0, ours=61)])
    assert (points.within_60s, points.within_600s) == (0.5, 1)


@given(weighted_values, st.floats(0.01, 1))
def test_weights_are_repeats(pairs, level):
    """A whole weight says the same as the value so many times."""
    pairs.sort()
    values, weights = [value for value, _ in pairs], [float(weight) for _, weight in pairs]
    repeated = [value for value, weight in pairs for _ in range(weight)]
    place = max(0, math.ceil(level * len(repeated) - 1e-9) - 1)
    assert Ascending(values, weights).quantile(level) == (repeated[place] if repeated else None)
    assert mean(values, weights) == (pytest.approx(fmean(repeated)) if repeated else None)
    share = sum(value <= 3 for value in repeated) / len(repeated) if repeated else None
    assert Ascending(values, weights).share(3) == (None if share is None else pytest.approx(share))


@settings(deadline=None)
@given(cases())
def test_points_agree_with_counting_each_job_by_itself(some):
    points = scored(some)
    waits = {}
    for one in some:
        if one.started_at is not None:
            waits.setdefault((one.job.id, one.started_at), []).append(one)
    errors, weights = [], []
    for of_job in waits.values():
        for one in of_job:
            if one.said["ours"].answered:
                errors.append(one.said["ours"].likely_at - one.started_at)
                weights.append(1 / len(of_job))
    assert points.jobs_scored == len(waits)
    if not errors:
        assert points.mae_s is None
        return
    total = sum(weights)
    assert points.answered == pytest.approx(total / len(waits))
    assert points.mae_s == pytest.approx(
        sum(abs(e) * w for e, w in zip(errors, weights, strict=True)) / total
    )
    assert points.within_3600s == pytest.approx(
        sum(w for e, w in zip(errors, weights, strict=True) if abs(e) <= 3600) / total
    )
    alike = scored(some, Weighting.PER_SNAPSHOT)
    assert alike.sigma_s == pytest.approx(pstdev(errors), abs=1e-6)


@settings(deadline=None)
@given(cases())
def test_the_weights_of_jobs_add_up_to_their_number(some):
    columns = columns_of(some)
    assert sum(columns.weights(Weighting.PER_JOB)) == pytest.approx(columns.waits)
    assert sum(columns.weights(Weighting.FIRST_SNAPSHOT)) == columns.waits
