"""`queuecast plan`: the schedule as text, from the API's own answer."""

import json
import time
from dataclasses import replace

import pytest
from click.testing import CliRunner
from clusters import HOUR, NOW
from services import StandingClock, board, client, result, scene

from predictor import lml
from predictor.cli import exits, gantt
from predictor.cli.plan import plan
from predictor.domain import Provenance, Reservation
from predictor.errors import ServiceError
from predictor.service.asking.viewers import Role, Viewer

ADA = Viewer(role=Role.USER, name="ada")
OPERATOR = Viewer(role=Role.OPERATOR)
PRIVATE = Provenance(source="scene", private=("jobs",))


@pytest.fixture
def ask(monkeypatch, daemons_client):
    """Ask as somebody about the scene, or the snapshot given, on a terminal so wide."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr("predictor.cli.plan.time.time", lambda: NOW + 20)

    def run(*arguments, snapshot=None, viewer=ADA, width=100, at=NOW + 20):
        app = client(board(result(snapshot or scene())), StandingClock(at), viewer=viewer)
        daemons_client("predictor.cli.plan.Client", app)
        monkeypatch.setenv("COLUMNS", str(width))
        return CliRunner().invoke(plan, arguments)

    yield run
    monkeypatch.undo()
    time.tzset()


def test_a_line_for_each_job_and_a_bar_for_its_time(ask):
    answer = ask()
    assert answer.exit_code == exits.DONE
    assert answer.stdout.splitlines() == [
        "JOBID        USER     START     END       NODES   22:13          22:52          23:32",
        "10           ada      22:03     22:43     n[1-2]  ###########",
        "11           ada      23:13     23:23     n[1-2]                        ++++",
        "12_[0-5%2]   ada      Wed 00:13 Wed 00:23 n[1-2]                                  "
        "             ++++",
    ]


@pytest.mark.parametrize("width", [20, 60, 80, 120, 250])
def test_it_fits_the_terminal(ask, width):
    lines = ask(width=width).stdout.splitlines()
    least = gantt.ID + gantt.USER + 2 * gantt.TIME + gantt.MOST_NODES + 4
    assert max(map(len, lines)) <= max(width, least)
    assert any("#" in line for line in lines) is (width > 75)


def test_of_who_may_not_be_named_only_the_time_is_told(ask):
    hidden = replace(scene(), provenance=PRIVATE)
    told = ask(snapshot=hidden, viewer=Viewer(role=Role.USER, name="bob")).stdout
    assert "ada" not in told
    assert "-            -        22:03     22:43     n[1-2]" in told


def test_nodes_and_times_narrow_it(ask):
    def ids(*arguments):
        return [line.split()[0] for line in ask(*arguments).stdout.splitlines()[1:]]

    assert ids() == ["10", "11", "12_[0-5%2]"]
    assert ids("--nodes", "n[3-4]") == []
    assert ids("--from", "22:50") == ["11", "12_[0-5%2]"]
    assert ids("--to", "22:50") == ["10"]
    assert ids("-p", "batch") == ids()
    assert ids("-p", "gpu") == []


def test_reservations_stand_among_the_jobs(ask):
    kept = Reservation(
        name="upgrade", node_names=frozenset({"n4"}), start_at=NOW + HOUR, end_at=NOW + 2 * HOUR
    )
    line = next(
        line
        for line in ask(snapshot=replace(scene(), reservations=(kept,))).stdout.splitlines()
        if line.startswith("upgrade")
    )
    assert gantt.RESERVED in line.split()[-1]


def test_as_json_and_as_a_document(ask):
    assert len(json.loads(ask("--json").stdout)["bars"]) == 3
    document = ask("--lml", viewer=OPERATOR).stdout
    assert document.isascii()
    assert lml.read(document.encode(), place="it").snapshot.cluster == "scene"
    with pytest.raises(ServiceError, match="operators"):
        raise ask("--lml").exception


@pytest.mark.parametrize(
    "arguments",
    [("--lml", "-p", "batch"), ("--lml", "--json"), ("--from", "23:00", "--to", "22:50")],
)
def test_wrong_usage(ask, arguments):
    assert ask(*arguments).exit_code == exits.USAGE


@pytest.mark.parametrize(("at", "stale"), [(NOW + 20, False), (NOW + 4_000, True)])
def test_an_unknown_partition_is_said_to_be_unknown(ask, at, stale):
    answer = ask("-p", "zz", at=at)
    assert answer.exit_code == exits.FAILED
    assert answer.stderr.splitlines()[-1] == "queuecast: unknown partition: zz"
    assert ("stale" in answer.stderr) is stale
    assert ask("-p", "batch").stderr == ""


def test_old_data_are_told_and_said_to_be_old(ask):
    answer = ask(at=NOW + 4_000)
    assert (answer.exit_code, "stale" in answer.stderr) == (exits.STALE, True)


def test_what_lies_off_the_axis_is_pointed_at():
    def one(start, end):
        told = {"snapshot_at": "2023-11-14T22:00:00Z", "reservations": []}
        bar = {"job_id": "1", "user": "a", "own": False, "waits": False, "nodes": "n1"}
        bars = [{**bar, "start_at": f"2023-11-14T{start}:00Z", "end_at": f"2023-11-14T{end}:00Z"}]
        since = 1_700_000_000 - 800  # 22:00
        shown = gantt.lines({**told, "bars": bars}, 100, str, since, since + HOUR)
        return list(shown)[1].split()[-1]

    assert one("21:00", "21:30") == gantt.EARLIER
    assert one("23:10", "23:30") == gantt.LATER
    assert one("22:30", "23:30").strip(gantt.RUNS) == gantt.LATER
    assert set(one("22:30", "22:31")) == {gantt.RUNS}
