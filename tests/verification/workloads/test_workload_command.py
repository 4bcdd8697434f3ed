"""`queuecast workload`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from predictor.errors import DocumentError
from verification.cli.workload import workload

TRACE = str(Path(__file__).parents[1] / "traces" / "kth-sp2-first-300.swf")


def run(*arguments: str):
    return CliRunner().invoke(workload, arguments)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.json"
    assert "users" in run("fit", TRACE, "-o", str(path)).stdout
    return path


def test_a_trace_is_learned_generated_and_compared(model, tmp_path):
    made, page = tmp_path / "made.swf", tmp_path / "page.html"
    assert run("generate", str(model), "--jobs", "250", "-o", str(made)).stdout == "250 jobs\n"
    told = run("compare", TRACE, str(made), "--html", str(page))
    assert "Run times" in told.stdout
    assert page.read_text().startswith("<!doctype html>")
    found = json.loads(run("compare", TRACE, str(made), "--json").stdout)
    assert found["schema"] == "queuecast.workload-compare/1"
    assert 0 < found["distance"]["runs"] < 0.3


def test_seeds(model, tmp_path):
    def bytes_of(seed):
        path = tmp_path / f"{seed}.swf"
        run("generate", str(model), "--days", "9", "--seed", seed, "-o", str(path))
        return path.read_bytes().replace(f"seed {seed}".encode(), b"")

    assert bytes_of("1") == bytes_of("1") != bytes_of("2")


def test_lublin_and_feitelson(tmp_path):
    path = tmp_path / "made.swf"
    told = run("generate", "--lublin-feitelson", "--procs", "64", "--jobs", "9", "-o", str(path))
    assert told.stdout == "9 jobs\n"
    assert b"; MaxProcs: 64\n" in path.read_bytes()


def test_eurora(tmp_path):
    path = tmp_path / "made.swf"
    assert run("generate", "--eurora", "--jobs", "9", "-o", str(path)).stdout == "9 jobs\n"
    assert b"; MaxProcs: 1024\n" in path.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "one of MODEL, --lublin-feitelson and --eurora"),
        ((TRACE, "--lublin-feitelson"), "one of MODEL, --lublin-feitelson and --eurora"),
        (("--eurora", "--lublin-feitelson"), "one of MODEL, --lublin-feitelson and --eurora"),
        (("--lublin-feitelson",), "--jobs or --days"),
        (("--lublin-feitelson", "--procs", "4", "--jobs", "1"), "4 is not in the range x>=8"),
    ],
)
def test_wrong_usage(arguments, words, tmp_path):
    told = run("generate", *arguments, "-o", str(tmp_path / "made.swf"))
    assert told.exit_code == 2
    assert words in told.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not JSON"),
        ("[]", "is not a workload of the schema"),
        ('{"schema": "queuecast.workload/2"}', "is not a workload of the schema"),
        ('{"schema": "queuecast.workload/1", "procs": 4}', "Field required"),
        ('{"schema": "queuecast.workload/1", "source": 3}', "source"),
    ],
)
def test_what_is_no_model_is_named(text, words, tmp_path):
    path = tmp_path / "model.json"
    path.write_text(text)
    told = run("generate", str(path), "--jobs", "1", "-o", str(tmp_path / "made.swf"))
    assert isinstance(told.exception, DocumentError)
    assert words in str(told.exception)
    assert "model.json" in str(told.exception)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda told: told["users"][0].update(habits=[]), "users.0: "),
        (lambda told: told["users"][0]["habits"][0].update(procs=0), "on 0 processors"),
        (lambda told: told["users"][0]["habits"][0].update(procs=101), "wider than the 100"),
        (lambda told: told["users"][0]["jobs"].update(values=[float("inf")]), "finite"),
        (lambda told: told.update(users=[]), "needs a user"),
        (lambda told: told["cycle"].update(slots=[1]), "slots: 48 numbers"),
        (
            lambda told: [user["sessions"].update(values=[0]) for user in told["users"]],
            "nobody ever brings a job",
        ),
    ],
)
def test_a_model_that_cannot_be_is_named(model, tmp_path, change, words):
    told = json.loads(model.read_text())
    change(told)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(told))
    made = run("generate", str(path), "--jobs", "1", "-o", str(tmp_path / "made.swf"))
    assert isinstance(made.exception, DocumentError)
    assert words in str(made.exception)


def test_a_full_disk_is_named(model):
    made = run("generate", str(model), "--jobs", "9", "-o", "/dev/full")
    assert isinstance(made.exception, OSError)
    assert made.exception.filename == "/dev/full"
