"""A command that is given right after the daemon started waits for its first answer."""

import json
from dataclasses import dataclass, field, replace

import pytest
from click.testing import CliRunner
from services import TROUBLE, StandingClock, board, client, result

from predictor.cli import client as asking
from predictor.cli import exits
from predictor.cli.plan import plan
from predictor.cli.status import status
from predictor.cli.when import when
from predictor.cli.why import why
from predictor.errors import ServiceError
from predictor.service import problems
from predictor.service.published import Board

COMMANDS = {"when": when, "why": why, "plan": plan, "status": status}


@dataclass
class Starting:
    """A daemon whose first answer is there after so many seconds."""

    after_s: float
    board: Board = field(default_factory=board)
    slept_s: float = 0.0

    def monotonic(self):
        return self.slept_s

    def sleep(self, seconds):
        self.slept_s += seconds
        if self.slept_s >= self.after_s:
            self.board.put(result(windows=True))


@pytest.fixture
def starting(monkeypatch, daemons_client):
    """Let a command ask such a daemon."""

    def start(name, after_s):
        daemon = Starting(after_s)
        monkeypatch.setattr(asking, "SystemClock", lambda: daemon)
        daemons_client(f"predictor.cli.{name}.Client", client(daemon.board, StandingClock()))
        return daemon

    return start


@pytest.mark.parametrize(
    ("name", "words"),
    [("when", []), ("when", ["--json"]), ("why", ["11"]), ("plan", ["--json"]), ("status", [])],
)
def test_it_waits_for_the_first_answer(starting, name, words):
    daemon = starting(name, after_s=3)
    answer = CliRunner().invoke(COMMANDS[name], words)
    assert answer.exit_code in (exits.DONE, exits.STALE), answer.output
    assert daemon.slept_s == 3
    assert "waiting" not in answer.stderr  # nobody sits there
    if "--json" in words:
        assert json.loads(answer.stdout)["schema"] == asking.SCHEMA


def test_not_for_ever(starting):
    daemon = starting("when", after_s=1_000)
    answer = CliRunner().invoke(when, [])
    assert isinstance(answer.exception, ServiceError)
    assert "not ready yet" in str(answer.exception)
    assert daemon.slept_s == asking.FIRST_ANSWER_S


def test_not_for_a_cluster_that_cannot_be_seen(starting):
    daemon = starting("when", after_s=3)
    daemon.board.note(TROUBLE)
    answer = CliRunner().invoke(when, [])
    assert "The next one is at" in str(answer.exception)
    assert daemon.slept_s == 0


@pytest.mark.parametrize("place", ["http://127.0.0.1:1", "unix:/nowhere/api.sock"])
def test_where_no_daemon_is_it_says_how_there_would_be_one(place):
    answer = CliRunner().invoke(when, ["--url", place])
    assert str(answer.exception).startswith(f"{place}: no answer: ")
    assert "queuecast serve" in str(answer.exception)
    assert "QUEUECAST_URL" in str(answer.exception)


def test_who_sits_at_a_terminal_is_told_once(starting, monkeypatch, capsys):
    starting("when", after_s=3)
    monkeypatch.setattr(asking.sys.stderr, "isatty", lambda: True, raising=False)
    with asking_client() as line:
        line.clusters()
    assert capsys.readouterr().err == "http://localhost has just started; waiting.\n"


def asking_client():
    import predictor.cli.when

    return predictor.cli.when.Client("http://localhost")


def test_both_sides_call_it_by_the_same_name():
    assert asking.STARTING == problems.STARTING


def test_what_is_old_is_given_at_once(starting):
    daemon = starting("when", after_s=3)
    daemon.board.put(replace(result(), trouble=TROUBLE))
    assert CliRunner().invoke(when, []).exit_code in (exits.DONE, exits.STALE)
    assert daemon.slept_s == 0
