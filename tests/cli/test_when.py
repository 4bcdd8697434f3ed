"""`queuecast when` against a daemon on loopback."""

import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest
from click.testing import CliRunner
from clusters import NOW, cluster, waiting
from services import StandingClock, app, board, neighbours, result, scene, without_jobs

from predictor.cli import client, exits
from predictor.cli import main as queuecast
from predictor.cli.when import when
from predictor.domain import Provenance
from predictor.errors import ServiceError
from predictor.service import bodies
from predictor.service.listening import listen, server
from predictor.service.published import Board
from predictor.site.model import ServiceTable

HEAVY = {"fastapi", "pydantic", "lxml", "requests", "uvicorn", "starlette", "jinja2", "zstandard"}
MOST_CPU_S = 1.0
"""It takes a quarter of that; a busy machine may double it."""


class Served:
    """A board that is served, and the clock by which it ages."""

    def __init__(self, table: ServiceTable) -> None:
        self.clock = StandingClock()
        self.board = Board()
        (self._line,) = listen(table)
        self._line.socket.listen()
        self.url = self._line.address
        self._server = server(app(self.board, self.clock), neighbours())
        self._thread = threading.Thread(target=self._server.run, args=([self._line.socket],))
        self._thread.start()

    def end(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._line.close()


@pytest.fixture(scope="module")
def daemon():
    served = Served(ServiceTable(port=0))
    yield served
    served.end()


@pytest.fixture
def ask(daemon, monkeypatch):
    """Ask about the scene, or about the snapshot given."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()

    def run(*arguments: str, snapshot=None, at: float = NOW + 20, windows=False):
        daemon.board.put(result(snapshot or scene(), windows=windows))
        daemon.clock.at = at
        return CliRunner().invoke(when, [*arguments, "--url", daemon.url])

    yield run
    monkeypatch.undo()
    time.tzset()


def test_the_queue_is_a_table_as_squeue_writes_it(ask):
    answer = ask()
    assert answer.exit_code == exits.DONE
    assert answer.stdout.splitlines() == [
        "             JOBID PARTITION     NAME     USER ST NODES TIME_LIMIT"
        "        LIKELY_START          WINDOW (80%)           AHEAD NODELIST(CAUSE)",
        "                11     batch <script+      ada PD     2      10:00"
        " 2023-11-14T23:13:20                   N/A             N/A n[1-2] (resources)",
        "        12_[0-5%2]     batch               ada PD     1      10:00"
        " 2023-11-15T00:13:20                   N/A             N/A n[1-2] (priority)",
        "                13     batch               bob PD     1      10:00"
        "                 N/A                   N/A             N/A (held)",
    ]
    assert answer.stderr == ""


@pytest.fixture
def at_ten_in_the_evening(monkeypatch):
    """The scene's own time: a quarter past ten in the evening of a Tuesday, 14 November 2023."""
    monkeypatch.setattr("predictor.cli.when.time.time", lambda: NOW + 20)


@pytest.mark.usefixtures("at_ten_in_the_evening")
def test_windows_and_chances_stand_beside_the_start(ask):
    answer = ask("--by", "23:30", windows=True)
    assert answer.exit_code == exits.DONE
    assert answer.stdout.splitlines() == [
        "             JOBID PARTITION     NAME     USER ST NODES TIME_LIMIT"
        "        LIKELY_START          WINDOW (80%) BY 23:30           AHEAD NODELIST(CAUSE)",
        "                11     batch <script+      ada PD     2      10:00"
        " 2023-11-14T23:13:20     22:43 - Wed 00:13      61%             N/A n[1-2] (resources)",
        "        12_[0-5%2]     batch               ada PD     1      10:00"
        " 2023-11-15T00:13:20     23:43 - Wed 01:13       0%             N/A n[1-2] (priority)",
        "                13     batch               bob PD     1      10:00"
        "                 N/A                   N/A      N/A             N/A (held)",
    ]
    assert answer.stderr == (
        "Of late, similar answers: typical error 22 min; 80% windows held 82%.\n"
    )


@pytest.mark.usefixtures("at_ten_in_the_evening")
@pytest.mark.parametrize(
    ("by", "heading"),
    [
        pytest.param("22:00", "BY Wed 22:00", id="a time of day that is past is tomorrow's"),
        pytest.param("2023-11-14T23:00", "BY 23:00", id="an instant of the machine's zone"),
        pytest.param("2023-11-14T23:00+01:00", "BY 22:00", id="an instant of another zone"),
        pytest.param("2023-12-24", "BY 24 Dec", id="a day"),
    ],
)
def test_deadlines(ask, by, heading):
    assert ask("--by", by, "-o", "%B", windows=True).stdout.splitlines()[0] == heading


@pytest.mark.parametrize("by", ["", "soon", "25:00", "18:00Z", "2023-13-01", "1e9"])
def test_what_is_no_deadline(ask, by):
    answer = ask("--by", by)
    assert (answer.exit_code, "expected a time like" in answer.stderr) == (exits.USAGE, True)


def test_programs_get_whole_instants_and_no_remarks(ask):
    answer = ask("-P", "-h", "-j", "11", "-o", "%i %S %W", windows=True)
    assert (answer.stdout, answer.stderr) == (
        "11|2023-11-14T23:13:20|2023-11-14T22:43:20 - 2023-11-15T00:13:20\n",
        "",
    )
    (job,) = json.loads(
        ask("--json", "-j", "11", "--by", "2023-11-14T23:13:20Z", windows=True).stdout
    )["jobs"]
    assert job["deadline"] == {"by": "2023-11-14T23:13:20Z", "probability": 0.5}
    assert job["quality"]["coverage80"] == 0.824


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        pytest.param(["-u", "bob"], ["13"], id="a user"),
        pytest.param(["-u", "bob,ada", "-A", "physics"], ["11"], id="an account"),
        pytest.param(["-u", "bob", "-u", "ada"], ["11", "12_[0-5%2]", "13"], id="repeated"),
        pytest.param(["-p", "gpu"], [], id="a partition"),
        pytest.param(["-q", "high"], [], id="a qos"),
        pytest.param(["-j", "12_3,10"], ["12_[0-5%2]", "10"], id="ids, of running jobs too"),
        pytest.param(["-t", "R"], ["10"], id="a state by its short name"),
        pytest.param(["-t", "all", "-S", "-i"], ["13", "12_[0-5%2]", "11", "10"], id="sorted"),
        pytest.param(["-t", "all", "-S", "S"], ["10", "11", "12_[0-5%2]", "13"], id="by start"),
    ],
)
def test_flags_choose(ask, arguments, ids):
    assert ask(*arguments, "-h", "-o", "%i").stdout.split() == ids


def test_me_is_whoever_asks(ask, monkeypatch):
    monkeypatch.setattr("pwd.getpwuid", lambda _uid: type("Entry", (), {"pw_name": "bob"}))
    assert ask("--me", "-h", "-o", "%i").stdout.split() == ["13"]


def test_me_needs_a_name(ask, monkeypatch):
    def nobody(uid):
        raise KeyError(uid)

    monkeypatch.setattr("pwd.getpwuid", nobody)
    answer = ask("--me")
    assert (answer.exit_code, "has no name here" in answer.stderr) == (exits.USAGE, True)


def test_what_is_no_text_is_no_job(ask):
    assert "not a job id" in str(ask("-j", "\udce2").exception)


def test_formats_are_squeues(ask):
    line = ask("-j", "11", "-h", "-o", "%i|%.6P|%6u|%T|%t|%D|%l|%S|%N|%r|%a|%K").stdout
    assert line == (
        "11| batch|ada   |PENDING|PD|2|10:00|2023-11-14T23:13:20|n[1-2]|resources|physics|1\n"
    )


def test_parsable_output_has_no_other_bars_than_its_own(ask):
    named = cluster(4, waiting("1", of_job={"name": type(scene().pending[0].spec.name)("a|b")}))
    answer = ask("-P", "-o", "%i %j %D", snapshot=named)
    assert answer.stdout.splitlines() == ["JOBID|NAME|NODES", "1|a?b|1"]


def test_json_is_the_daemons_answer(ask):
    body = json.loads(ask("--json", "-j", "12_3").stdout)
    assert body["schema"] == "queuecast/1"
    assert [job["job_id"] for job in body["jobs"]] == ["12_[0-5%2]"]


def test_all_pages_are_fetched(ask, monkeypatch):
    monkeypatch.setattr("predictor.cli.when.PAGE", "1")
    assert ask("-h", "-o", "%i").stdout.split() == ["11", "12_[0-5%2]", "13"]


def test_nothing_a_user_writes_reaches_the_terminal_raw(ask):
    for arguments in ((), ("--json",), ("-P",), ("-o", "%j")):
        output = ask(*arguments).stdout
        assert output.replace("\n", "").isprintable()


def test_times_follow_slurm_time_format(ask, monkeypatch):
    monkeypatch.setenv("SLURM_TIME_FORMAT", "%H h %M")
    assert ask("-j", "11", "-h", "-o", "%S").stdout == "23 h 13\n"


def test_an_unknown_job_fails_but_the_others_are_told(ask):
    answer = ask("-j", "99,11", "-h", "-o", "%i")
    assert (answer.exit_code, answer.stdout) == (exits.FAILED, "11\n")
    assert answer.stderr == "queuecast: unknown job: 99\n"


@pytest.mark.parametrize(
    ("partitions", "ids", "unknown"),
    [
        (["batch"], ["11", "12_[0-5%2]", "13"], []),
        (["zz"], [], ["zz"]),
        (["zz, batch", "\x1b[1m"], ["11", "12_[0-5%2]", "13"], ["?[1m", "zz"]),
        ([","], [], []),
    ],
)
def test_an_unknown_partition_fails_but_the_others_are_told(ask, partitions, ids, unknown):
    wanted = [word for one in partitions for word in ("-p", one)]
    answer = ask(*wanted, "-h", "-o", "%i")
    assert answer.stdout.split() == ids
    assert answer.stderr == "".join(f"queuecast: unknown partition: {one}\n" for one in unknown)
    assert answer.exit_code == (exits.FAILED if unknown else exits.DONE)


def test_where_partitions_are_private_none_is_said_to_be_unknown(ask):
    private = replace(scene(), provenance=Provenance(source="scene", private=("partitions",)))
    answer = ask("-p", "zz", "-h", snapshot=private)
    assert (answer.exit_code, answer.output) == (exits.DONE, "")


def test_old_data_are_said_to_be_old(ask):
    answer = ask(at=NOW + 1_000)
    assert (answer.exit_code, answer.stderr) == (
        exits.STALE,
        "queuecast: stale: the snapshot is 1000 s old\n",
    )


def test_if_nothing_can_be_said_about_any_job_that_is_an_exit_code_of_its_own(ask):
    assert ask("-j", "13").exit_code == exits.NO_FORECAST
    assert ask("-j", "13,11").exit_code == exits.DONE


def test_an_empty_queue_is_no_failure(ask):
    answer = ask("-h", snapshot=without_jobs(scene()))
    assert (answer.exit_code, answer.stdout) == (exits.DONE, "")


@pytest.mark.parametrize(
    "arguments", [["-o", "%z"], ["-o", "%"], ["-o", "id"], ["-S", "z"], ["-i", "0"]]
)
def test_wrong_usage(ask, arguments):
    assert ask(*arguments).exit_code == exits.USAGE


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        pytest.param(["-j", "1;2"], "not a job id: '1;2'", id="no job id"),
        pytest.param(["-M", "other"], "cluster 'other' is not served there", id="other cluster"),
        pytest.param(["-t", "asleep"], "expected some of pending", id="unknown state"),
    ],
)
def test_what_the_daemon_refuses_is_passed_on(ask, arguments, cause):
    error = ask(*arguments).exception
    assert cause in str(error)


def test_where_jobs_are_private_that_is_said(ask):
    private = replace(scene(), provenance=Provenance(source="scene", private=("jobs",)))
    assert "known users only" in str(ask(snapshot=private).exception)


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        pytest.param("ftp://x", "expected http", id="wrong scheme"),
        pytest.param("http://127.0.0.1:99999", "out of range", id="no port"),
        pytest.param("http://a b", "can't contain", id="no host"),
        pytest.param("unix:/nowhere", "no answer: No such file", id="no socket"),
    ],
)
def test_a_daemon_that_cannot_be_reached(url, cause, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["queuecast", "when", "--url", url])
    with pytest.raises(SystemExit) as ended:
        queuecast()
    assert ended.value.code == exits.FAILED
    told = capsys.readouterr().err
    assert told.startswith(f"queuecast: {url}: ")
    assert cause in told


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        pytest.param(b"hi", "but not as queuecast does", id="no JSON"),
        pytest.param(b'{"clusters": []}', "but not as queuecast does", id="no schema"),
        pytest.param(b'{"schema": "other/1"}', "another form, 'other/1'", id="another schema"),
        pytest.param(b"[" * 100_000, "but not as queuecast does", id="nested too deep"),
    ],
)
def test_whoever_else_answers_is_not_believed(body, cause):
    with socket.create_server(("127.0.0.1", 0)) as line:
        url = f"http://127.0.0.1:{line.getsockname()[1]}"

        def answer():
            peer, _ = line.accept()
            with peer:
                peer.recv(10_000)
                peer.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + body)

        threading.Thread(target=answer).start()
        error = CliRunner().invoke(when, ["--url", url]).exception
    assert isinstance(error, ServiceError)
    assert cause in str(error)


def test_the_client_understands_what_the_daemon_says():
    assert client.SCHEMA == bodies.SCHEMA


def test_a_single_job_is_asked_for_by_its_id(daemon):
    daemon.board.put(result())
    with client.Client(daemon.url) as line:
        assert line.job(line.cluster(None), "12_[0-5%2]")["job_id"] == "12_[0-5%2]"
        for unknown in ("99", "\udce2", "../11"):
            with pytest.raises(ServiceError, match=r"no such job|not a job id|Nothing matches"):
                line.job("scene", unknown)


def test_it_speaks_through_a_unix_socket(tmp_path):
    served = Served(ServiceTable(socket=tmp_path / "api.sock", tcp=False))
    try:
        served.board.put(board(result()).current)
        answer = CliRunner().invoke(when, ["-h", "-o", "%i", "--url", served.url])
    finally:
        served.end()
    assert served.url == f"unix:{tmp_path / 'api.sock'}"
    assert answer.stdout.split() == ["11", "12_[0-5%2]", "13"]
    assert not (tmp_path / "api.sock").exists()


@pytest.mark.parametrize("words", [["when"], ["why", "11"], ["plan"], ["status"]])
def test_it_starts_light(daemon, words):
    """A third of a second is all there is, so nothing heavy may be imported."""
    daemon.board.put(result())
    code = (
        f"import sys; from predictor.cli.{words[0]} import {words[0]}\n"
        f"sys.argv = [*{words}, '--url', sys.argv[1]]\n"
        f"try: {words[0]}()\n"
        "finally: print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", code, daemon.url],
        capture_output=True,
        text=True,
        env={**os.environ, "TZ": "UTC"},
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout
    assert not HEAVY & set(done.stderr.split())
    assert after.ru_utime - before.ru_utime < MOST_CPU_S
