"""`queuecast bench`."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from predictor.cli import exits
from predictor.engine.kind import KIND
from verification.cli.bench import bench

SMALL = ["--jobs", "100", "--nodes", "128", "--repeat", "1"]
PLANNED = "93bd921553865ee46954230d79d2c889652f3371e0d5b5970c03ae093f7e2ce8"


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
    ],
)
def test_wrong_usage_is_told(wrong):
    done = run(*wrong)
    assert done.exit_code == exits.USAGE
    assert "Error: " in done.stderr
