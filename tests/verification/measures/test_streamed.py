"""Measures added up on the way, against those of all jobs at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.measures import (
    Ran,
    Watch,
    fairness,
    mean_slowdown,
    mean_turnaround_s,
    mean_wait_s,
    quantile_wait_s,
)
from verification.measures.streamed import SPANS, Levels, Waits

courses = st.lists(
    st.tuples(st.integers(0, 10**6), st.integers(1, 10**5), st.integers(1, 3)), min_size=1
)


@given(courses, st.sampled_from([0.1, 0.5, 0.9, 1.0]))
def test_waits_as_of_all_jobs_at_once(drawn, level):
    waits = Waits()
    for wait_s, run_s, user in drawn:
        waits.add(wait_s, run_s, user)
    jobs = [
        Ran(
            id=str(n), submit_at=0, start_at=wait, end_at=wait + run, classes={"user": str(user)}
        )
        for n, (wait, run, user) in enumerate(drawn)
    ]  # fmt: skip
    watch = Watch(since=0, until=2 * 10**6, cpus=1)
    assert waits.wait_s / waits.jobs == pytest.approx(mean_wait_s(jobs, watch))
    assert waits.turnaround_s / waits.jobs == pytest.approx(mean_turnaround_s(jobs, watch))
    assert waits.slowdown / waits.jobs == pytest.approx(mean_slowdown(jobs, watch))
    assert waits.fairness == pytest.approx(fairness(jobs, watch))
    exact = quantile_wait_s(jobs, watch, level)
    assert exact <= waits.quantile_s(level) <= 1.016 * exact


@given(courses)
def test_shares_rise_to_all_jobs_and_never_promise_too_short_a_wait(drawn):
    waits = Waits()
    for course in drawn:
        waits.add(*course)
    for longest_s, share in waits.shares():
        assert share == pytest.approx(sum(one[0] <= longest_s for one in drawn) / len(drawn))
    assert share == 1.0


@given(st.lists(st.tuples(st.integers(1, 10**5), st.integers(0, 9)), min_size=1))
def test_levels_keep_every_second_however_often_spans_double(steps):
    levels, at = Levels(1), 0
    for length_s, amount in steps:
        at += length_s
        levels.hold(at, (amount,))
    area = sum(length * amount for length, amount in steps)
    assert levels.mean(0) == pytest.approx(area / at)
    assert levels.most[0] == max(amount for _, amount in steps)
    series = levels.series(0)
    assert len(series) <= SPANS
    whole = sum(series[:-1]) * levels.span_s
    assert whole + series[-1] * (at - (len(series) - 1) * levels.span_s) == pytest.approx(area)
