"""The comparison of predicted with real changes, on a capture of three jobs."""

import gzip
import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from verification.measures import Ran

PROGRAM = Path(__file__).parents[2] / "bench" / "change_for_real.py"
BEGIN = 1_772_429_220


@pytest.fixture(scope="module")
def program():
    found = spec_from_file_location("change_for_real", PROGRAM)
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def capture(program, tmp_path):
    """One ran, a task of an array waits, one is cancelled, one kept back, one is a stranger."""
    (tmp_path / "meta.json").write_text(json.dumps({"start": BEGIN}))
    actions = [
        {"op": "submit", "key": key, "job": job, "rc": 0}
        for key, job in (("j1", "7"), ("j2", "8"), ("j3", "9"), ("j5", "10"))
    ]
    actions += [{"op": "submit", "key": "j4", "job": None, "rc": 1}]
    (tmp_path / "actions.jsonl").write_text("".join(f"{json.dumps(a)}\n" for a in actions))
    plan = [{"op": "submit", "key": "j1"}, {"op": "submit", "key": "j5", "begin": 600.0}]
    (tmp_path / "plan.jsonl").write_text("".join(f"{json.dumps(a)}\n" for a in plan))
    rows = [
        "JobID|Partition|QOS|Submit|Start|End",
        "7|batch|low|2026-03-02T05:27:00|2026-03-02T05:37:00|2026-03-02T06:00:00",
        "8_3|batch|low|2026-03-02T06:27:00|Unknown|Unknown",
        "8_[4-9]|batch|low|2026-03-02T06:27:00|Unknown|Unknown",
        "9|debug|low|2026-03-02T05:27:00|None|2026-03-02T05:28:00",
        "10|debug|low|2026-03-02T05:27:00|2026-03-02T05:40:00|2026-03-02T06:00:00",
        "1|batch|low|2026-03-02T05:00:00|2026-03-02T05:37:00|2026-03-02T06:00:00",
    ]
    with gzip.open(tmp_path / "sacct_jobs.psv.gz", "wt") as file:
        file.write("\n".join(rows) + "\n")
    return program.Capture(tmp_path)


def test_real_waits_are_cut_and_named_as_in_the_plan(capture):
    assert {key: wait for key, (wait, _) in capture.real(2.0).items()} == {
        "j1_": 600,
        "j2_3": 3600,
        "j3_": 60,
        "j5_": 180,
    }


def test_who_came_after_the_cut_does_not_count(capture):
    assert capture.real(0.5).keys() == {"j1_", "j3_", "j5_"}


def test_simulated_waits_are_cut_alike(capture):
    jobs = [Ran(id="7", submit_at=BEGIN, start_at=BEGIN + 9999, end_at=BEGIN + 10_000)]
    assert capture.cut(jobs, 1.0) == {"j1_": (3600, {})}


@pytest.mark.parametrize(
    ("before", "after", "luck", "how"),
    [
        pytest.param([10, 11, 12], [50, 51], 1.0, "by repeats and luck", id="far beyond both"),
        pytest.param([10, 50, 90], [60], 1.0, "by luck", id="the repeats differ as much"),
        pytest.param([10], [12], 5.0, "", id="no repeats, and luck does as much"),
        pytest.param([10, 11, 12], [10, 12], 1.0, "", id="none"),
    ],
)
def test_when_a_real_change_is_significant(program, before, after, luck, how):
    assert program.significance(before, after, luck) == how
