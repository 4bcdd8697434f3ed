"""Windows: who belongs to them, what lacks in them, and what their figures say."""

import json

import pytest
from clusters import NOW
from naive_recordings import recorded

from predictor.site import Site
from verification.fidelity.scores import Decisions
from verification.replica.figures import replica_figures
from verification.replica.gaps import gaps_of, period_of
from verification.replica.window import play

EASY = Site.model_validate({"policy": {"name": "easy"}})
FCFS = Site.model_validate({"policy": {"name": "fcfs"}})
# submit, nodes, run, limit: the third passes the second, which is wide, unless nobody may
SCENE = ((60, 4, 600, 900), (120, 6, 300, 600), (180, 2, 300, 300), (240, 6, 300, 600))


def figures(site=EASY, length_s=1500, begin=0):
    history = recorded(SCENE, 6, "easy", 60)
    return replica_figures([play(history, begin, length_s, site)])


def test_a_true_replica_is_off_by_nothing():
    found = figures()
    assert (found["jobs_scored"], found["answered"], found["mae_s"]) == (4, 1.0, 0.0)
    assert found["jufo_rule"]["together"]["worst_s"] == 0
    assert found["counts"] == {
        "scored": 4,
        "too_pessimistic": 0,
        "too_optimistic": 0,
        "neither": 0,
        "scored_share": 1.0,
    }


def test_errors_that_the_window_would_hide_are_counted():
    # until 400 s only the first two-node job has really started besides the first
    found = figures(FCFS, length_s=400)
    assert found["counts"]["too_pessimistic"] == 1
    assert found["jufo_rule"]["tests"][0]["jobs"] == 1
    assert found["jobs_scored"] == 2
    # run on until 800 s it is not said to start: from 180 s on, that is off by 620 s at least
    assert (found["bounded"], found["mae_s"]) == (1, 310.0)


def test_the_signs():
    found = figures(FCFS)
    assert found["bias_s"] > 0, "said later than it was"
    assert found["jufo_rule"]["tests"][0]["mean_s"] < 0, "it was earlier than said"


def test_what_windows_cannot_tell_is_not_known():
    found = figures()
    assert found["decisions_precision"] is None
    assert found["coverage80"] is None


def test_decisions_are_pooled():
    history = recorded(SCENE, 6, "easy", 60)
    looks = [Decisions(hits=3, false=1, missed=2), Decisions(hits=1, missed=0)]
    found = replica_figures([play(history, 0, 900, EASY)], looks)
    assert (found["decisions_precision"], found["decisions_recall"]) == (0.8, 0.6667)


def test_figures_are_json_and_the_same_each_time():
    assert json.dumps(figures(FCFS)) == json.dumps(figures(FCFS))


@pytest.mark.parametrize(
    ("instants", "missing", "flagged"),
    [
        (range(0, 6001, 60), 0, False),
        ([at for at in range(0, 6001, 60) if at not in (600, 1200)], 2, False),
        ([at for at in range(0, 6001, 60) if at not in (600, 1200, 1800)], 3, True),
        ([at for at in range(0, 60_001, 60) if not 600 <= at < 900], 5, True),
    ],
    ids=["whole", "two of a hundred", "three of a hundred", "a hole of six minutes"],
)
def test_what_lacks_flags_a_stretch(instants, missing, flagged):
    instants = [NOW + at for at in instants]
    gaps = gaps_of(instants, instants[0], instants[-1], period_of(instants))
    assert (gaps.missing, gaps.flagged) == (missing, flagged)


def test_headlines_rest_on_sound_windows_if_there_are_any():
    history = recorded(SCENE, 6, "easy", 60)
    windows = [play(history, 0, 900, FCFS), play(history, 1, 900, EASY)]
    assert replica_figures(windows)["windows_scored"] == 2
