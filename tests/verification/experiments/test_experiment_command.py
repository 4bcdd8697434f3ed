"""`queuecast experiment`: everything with everything, and what is wrong is named."""

import gzip
import json
import os
import signal

import pytest
from click.testing import CliRunner

from verification.cli.experiment import experiment
from verification.experiments import crossed
from verification.experiments.durations import Limits
from verification.experiments.schedulers import SCHEDULERS


@pytest.fixture
def run():
    def invoke(*arguments):
        return CliRunner().invoke(experiment, [str(one) for one in arguments])

    return invoke


@pytest.fixture
def small(trace_file):
    return trace_file([(0, 30, 2, 30), (1, 10, 4, 10), (2, 60, 2, 60), (3, 20, 2, 20)])


POOL = ("--nodes", 2, "--cores", 2)


def test_all_ways_are_crossed_and_compared(run, excerpt, tmp_path):
    out, page, told = tmp_path / "out", tmp_path / "page.html", tmp_path / "all.json"
    result = run(
        excerpt, "--schedulers", "fcfs,easy", "--allocators", "first-fit,random",
        "--durations", "limit,true", "--nodes", 25, "--cores", 4, "--jobs", 2, "--out", out,
        "--swf-out", "--json", told, "--html", page,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    found = json.loads(told.read_text())
    names = [one["name"] for one in found["cells"]]
    assert len(names) == 8
    assert names[0] == "kth-sp2-first-300.fcfs.first-fit.limit"
    assert {one.name for one in out.iterdir()} == {
        *(f"{name}.json" for name in names),
        *(f"{name}.swf" for name in names),
        *(
            f"kth-sp2-first-300.{plot}.svg"
            for plot in ("slowdown", "wait", "waits", "queue", "utilisation", "dispatch")
        ),
    }
    assert json.loads((out / f"{names[3]}.json").read_text()) == found["cells"][3]
    text = page.read_text()
    assert text.count("<svg") == 6
    assert "<script" not in text
    # On nodes that are alike places make no difference to when jobs start.
    by_place = {one["sha256"] for one in found["cells"] if one["scheduler"] == "fcfs"}
    assert len(by_place) == 1


def test_a_header_tells_the_machine_and_a_trace_may_be_compressed(run, tmp_path, small):
    path = tmp_path / "packed.swf.gz"
    path.write_bytes(gzip.compress(b"; MaxNodes: 2\n; MaxProcs: 4\n" + small.read_bytes()))
    result = run(path, "--schedulers", "fcfs", "--json", "-")
    found = json.loads(result.stdout)["cells"][0]
    assert found["machine"]["nodes"] == 2
    assert found["machine"]["cores"] == 4


def test_bad_lines_and_jobs_too_large_are_named_and_the_rest_runs(run, small):
    with small.open("a") as file:
        file.write("5 4 -1 ten 2\n6 5 -1 10 99 -1 -1 99 10 -1 1 1 1 1 1 1 -1 -1\n")
        file.write("7 6 -1 -1 2 -1 -1 2 10 -1 1 1 1 1 1 1 -1 -1\n")
    result = run(small, "--schedulers", "easy", *POOL)
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert "trace.swf:5: field 4 is not a number: '5 4 -1 ten 2': left out" in said
    assert "job 6: 99 processors are more than the machine has for it: refused" in said
    assert "trace.swf: 1 jobs lack submit time, run time or size and were left out" in said


def test_an_unknown_name_is_named_and_the_others_are_tried(run, small):
    result = run(small, "--schedulers", "easi,fcfs", *POOL)
    assert result.exit_code == 1
    assert "easi is unknown, did you mean 'easy'?: left out" in result.stderr
    assert "fcfs" in result.stdout


def test_a_trace_that_cannot_be_read_is_named_and_the_others_are_tried(run, small, tmp_path):
    result = run(tmp_path / "none.swf", small, "--schedulers", "fcfs", *POOL)
    assert result.exit_code == 1
    assert "none.swf: cannot be read: No such file or directory" in " ".join(result.stdout.split())
    assert "fcfs" in result.stdout


class Deadly(Limits):
    """Takes down the process that asks."""

    def planned_s(self, job):
        os.kill(os.getpid(), signal.SIGKILL)


class Faulty(Limits):
    """A fault of ours."""

    def planned_s(self, job):
        raise ZeroDivisionError("by nothing")


def test_a_killed_worker_and_a_fault_cost_their_own_experiments_only(
    run, small, tmp_path, monkeypatch
):
    wrong = {"limit": Limits, "predicted": Deadly, "true": Faulty}
    monkeypatch.setattr("verification.experiments.cell.DURATIONS", wrong)
    result = run(
        small, "--durations", "limit,predicted,true", "--schedulers", "fcfs", *POOL,
        "--out", tmp_path / "out", "--jobs", 2,
    )  # fmt: skip
    assert result.exit_code == 1
    said = " ".join(result.stdout.split())
    assert "trace.fcfs.first-fit.predicted: its process was killed by SIGKILL" in said
    assert "trace.fcfs.first-fit.true: ZeroDivisionError: by nothing" in said
    assert (tmp_path / "out" / "trace.fcfs.first-fit.limit.json").exists()


def test_a_full_disk_is_named_and_what_was_found_is_told(run, small):
    result = run(small, "--schedulers", "fcfs", *POOL, "--json", "/dev/full")
    assert result.exit_code == 1
    assert "/dev/full: No space left on device" in result.stderr
    assert "fcfs" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--swf-out",), "--swf-out needs --out"),
        (("--nodes", 2), "--nodes and --cores go together"),
        (("--machine", "seth", *POOL), "give either --machine, or --nodes and --cores"),
        (("--schedulers", "easi"), "nothing is left to try"),
    ],
)
def test_wrong_usage(run, small, arguments, complaint):
    result = run(small, *arguments)
    assert result.exit_code == 2
    assert complaint in result.stderr


def test_two_traces_of_one_name_would_overwrite_one_another(run, small):
    result = run(small, small)
    assert result.exit_code == 2
    assert "two traces are called trace" in result.stderr


def test_all_stands_for_every_name(run, small):
    known = [name for name in SCHEDULERS if not name.startswith(("ideal", "co-"))]
    result = run(small, "--schedulers", ",".join(known), "--allocators", "all", *POOL)
    assert result.exit_code == 0, result.output
    assert len(crossed.crossed([small], known, ["a"], ["b"], machine=None, seed=1)) == len(known)
