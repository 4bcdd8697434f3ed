"""Whatever users of the cluster write: no command ever tells the terminal to do anything."""

import unicodedata
from dataclasses import replace
from importlib import import_module

import click
import pytest
from click.testing import CliRunner
from clusters import HOUR, NOW, cluster, partition, running, waiting
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from services import StandingClock, board, client, result

from predictor.cli import GROUP, command
from predictor.cli.terminal import UNSHOWABLE
from predictor.domain import Reservation, Untrusted
from predictor.service.asking.viewers import Role, Viewer

OPERATOR = Viewer(role=Role.OPERATOR, name="ada")
EVIL = "\x1b]0;x\x07\x9b2J\u202e\x7f\r\n"
# What XML cannot carry at all is refused or dropped before a snapshot is written.
WORDS = st.text(st.characters(codec="utf-8"), max_size=12)
ALL_COLUMNS = "%i %P %j %u %a %q %t %T %D %l %S %W %N %r %R %K %A"

ASKING = {
    "when": (
        ("-t", "all"),
        ("-t", "all", "-o", ALL_COLUMNS),
        ("-t", "all", "-o", ALL_COLUMNS, "-P"),
        ("-t", "all", "-o", ALL_COLUMNS, "--csv"),
        ("-t", "all", "--json"),
        ("-j", "1\x1b[2J"),
        ("-o", "%i \x1b[2J"),
        ("-M", "\x1b[2J"),
    ),
    "why": (("1",), ("1", "--json"), ("2",), ("9\x1b[2J",)),
    "plan": ((), ("--json",), ("--lml",), ("-p", "\x1b[2J"), ("-w", "\x1b[2J")),
    "status": ((), ("--json",)),
    "whatif": (("-N", "1"), ("-N", "1", "--json")),
    "fit": ((), ("--json",)),
    "watch": (("1",), ("--me",), ("--list",), ("--list", "--json"), ("--delete", "\x1b[2J")),
}
"""Every command that asks the daemon, and ways to have it told all that it knows."""


def commands() -> dict[str, click.Command]:
    with click.Context(command) as ctx:
        found = {name: command.get_command(ctx, name) for name in command.list_commands(ctx)}
    return {name: one for name, one in found.items() if any(p.name == "url" for p in one.params)}


COMMANDS = commands()


def test_none_is_forgotten():
    assert set(COMMANDS) == set(ASKING), f"a command of {GROUP} asks the daemon, untried here"


def world(name: str, user: str, account: str, queue: str):
    """A queue in which everything that people can name is named so."""
    of_job = {
        "user": user,
        "account": account,
        "qos": account,
        "name": Untrusted(name),
        "comment": Untrusted(name),
        "partitions": (queue,),
    }
    seen = cluster(4, waiting("1", 2, of_job=of_job), running("2", "n1 n2", 30, **of_job))
    kept = Reservation(name=name, node_names=frozenset({"n4"}), start_at=NOW, end_at=NOW + HOUR)
    return replace(seen, partitions=(partition(queue, seen.nodes),), reservations=(kept,))


class Supposed:
    """Answers suppositions as the daemon may: with words of users in every sentence."""

    def __init__(self, words):
        self.words = words

    def __call__(self, _cluster, question):
        shape = {
            "likely_start": "2026-11-21T22:00:00Z",
            "likely_start_epoch": NOW,
            **dict.fromkeys(("p10", "p90", "by95"), "2026-11-21T22:00:00Z"),
            "deadline": None,
            "detail": self.words,
            "quality": {"like": self.words, "typical_error_s": 60, "coverage80": 0.8, "jobs": 3},
        }
        never = {**shape, "likely_start": None}
        count = len(question["shapes"])
        shapes = [never if at % 2 and count > 1 else shape for at in range(count)]
        head = {"stale": True, "age_seconds": 900, "snapshot_at": "2026-11-21T22:00:00Z"}
        return {**head, "shapes": shapes, "echo": self.words}


@pytest.fixture(scope="module")
def served():
    """A board, and who asks the app that it belongs to."""
    filled = board()
    return filled, client(filled, StandingClock(), viewer=OPERATOR)


@pytest.mark.parametrize("name", ASKING)
@given(name_=WORDS, user=WORDS, account=WORDS, queue=WORDS)
@example(name_=EVIL, user=EVIL, account=EVIL, queue=EVIL)
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_but_text_comes_out(
    name, served, daemons_client, monkeypatch, name_, user, account, queue
):
    filled, app = served
    filled.put(result(world(name_, user or "u", account, queue or "q"), windows=True))
    asking = COMMANDS[name]
    module = import_module(asking.callback.__module__)
    daemons_client(f"{module.__name__}.Client", app)
    if name in ("whatif", "fit"):
        monkeypatch.setattr(module.Client, "what_if", lambda _self, c, q: Supposed(name_)(c, q))
    for arguments in ASKING[name]:
        answer = CliRunner().invoke(asking, arguments)
        for line in answer.output.split("\n"):
            told = [char for char in line if unicodedata.category(char) in UNSHOWABLE]
            assert not told, (arguments, line)
