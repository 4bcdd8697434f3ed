"""`queuecast status`: what it tells of the service, from the API's own answer."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from clusters import NOW
from services import ALARM, TROUBLE, StandingClock, board, client, result, scene

from predictor.cli import exits
from predictor.cli.status import status
from predictor.domain import Fact, Hidden, Provenance
from predictor.service.accounts import State


class Wire:
    """Stands for the command's client: asks the application itself, without a network."""

    def __init__(self, published, at):
        self._app = client(board(published), StandingClock(at))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def clusters(self):
        return self._app.get("/api/v1/clusters").json()["clusters"]

    def cluster(self, wanted):
        return wanted or "scene"


@pytest.fixture
def ask(monkeypatch):
    def run(*arguments, published=None, at=NOW + 20):
        wire = Wire(published or result(), at)
        monkeypatch.setattr("predictor.cli.status.Client", lambda _url: wire)
        return CliRunner().invoke(status, arguments)

    return run


def test_before_anything_is_known_of_its_answers(ask):
    answer = ask()
    assert (answer.exit_code, answer.stdout.splitlines()) == (
        exits.DONE,
        [
            "scene: 3 records wait, 1 run. Seen 20 s ago.",
            "Of no start can be told: held 1.",
            "How good its answers are is not known yet.",
        ],
    )


def test_how_good_they_were_of_late_and_that_they_changed(ask):
    published = replace(result(windows=True), alarms=(ALARM,))
    assert ask(published=published).stdout.splitlines()[2:] == [
        "Of late, similar answers: typical error 22 min; 80% windows held 82%.",
        "Since 2023-11-14T20:13:20Z, jobs of batch: share of 80 % windows that hold is 55%,"
        " and was 82%.",
    ]


def test_old_data_and_what_is_hidden_are_told(ask):
    seen = Provenance(source="scene", hidden=(Hidden(fact=Fact.USAGE, why="not permitted"),))
    answer = ask(published=result(replace(scene(), provenance=seen)), at=NOW + 1_000)
    assert answer.exit_code == exits.STALE
    assert answer.stdout.splitlines()[0].endswith("Seen 16 min ago. That is too old.")
    assert answer.stdout.splitlines()[-1] == "Not seen: usage: not permitted."


def test_what_is_known_of_those_who_ended_unseen_is_told(ask):
    past = State(behind_s=7_200, missing=3, repaired=40, unrepaired=1, error="sacct: refused")
    assert ask(published=replace(result(), past=past)).stdout.splitlines()[3:] == [
        "Accounting does not answer: sacct: refused.",
        "Accounting is still to be asked about 2 h.",
        "Jobs that ended unseen: of 40 accounting told later, 3 are missing, 1 were given up.",
    ]


def test_why_there_is_nothing_newer_and_when_the_next_look_is_are_told(ask):
    *_, told = ask(published=replace(result(), trouble=TROUBLE)).stdout.splitlines()
    assert told.startswith(
        "The last 3 looks at the cluster brought nothing new: squeue: no contact"
    )
    assert told.endswith(" The next one is at 2023-11-14T22:18:20Z.")
    assert "\x1b" not in told and "\u202e" not in told


def test_nothing_reaches_the_terminal_raw(ask):
    hostile = replace(ALARM, whom="jobs of \x1b[2J\u202e")
    published = replace(result(), alarms=(hostile,))
    for arguments in ((), ("--json",)):
        assert ask(*arguments, published=published).stdout.replace("\n", "").isprintable()


def test_json_is_the_daemons_answer(ask):
    assert json.loads(ask("--json", published=result(windows=True)).stdout)["quality"] == {
        "jobs": 340,
        "typical_error_s": 1320,
        "coverage80": 0.824,
    }
