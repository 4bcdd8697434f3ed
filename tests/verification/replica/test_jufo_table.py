"""JuFo's table: its columns, its filter, and what it published."""

import pytest
from clusters import NOW
from naive_recordings import recorded

from predictor.simulation.story import Story
from verification.fidelity.truth import story_of
from verification.replica.jufo import PUBLISHED, Counts, Row, as_jufo, summary


def test_the_columns_of_a_test():
    row = Row.of("2026-03-03", 600, [-10, 20, 50])
    assert (row.jobs, row.mean_s, row.median_s, row.min_s, row.max_s) == (3, 20.0, 20.0, -10, 50)
    assert row.sigma_s == pytest.approx(30)
    assert row.sigma_of_duration == pytest.approx(0.05)


def test_a_test_without_jobs_tells_nothing():
    row = Row.of("2026-03-03", 600, [])
    assert (row.jobs, row.mean_s, row.sigma_s, row.sigma_of_duration) == (0, None, None, None)
    assert summary([row]).mean_s is None


def test_lines_pool_to_what_their_jobs_together_give():
    parts = ([-10, 20, 50, 7], [400, -300], [3])
    rows = [Row.of("", 600, errors) for errors in parts]
    whole = Row.of("", 600, [error for errors in parts for error in errors])
    assert summary(rows).mean_s == pytest.approx(whole.mean_s)
    assert summary(rows).sigma_s == pytest.approx(whole.sigma_s)
    assert summary(rows).worst_s == 400


def test_what_jufo_published_sums_up_as_known():
    told = summary(PUBLISHED)
    assert (told.tests, told.jobs, told.worst_s) == (8, 1494, 19796)
    assert told.mean_of_means_s == pytest.approx(326, abs=0.5)
    assert told.mean_of_medians_s == pytest.approx(58, abs=0.5)
    assert told.mean_s == pytest.approx(64, abs=0.5)


def test_the_four_counts():
    real = {"both": 1, "later": 2, "stranger": 3}
    said = {"both": 9, "only": 3}
    counts = Counts.of(["both", "later", "only", "neither"], real, said)
    assert counts == Counts(scored=1, too_pessimistic=1, too_optimistic=1, neither=1)
    assert counts.scored_share == 0.5
    assert Counts.pooled([counts, counts]).neither == 2


def test_only_those_that_end_inside_have_their_run_times():
    # one job after the other on one node: the second is still running when the period ends
    history = recorded(((60, 1, 300, 900), (70, 1, 300, 900)), 1, "fcfs", 20)
    until = NOW + 500
    story = story_of(history, 0, until)
    assert story.run_s == {"1": 300, "2": 300}
    assert as_jufo(history, 0, until, story) == Story(
        run_s={"1": 300}, arrivals=story.arrivals, leaves_at={}
    )
