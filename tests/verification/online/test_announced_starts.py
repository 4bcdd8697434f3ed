"""The batch system's own estimates, judged by a second opinion that reads its raw answers.

Four minutes of a real Slurm: each pair of a snapshot and a waiting record counts once, an array's
record by the next of its tasks to start.
"""

import csv
import gzip
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import zstandard

from collectors.capture import Capture
from predictor.storage import open_for_writing
from verification.judging.assembling import cases_of
from verification.online.batch import Announced
from verification.parallel import Processes
from verification.recorded import read_recording

MINUTES = Path(__file__).parents[2] / "recorded" / "slurm-22.05" / "minutes"


def instant(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def real_starts():
    """Return when jobs started by accounting, by id."""
    with gzip.open(MINUTES / "sacct_jobs.psv.gz", "rt") as file:
        rows = list(csv.DictReader(file, delimiter="|"))
    return {
        row["JobID"]: instant(row["Start"])
        for row in rows
        if row["Start"] != "Unknown" and row["NodeList"] != "None assigned"
    }


def raw_pairs():
    """Yield the announced and the real start of every waiting record of every minute."""
    starts = real_starts()
    for job, at in waiting_records():
        own = [starts[id_] for id_ in ids(job) if starts.get(id_, 0) >= at - 1]
        yield job["start_time"] or None, min(own, default=None)


def waiting_records():
    with (MINUTES / "snapshots.jsonl.zst").open("rb") as packed:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed))
        for answer in map(json.loads, lines):
            if answer["cmd"] == "squeue_json":
                for job in json.loads(answer["out"])["jobs"]:
                    if job["job_state"] == "PENDING":
                        yield job, int(answer["t"])


def ids(job):
    base, numbers = job["array_job_id"], job["array_task_string"]
    if not base:
        return [str(job["job_id"])]
    if not numbers:
        return [f"{base}_{job['array_task_id']}"]
    found = []
    for part in re.sub(r"%\d+$", "", numbers).split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return [f"{base}_{number}" for number in found]


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    folder = tmp_path_factory.mktemp("minutes") / "recording"
    capture = Capture(MINUTES)
    with open_for_writing(folder) as writer:
        for seen in capture.observations():
            writer.append(seen.snapshot)
        writer.add_outcomes(capture.outcomes())
    return read_recording(folder, Processes(1), lambda label, done, total: None).history


def test_each_record_has_the_estimate_and_the_start_that_the_raw_answers_tell(history):
    slurm = Announced()
    found = [
        (case.said["slurm"].likely_at, case.started_at)
        for number, snapshot in enumerate(history.snapshots)
        for case in cases_of(history, number, {"slurm": slurm.say(snapshot)})
        if case.leads
    ]
    raw = list(raw_pairs())
    assert len(found) == len(raw) > 400
    assert sorted(found, key=str) == sorted(raw, key=str)


def test_its_error_and_silence_over_records_are_those_of_the_raw_answers(history):
    raw = [(said, real) for said, real in raw_pairs() if real is not None]
    off_s = [abs(real - said) for said, real in raw if said is not None]
    slurm = Announced()
    led = [
        case
        for number, snapshot in enumerate(history.snapshots)
        for case in cases_of(history, number, {"slurm": slurm.say(snapshot)})
        if case.leads and case.started_at is not None
    ]
    told = [case for case in led if case.said["slurm"].answered]
    assert len(told) / len(led) == pytest.approx(len(off_s) / len(raw))
    mine_s = [abs(case.started_at - case.said["slurm"].likely_at) for case in told]
    assert sum(mine_s) / len(mine_s) == pytest.approx(sum(off_s) / len(off_s))
