"""`queuecast bench`."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from predictor.cli import exits
from predictor.engine.kind import KIND
from predictor.errors import DocumentError
from verification.bench.measure import hash_of
from verification.cli.bench import bench

SMALL = ["--jobs", "100", "--nodes", "128", "--repeat", "1"]
PLANNED = "19055936861169b3e008281ceafee508bb8a7c79e4925543136471b625009e16"


def run(*arguments: str):
    return CliRunner().invoke(bench, arguments)


@pytest.mark.parametrize("task", ["plan", "forward"])
def test_figures_as_json(task):
    done = run(task, *SMALL, "--json")
    told = json.loads(done.stdout)
    assert (told["schema"], told["task"]) == ("queuecast.bench/1", task)
    assert (told["jobs"], told["nodes"], told["seed"]) == (100, 128, 1)
    assert told["engine"] == KIND.name


def test_figures_as_a_table():
    heading, row = run("plan", *SMALL).stdout.splitlines()
    assert heading.split()[:3] == ["task", "jobs", "nodes"]
    assert row.split()[:4] == ["plan", "100", "128", KIND.name]
    assert row.split()[-1] == PLANNED[:16]


def test_plain_python_gives_the_same_hash():
    command = "from verification.cli.bench import bench; bench()"
    done = subprocess.run(
        [sys.executable, "-c", command, "plan", *SMALL, "--json", "--assert-hash", PLANNED],
        env={**os.environ, "QUEUECAST_ENGINE": "pure"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == exits.DONE, done.stderr
    assert json.loads(done.stdout)["engine"] == "pure"


def test_a_tick_has_a_point_and_as_many_draws_as_there_is_time_for():
    told = json.loads(run("tick", "--jobs", "30", "--nodes", "20", "--draws", "3", "--json").stdout)
    assert (told["schema"], told["jobs"], told["draws"]) == ("queuecast.tick/1", 30, 3)
    assert min(told[name] for name in ("learn_s", "point_s", "windows_s")) >= 0
    table = run("tick", "--jobs", "30", "--nodes", "20", "--budget", "0").stdout.splitlines()
    assert [line.split() for line in table if line.startswith("draws ")] == [["draws", "0"]]


# number submit wait run procs - - procs limit, then nine fields that do not matter
TRACE = """; MaxProcs: 4
1 100 -1 10 3 -1 -1 3 20 -1 1 1 1 -1 1 -1 -1 -1
2 101 -1 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1
3 102 -1 5 1 -1 -1 1 8 -1 1 1 1 -1 1 -1 -1 -1
"""


@pytest.fixture
def trace(tmp_path):
    (tmp_path / "three.swf").write_text(TRACE)
    return str(tmp_path / "three.swf")


@pytest.mark.parametrize(
    ("policy", "starts"),
    [("easy", [0, 10, 2]), ("fcfs", [0, 10, 20]), ("conservative", [0, 10, 2])],
)
def test_a_trace_is_replayed(trace, policy, starts):
    done = run("swf", trace, "--policy", policy, "--json", "--assert-hash", hash_of(starts))
    assert done.exit_code == exits.DONE, done.stderr
    told = json.loads(done.stdout)
    assert (told["trace"], told["policy"], told["jobs"], told["nodes"]) == (
        "three.swf",
        policy,
        3,
        4,
    )
    assert told["mean_wait_s"] == pytest.approx(sum(starts) / 3 - 1)


def test_a_trace_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "bad.swf").write_text("; MaxProcs: 4\n1 2 three\n")
    done = run("swf", str(tmp_path / "bad.swf"))
    assert isinstance(done.exception, DocumentError)
    assert "bad.swf:2: " in str(done.exception)


def test_another_hash_is_a_gate_that_fails():
    assert run("plan", *SMALL, "--assert-hash", PLANNED.upper()).exit_code == exits.DONE
    done = run("plan", *SMALL, "--assert-hash", "0" * 64)
    assert done.exit_code == exits.GATE
    assert f"the hash is {PLANNED}, not 0000" in done.stderr


def test_growth():
    done = run("growth", "plan", "--jobs", "20", "--nodes", "8", "--repeat", "1")
    *rows, verdict = done.stdout.splitlines()
    assert len(rows) == 1 + 5
    assert verdict.startswith("time grows as jobs^")
    told = json.loads(run("growth", "plan", *SMALL, "--json").stdout)
    assert len(told["rows"]) == 5
    assert told["jobs_exponent"] > 0


@pytest.mark.parametrize(
    "wrong",
    [
        ["plan", "--jobs", "0"],
        ["plan", "--nodes", "-1"],
        ["plan", "--nodes", "many"],
        ["plan", "--repeat", "0"],
        ["forward", "--seed", "-1"],
        ["plan", "--assert-hash", "abc"],
        ["growth", "swim"],
        ["growth"],
        ["dance"],
        ["swf"],
        ["swf", "/nowhere/trace.swf"],
        ["swf", __file__, "--policy", "random"],
        ["swf", __file__, "--procs", "0"],
    ],
)
def test_wrong_usage_is_told(wrong):
    done = run(*wrong)
    assert done.exit_code == exits.USAGE
    assert "Error: " in done.stderr
