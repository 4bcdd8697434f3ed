"""Four real minutes of a cluster of 128 nodes: everything can be judged, and is told honestly."""

import json
from pathlib import Path

import pytest

from collectors.capture import from_settings
from predictor.site import default
from verification.fidelity.history import history_of
from verification.ladder.climb import climb
from verification.ladder.figures import ladder_figures
from verification.replica.figures import replica_figures
from verification.replica.window import play
from verification.report.document import document, recording_figures
from verification.report.page import render_html
from verification.report.terminal import render_terminal

MINUTES = Path(__file__).parents[2] / "recorded" / "slurm-22.05" / "minutes"


@pytest.fixture(scope="module")
def history():
    """Return what the four minutes and accounting tell."""
    capture = from_settings({"path": str(MINUTES)})
    snapshots = [observation.snapshot for observation in capture.observations()]
    return history_of(snapshots, capture.outcomes())


def test_all_who_really_started_are_judged(history):
    played = play(history, 0, 120, default())
    found = replica_figures([played])
    climbed = ladder_figures([climb(history, 0, 120, default())])
    started = [one for one in played.members if one.real_at and one.real_at < played.until]
    counts = found["counts"]
    assert counts["scored"] + counts["too_pessimistic"] == len(started) > 0
    assert {one["jobs_scored"] for one in climbed["rungs"]} == {climbed["jobs_scored"]}
    assert 0 < climbed["jobs_scored"] <= len(started)


def test_reports_can_be_made_of_it(history):
    figures = replica_figures([play(history, 0, 120, default())])
    about = recording_figures("minutes", history, [])
    found = json.loads(json.dumps(document([about], {"replica": figures})))
    assert "4 snapshots" in render_terminal(found, 120)
    assert render_html(found).count("<svg") == 2
