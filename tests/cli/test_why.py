"""`queuecast why`, against a daemon on loopback and on a file."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from clusters import NOW, cluster, running, waiting
from services import HOSTILE, TERMS, StandingClock, board, client, scene, sure

from predictor.cli import exits
from predictor.cli.why import why
from predictor.domain import Provenance, Snapshot, Untrusted
from predictor.errors import DocumentError, ServiceError
from predictor.forecast import forecast
from predictor.lml import write
from predictor.service.bodies import JobAnswer
from predictor.service.published import Published, publication
from predictor.site import default

SCENE = replace(scene(), utc_offset_s=0)


def explained(snapshot: Snapshot, *, windows: bool) -> Published:
    made = forecast(snapshot, default(), explained=True)
    made = sure(made) if windows else made
    return publication(snapshot, made, TERMS, NOW + 5, NOW + 6)


class Wire:
    """Stands for the command's client: asks the application itself, without a network."""

    def __init__(self, published: Published, at: float) -> None:
        self._app = client(board(published), StandingClock(at))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def cluster(self, wanted):
        return wanted or "scene"

    def job(self, name, job_id):
        answer = self._app.get(f"/api/v1/clusters/{name}/jobs/{job_id}").json()
        if "detail" in answer and "status" in answer:
            raise ServiceError(answer["detail"])
        return answer


@pytest.fixture
def ask(monkeypatch):
    """Ask about the scene, or about the snapshot given."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()

    def run(
        *arguments: str, snapshot: Snapshot = SCENE, at: float = NOW + 20, windows: bool = False
    ):
        wire = Wire(explained(snapshot, windows=windows), at)
        monkeypatch.setattr("predictor.cli.why.Client", lambda _url: wire)
        return CliRunner().invoke(why, arguments)

    yield run
    monkeypatch.undo()
    time.tzset()


def test_it_tells_who_must_end_and_who_is_ahead(ask):
    wide = cluster(2, running("r", "n1", 30, user="bob"), waiting("1", 2), waiting("2", 2, 60))
    answer = ask("2", snapshot=wide)
    assert answer.exit_code == exits.DONE
    assert answer.stdout.splitlines() == [
        "Job 2 of ada in batch: 2 nodes, limit 1:00:00.",
        "Likely start: 2023-11-14T22:53:20 on n[1-2].",
        "- It needs 2 nodes; 1 that could hold it is free now.",
        "- Its 2 nodes come free when waiting job 1 of ada ends, today 22:53.",
        "- Ahead of it in the queue, 1 job starts before it on nodes it could use: 0.3 node-hours.",
    ]


def test_it_tells_how_sure_that_is_and_what_is_believed_of_the_run_time(ask):
    wide = cluster(2, running("r", "n1", 30, user="bob"), waiting("1", 2))
    assert ask("1", snapshot=wide, windows=True).stdout.splitlines()[1:5] == [
        "Likely start: 2023-11-14T22:43:20 on n[1-2].",
        "With 80% between 2023-11-14T22:13:20 and 2023-11-14T23:43:20;"
        " with 95% by 2023-11-15T00:13:20.",
        "It is believed to run as the last 9 jobs of this user: half of them 12 min or less.",
        "Of late, jobs of batch said to start in 1 to 4 h: typical error 22 min;"
        " 80% windows held 82% (of 340).",
    ]


def test_an_array_is_found_by_a_task(ask):
    assert ask("12_3").stdout.startswith("Job 12_[0-5%2] of ada in batch: 1 node, limit 10:00.\n")


def test_a_held_job_says_so(ask):
    answer = ask("13")
    assert answer.stdout.splitlines()[1] == "No start can be told: held by its user."
    assert answer.exit_code == exits.NO_FORECAST


def test_a_running_job_does_not_wait(ask):
    answer = ask("10")
    assert answer.stdout.splitlines()[1] == "It does not wait: running."
    assert answer.exit_code == exits.DONE


def test_an_unknown_job_is_an_error(ask):
    error = ask("99").exception
    assert isinstance(error, ServiceError)
    assert "no such job" in str(error)


def test_old_answers_say_their_age(ask):
    answer = ask("11", at=NOW + 1_000)
    assert (answer.exit_code, answer.stderr) == (
        exits.STALE,
        "queuecast: stale: the snapshot is 1000 s old\n",
    )


def test_json_is_the_daemons_answer(ask):
    told = JobAnswer.model_validate(json.loads(ask("11", "--json").stdout))
    assert told.job_id == "11"
    assert told.explanation is not None
    assert told.explanation.sentences


def test_where_jobs_are_private_nothing_is_told(ask):
    private = replace(SCENE, provenance=Provenance(source="scene", private=("jobs",)))
    assert "known users only" in str(ask("11", snapshot=private).exception)


def test_no_name_reaches_the_terminal_as_it_is(ask):
    nasty = cluster(
        1,
        running("r\x1b[2J", "n1", 30, user="bob\x1b[31m\u202e"),
        waiting("1", of_job={"name": Untrusted(HOSTILE), "user": "ada\x07"}),
    )
    answer = ask("1", snapshot=nasty)
    assert "job r?[2J of bob?[31m? ends" in answer.stdout
    assert answer.stdout.replace("\n", "").isprintable()
    assert "\x1b" not in ask("1", "--json", snapshot=nasty).stdout


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "raw.lml"
    path.write_bytes(write(SCENE))
    return path


def run(*arguments: object):
    return CliRunner().invoke(why, [str(a) for a in arguments])


def test_from_a_file_it_says_the_same(ask, document):
    assert run("11", "--lml", document).stdout == ask("11").stdout
    assert run("13", "--lml", document).exit_code == exits.NO_FORECAST


def test_a_job_that_is_not_in_the_file_is_an_error(document):
    error = run("99", "--lml", document).exception
    assert isinstance(error, DocumentError)
    assert str(error) == f"{document}: the newest snapshot has no such job"


def test_a_site_file_goes_with_a_document(document):
    assert run("11", "--site", document).exit_code == exits.USAGE
    assert run("11", "--lml", "missing").exit_code == exits.USAGE


def test_asking_the_daemon_loads_nothing_heavy():
    code = "import sys, predictor.cli.why; print(*{n.split('.')[0] for n in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"fastapi", "pydantic", "lxml", "uvicorn", "jinja2"} & set(loaded)
