import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from clusters import HOUR, NOW

from predictor.cli.exits import USAGE
from predictor.domain import FinishedJob, Outcome
from predictor.errors import StorageError
from predictor.simulation.story import Story
from predictor.storage import open_for_writing
from verification.cli.fidelity import fidelity


@pytest.fixture
def recording(tmp_path, busy_cluster, performed):
    snapshot, arrivals, run_s = busy_cluster
    history = performed(snapshot, Story(run_s=run_s, arrivals=arrivals), NOW + HOUR)
    with open_for_writing(tmp_path / "rec") as writer:
        for one in history.snapshots:
            writer.append(one)
        writer.add_outcomes(
            FinishedJob(
                spec=run.spec,
                started_at=run.started_at,
                ended_at=run.ended_at,
                outcome=Outcome.COMPLETED,
                node_names=run.node_names,
            )
            for runs in history.runs.values()
            for run in runs
        )
    return str(tmp_path / "rec")


def ask(*arguments):
    answer = CliRunner().invoke(fidelity, arguments)
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_json_holds_both_figures_with_causes_and_the_worst(recording):
    found = json.loads(ask(recording, "--json", "--windows-h", "1", "--worst", "3"))
    assert found.pop("schema") == "queuecast.fidelity/1"
    assert set(found) == {"decisions", "windows"}
    for part in found.values():
        assert set(part) == {"figures", "causes", "worst"}
    assert found["windows"]["figures"]["windows"] == 1
    assert found["windows"]["figures"]["within_60s"] == 1.0
    # Every tenth minute of an hour, but the last: what comes then was not recorded.
    assert found["decisions"]["figures"]["looks"] == 6


def test_the_table_says_it_in_words(recording):
    shown = ask(recording, "--only", "windows", "--windows-h", "1")
    assert "within 60 s of the real start" in shown
    assert "precision" not in shown


def test_a_recording_shorter_than_a_window_has_none(recording):
    found = json.loads(ask(recording, "--only", "windows", "--json"))
    assert found["windows"]["figures"] == {"windows": 0}


def test_impossible_starts(recording):
    found = json.loads(ask(recording, "--impossible", "--json"))["impossible"]
    assert found["kinds"] == {"admitted": found["starts"]}
    assert found["unexplained"] == []


def test_what_is_damaged_is_named(recording):
    segment = next(Path(recording).glob("segment-*"))
    kept = segment.read_bytes()
    segment.write_bytes(kept[:-40] + bytes(40))
    answer = CliRunner().invoke(fidelity, [recording, "--impossible"])
    assert answer.exit_code == 0
    assert "queuecast: rec: " in answer.stderr


def test_two_questions_at_once_are_refused(recording):
    assert CliRunner().invoke(fidelity, [recording, "--impossible", "--cases"]).exit_code == USAGE


def test_cases(recording):
    found = json.loads(ask(recording, "--cases", "--json"))["cases"]
    assert found == {"causes": {}, "list": []}
    assert ask(recording, "--cases").splitlines() == ["wrong decisions: false, missed"]


def test_an_empty_folder_holds_nothing_to_measure(tmp_path):
    answer = CliRunner().invoke(fidelity, [str(tmp_path), "--json"])
    assert isinstance(answer.exception, StorageError)
    assert "no snapshot" in str(answer.exception)
