"""The ladder on a cluster whose scheduler is known: what is not known costs, and nothing else."""

import json

import pytest
from naive_recordings import recorded

from predictor.site import Site
from verification.ladder.climb import climb, ladder_numbers
from verification.ladder.figures import RUNGS, ladder_figures
from verification.ladder.truths import Truth

EASY = Site.model_validate({"policy": {"name": "easy"}})
# submit, nodes, run, limit: everybody ends well before the limit; the last one comes later
QUEUE = ((0, 4, 600, 3000), (10, 6, 300, 3000), (20, 2, 500, 3000), (30, 6, 300, 3000))
ROWS = (*QUEUE, (200, 1, 400, 500))


@pytest.fixture(scope="module")
def climbed():
    """Return the figures of a climb from the first minute on."""
    return ladder_figures([climb(recorded(ROWS, 6, "easy", 60), 1, 3000, EASY)])


def test_who_knows_everything_is_off_by_nothing(climbed):
    assert [one["mae_s"] for one in climbed["rungs"][:4]] == [0.0] * 4


def test_errors_have_signs_and_an_order(climbed):
    rungs = climbed["rungs"]
    assert (rungs[0]["bias_s"], rungs[0]["answered"], rungs[0]["kendall_tau"]) == (0.0, 1.0, 1.0)
    assert rungs[-1]["answered"] < 1, "some are said to start beyond the end only"
    assert rungs[-1]["bias_s"] > 0, "limits say starts too late"


def test_limits_cost_what_they_exceed_run_times_by(climbed):
    assert climbed["rungs"][-1]["mae_s"] > climbed["rungs"][0]["mae_s"]
    assert climbed["rungs"][-1]["name"] == RUNGS[-1] == "wall limits"


def test_costs_add_up_to_the_last_rung(climbed):
    costs = sum(one["cost_s"] for one in climbed["rungs"])
    assert costs == pytest.approx(climbed["rungs"][-1]["mae_s"], abs=0.5)


def test_every_rung_scores_the_same_jobs(climbed):
    assert {one["jobs_scored"] for one in climbed["rungs"]} == {climbed["jobs_scored"]}


def test_each_truth_is_taken_alone_and_given_back_alone(climbed):
    for part in (climbed["alone"], climbed["restored"]):
        assert [one["truth"] for one in part] == [truth.value for truth in Truth]
    assert climbed["alone"][-1]["cost_s"] == climbed["rungs"][-1]["mae_s"], "limits alone"


def test_figures_are_json(climbed):
    assert json.loads(json.dumps(climbed)) == climbed


def test_nothing_is_known_without_windows():
    found = ladder_figures([])
    assert found["mae_s"] is None
    assert all(one["cost_s"] is None for one in (*found["rungs"], *found["alone"]))


def test_windows_begin_every_hour_as_long_as_they_are_whole():
    instants = range(0, 4 * 3600 + 1, 60)
    assert ladder_numbers(instants, 2 * 3600) == (0, 60, 120)
    assert ladder_numbers(instants, 5 * 3600) == ()
    assert ladder_numbers((), 3600) == ()
