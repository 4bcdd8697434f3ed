"""`queuecast sweep` from the outside: run, stop, go on, repeat."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from recordings import FailingFiles

from predictor.clock import SystemClock
from predictor.errors import StorageError
from predictor.outfile import replace_file
from verification.cli import sweep as command
from verification.cli.sweep import sweep
from verification.sweep import folder
from verification.sweep.folder import look, owned

TRACE = Path(__file__).parents[1] / "traces" / "kth-sp2-first-300.swf"

pytestmark = pytest.mark.usefixtures("sums")


def called(*arguments, fine=True):
    answer = CliRunner().invoke(sweep, [str(one) for one in arguments])
    if fine:
        assert answer.exit_code == 0, (answer.output, answer.exception)
    return answer


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.fixture
def report(out):
    return lambda: json.loads((out / "report.json").read_text())


def results(out):
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


def test_all_points_are_run_on_all_inputs_by_all_seeds(grid_file, hundred, out, report):
    answer = called(grid_file(), hundred, "--out", out)
    assert "6 points on 1 inputs, 2 draws of each: 12 runs of kind sums" in answer.stderr
    assert report()["runs"] | {"took_s": 0} == {"all": 12, "done": 12, "failed": 0, "took_s": 0}
    found = {one["point"]: one["figures"]["mean_wait_s"] for one in report()["points"]}
    assert found == {1: 112.5, 2: 122.5, 3: 113.5, 4: 123.5, 5: 114.5, 6: 124.5}
    assert {(one["run"], one["seed"]) for one in results(out)} == {
        (n, 1 if n <= 6 else 2) for n in range(1, 13)
    }
    effects = {
        name: [(one["value"], one["mean"]) for one in values]
        for name, values in report()["effects"].items()
    }
    assert effects == {
        "a": [(1, 117.5), (2, 118.5), (3, 119.5)],
        "b": [(10, 113.5), (20, 123.5)],
    }


def test_points_differ_by_their_settings_though_chance_moves_both(grid_file, hundred, out, report):
    called(grid_file(), hundred, "--out", out, "--draws", 4)
    second = report()["points"][1]
    assert (second["difference"], second["difference_interval"]) == (10.0, [10.0, 10.0])
    assert second["verdict"] == "higher"


def test_the_same_again_does_nothing_and_says_the_same(grid_file, hundred, out, report):
    called(grid_file(), hundred, "--out", out)
    before = ((out / "results.jsonl").read_bytes(), report())
    called("resume", out)
    called(grid_file(), hundred, "--out", out, "--jobs", 1)
    assert ((out / "results.jsonl").read_bytes(), report()) == before


def test_how_many_work_changes_no_figure(grid_file, hundred, tmp_path):
    def figures(jobs):
        folder = tmp_path / f"of-{jobs}"
        called(grid_file(), hundred, "--out", folder, "--jobs", jobs)
        found = json.loads((folder / "report.json").read_text())
        return {name: found[name] for name in ("points", "effects", "failed")}

    assert figures(1) == figures(3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda grid, given: grid.write_text(grid.read_text() + "c = [1]"), "c: unknown key"),
        (lambda grid, given: grid.write_text(grid.read_text() + "do = ['']"), "`axes` is another"),
        (lambda grid, given: given.write_text("101"), "hundred holds something else"),
    ],
)
def test_a_folder_holds_one_sweep_only(grid_file, hundred, out, change, said):
    grid = grid_file()
    called(grid, hundred, "--out", out)
    before = (out / "results.jsonl").read_bytes()
    change(grid, hundred)
    answer = called(grid, hundred, "--out", out, fine=False)
    assert said in str(answer.exception)
    assert (out / "results.jsonl").read_bytes() == before


def test_another_code_is_not_mixed_with_what_is_there(grid_file, hundred, out):
    called(grid_file(), hundred, "--out", out)
    manifest = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps(manifest | {"code_sha256": "another"}))
    answer = called("resume", out, fine=False)
    assert "is not the same code any more" in str(answer.exception)


def test_two_sweeps_keep_apart(grid_file, hundred, out):
    with owned(out, SystemClock()):
        answer = called(grid_file(), hundred, "--out", out, fine=False)
    assert "another sweep is at work on it" in str(answer.exception)


def test_a_failing_run_is_named_and_the_rest_completes(grid_file, hundred, out, report):
    grid = grid_file("kind = 'sums'\n[axes]\ndo = ['', 'raise', 'die']\na = [1, 2]")
    answer = called(grid, hundred, "--out", out, "--jobs", 2, fine=False)
    assert answer.exit_code == 1
    assert "run 3 (point 3, hundred, seed 1) failed: ZeroDivisionError: of all things" in (
        answer.stderr
    )
    assert report()["runs"]["done"] == 2
    assert [(one["cause"], one["runs"]) for one in report()["failed"]] == [
        ("ZeroDivisionError: of all things", [3, 4]),
        ("its process was killed by SIGKILL, twice", [5, 6]),
    ]
    assert "2 failed (runs 5, 6): its process was killed" in answer.stdout


def test_what_failed_is_tried_again_by_the_next_command(grid_file, hundred, out, report):
    grid = grid_file("kind = 'sums'\n[axes]\ndo = ['', 'die']")
    called(grid, hundred, "--out", out, fine=False)
    called(grid, hundred, "--out", out, fine=False)
    made = sorted((one["run"], one["attempt"]) for one in results(out))
    assert made == [(1, 1), (2, 2), (2, 2)]


def test_a_worker_killed_once_costs_nothing(grid_file, hundred, out, report):
    grid = grid_file("kind = 'sums'\nfixed.do = 'die once'\n[axes]\na = [1, 2, 3]")
    answer = called(grid, hundred, "--out", out, "--jobs", 1)
    assert "its process was killed by SIGKILL; it is tried once more" in answer.stderr
    assert report()["runs"]["done"] == 3


def test_a_bad_input_fails_its_own_runs_only(grid_file, hundred, out, tmp_path, report):
    (tmp_path / "bad").write_text("no number")
    grid = grid_file("kind = 'sums'\n[axes]\na = [1, 2]")
    answer = called(grid, hundred, tmp_path / "bad", "--out", out, fine=False)
    assert answer.exit_code == 1
    assert report()["runs"]["done"] == 2
    assert "invalid literal" in report()["failed"][0]["cause"]


def test_a_full_disk_is_named_and_what_was_kept_stays(grid_file, hundred, out, monkeypatch):
    files = FailingFiles(25, errno.ENOSPC, sticky=True)
    monkeypatch.setattr(command, "owned", partial(owned, files=files))

    def replace(path, content):
        if files.left <= 0:
            raise OSError(errno.ENOSPC, "no space", str(path))
        replace_file(path, content)

    monkeypatch.setattr(folder, "replace_file", replace)
    answer = called(grid_file(), hundred, "--out", out, fine=False)
    assert isinstance(answer.exception, StorageError)
    assert "results.jsonl: cannot be written: injected" in str(answer.exception)
    seen = look(out)
    assert 0 < len(seen.results) < 12
    assert seen.alive["phase"] == "stopped"
    assert seen.alive["cause"] == str(answer.exception)
    files.left = 1_000_000
    called(grid_file(), hundred, "--out", out)
    assert look(out).alive["phase"] == "finished"


def test_a_last_word_never_makes_what_is_told_longer(tmp_path, monkeypatch):
    with owned(tmp_path / "out", SystemClock()) as mine:
        mine.tell({"phase": "running"})
        before = (mine.path / folder.ALIVE).read_bytes()

        def replace(path, content):
            raise OSError(errno.ENOSPC, "no space", str(path))

        monkeypatch.setattr(folder, "replace_file", replace)
        mine.tell({"phase": "stopped", "cause": "x" * folder.ROOM_BYTES})
        assert (mine.path / folder.ALIVE).read_bytes() == before
        mine.tell({"phase": "stopped", "cause": "x"})
        after = (mine.path / folder.ALIVE).read_bytes()
        assert len(after) == len(before)
        assert json.loads(after) == {"phase": "stopped", "cause": "x"}


def test_more_runs_than_anybody_means_are_refused(grid_file, hundred, out):
    grid = grid_file("kind = 'sums'\ndraws = 10000\n[axes]\na = [1, 2]")
    answer = called(grid, hundred, "--out", out, fine=False)
    assert answer.exit_code == 2
    assert "20,000 runs are more than 10,000: --force makes them" in answer.stderr
    assert not out.exists()


def test_a_point_is_repeated_to_the_bit(grid_file, hundred, out):
    called(grid_file(), hundred, "--out", out)
    answer = called("repeat", out, 4)
    assert answer.stdout.count(": the same, ") == 2
    assert answer.stdout.startswith("run 4 (point 4, hundred, seed 1): the same")


def test_a_point_that_cannot_be_repeated_is_told(grid_file, hundred, out):
    called(grid_file(), hundred, "--out", out)
    lines = (out / "results.jsonl").read_text().replace("123.0", "122.0")
    (out / "results.jsonl").write_text(lines)
    answer = called("repeat", out, 4, fine=False)
    assert answer.exit_code == 5
    assert "ANOTHER: mean_wait_s is 124.0, was" in answer.stdout or "was 122.0" in answer.stdout
    hundred.write_text("7")
    assert "holds something else" in str(called("repeat", out, 4, fine=False).exception)
    assert "no run of point 9" in str(called("repeat", out, 9, fine=False).exception)


def test_settings_are_chosen_on_some_and_tried_on_others(grid_file, tmp_path, out, report):
    for name, text in (("fit-1", "100"), ("fit-2", "200"), ("rest", "300")):
        (tmp_path / name).write_text(text)
    grid = grid_file("""\
kind = "sums"
draws = 4
[axes]
a = [9, 5, 7, 1, 8, 6, 4, 2]
b = [20, 10]
[optimise]
minimise = "mean_wait_s"
subject_to = "mean_wait=1h"
fit = ["fit-1", "fit-2"]
report = ["rest"]
""")
    answer = called(grid, "--out", out)
    choice = report()["choice"]
    assert choice["settings"] == {"a": 1, "b": 10}
    assert choice["fit"]["inputs"] == ["fit-1", "fit-2"]
    assert choice["fit"]["runs"] < choice["fit"]["of_runs"] / 2
    assert choice["fit"]["sure"] == 1.0
    assert choice["report"]["inputs"] == ["rest"]
    assert choice["report"]["difference"] == -18.0
    assert choice["report"]["verdict"] == "lower"
    assert {one["point"] for one in results(out) if one["input"] == "rest"} == {1, 8}
    assert "Chosen on fit-1, fit-2: " in " ".join(answer.stdout.split())
    assert "Tried on rest: " in " ".join(answer.stdout.split())


def test_nothing_is_tried_on_what_it_was_chosen_on(grid_file, tmp_path, out):
    (tmp_path / "fit").write_text("100")
    (tmp_path / "same").write_text("100")
    grid = grid_file("""\
kind = "sums"
axes.a = [1, 2]
[optimise]
minimise = "mean_wait_s"
fit = ["fit"]
report = ["same"]
""")
    answer = called(grid, "--out", out, fine=False)
    assert "what was chosen on it cannot be tried on it" in str(answer.exception)
    answer = called(grid, tmp_path / "fit", "--out", out, fine=False)
    assert "none can be given besides" in str(answer.exception)


def test_bounds_that_no_point_keeps_are_told(grid_file, tmp_path, out, report):
    for name, text in (("fit", "100"), ("rest", "300")):
        (tmp_path / name).write_text(text)
    grid = grid_file("""\
kind = "sums"
axes.a = [1, 2]
[optimise]
minimise = "mean_wait_s"
subject_to = "mean_wait=10s"
method = "coordinate"
fit = ["fit"]
report = ["rest"]
""")
    answer = called(grid, "--out", out)
    assert report()["choice"]["fit"]["allowed"] is False
    assert "No point keeps to mean_wait=10s" in answer.stdout


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_that_is_ended_goes_on_where_it_was(grid_file, hundred, out, end, monkeypatch):
    grid = grid_file("kind = 'sums'\ndraws = 15\nfixed.do = 'sleep'\n[axes]\na = [1, 2]")
    with _begun(grid, hundred, "--out", out, "--jobs", "2") as process:
        _until(lambda: (out / "results.jsonl").exists() and len(results(out)) >= 2)
        running = called("status", out).stdout
        assert running.startswith("running, by 2 local processes\n["), running
        process.send_signal(end)
        assert process.wait(20) != 0
    kept = results(out)
    assert 2 <= len(kept) < 30
    told = json.loads(called("status", out, "--json", "--follow").stdout)
    assert told["phase"] == ("gone" if end == signal.SIGKILL else "stopped")
    assert (told["done"], told["total"]) == (len(kept), 30)
    monkeypatch.setenv("SUMS_HURRY", "1")
    answer = called("resume", out)
    if end == signal.SIGKILL:
        assert "under way when it was stopped, made again: run " in answer.stderr
    assert results(out)[: len(kept)] == kept
    assert sorted(one["run"] for one in results(out)) == list(range(1, 31))
    assert called("status", out).stdout.startswith("finished")


def test_workers_of_a_killed_sweep_end_with_it(grid_file, hundred, out):
    grid = grid_file("kind = 'sums'\ndraws = 50\nfixed.do = 'sleep'\n[axes]\na = [1, 2]")
    with _begun(grid, hundred, "--out", out, "--jobs", "2") as process:
        _until(lambda: (out / "results.jsonl").exists() and results(out))
        process.kill()
        process.wait(20)
        group = process.pid
    _until(lambda: not _alive(group))


def _alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


PROGRAM = """\
import runpy, sys
from verification.sweep import known
known.KINDS["sums"] = runpy.run_path(sys.argv[1])["Sums"]()
from verification.cli.sweep import sweep
sweep(sys.argv[2:])
"""


@contextmanager
def _begun(*arguments):
    """Run the command in a process group of its own."""
    house = Path(__file__).parents[3]
    given = [sys.executable, "-c", PROGRAM, str(Path(__file__).with_name("conftest.py"))]
    process = subprocess.Popen(
        [*given, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(house)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


def _until(true, within_s=60):
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_trace_is_swept_for_real(grid_file, out, report):
    grid = grid_file("""\
kind = "replay"
draws = 2
[fixed]
shake_s = 300
[axes]
policy = ["fcfs", "easy"]
procs = [100, 1000]
""")
    called(grid, TRACE, "--out", out)
    waits = {
        (one["settings"]["policy"], one["settings"]["procs"]): one["figures"]["mean_wait_s"]
        for one in report()["points"]
    }
    assert waits["easy", 100] < waits["fcfs", 100]
    assert waits["fcfs", 1000] < waits["fcfs", 100]
    assert called("repeat", out, 1).stdout.count("the same") == 2
    page = (out / "report.html").read_text()
    assert "kth-sp2-first-300.swf" in page and "<script" not in page
