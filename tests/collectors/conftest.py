"""Recorded answers, and ways to put them together."""

import json
from pathlib import Path

import pytest

from collectors.slurm.assemble import assemble
from collectors.slurm.objects.jobs import parse_jobs
from collectors.slurm.questions import Answers
from collectors.slurm.surroundings import Surroundings

RECORDED = Path(__file__).parents[1] / "recorded"
FILES = {
    "squeue_json": "squeue.json",
    "sinfo_json": "sinfo.json",
    "reservations": "reservations.txt",
    "sprio": "sprio.txt",
    "sshare": "sshare.txt",
    "sdiag": "sdiag.txt",
    "config": "config.txt",
    "nodes_text": "nodes_text.txt",
    "partitions": "partitions.txt",
    "qos": "qos.txt",
    "assoc": "assoc.txt",
    "assoc_mgr": "assoc_mgr.txt",
    "licenses": "licenses.txt",
    "topology": "topology.txt",
    "switches": "switches.txt",
}
WRITTEN_AT = {"22.05": 1795206017, "26.05": 1795206101}


@pytest.fixture
def recorded():
    """Where the recorded answers lie."""
    return RECORDED


@pytest.fixture
def answers():
    """Return the recorded answers of a version, some replaced; None leaves one out."""

    def answers(version, **changed):
        folder = RECORDED / f"slurm-{version}" / "cluster"
        printed = {name: (folder / file).read_text() for name, file in FILES.items()} | changed
        return Answers(printed={name: text for name, text in printed.items() if text is not None})

    return answers


@pytest.fixture
def snapshot(answers):
    """Return the snapshot of a version's recorded answers."""

    def snapshot(version, account="root", **changed):
        return assemble(
            answers(version, **changed),
            taken_at=WRITTEN_AT[version],
            source="test",
            account=account,
        )

    return snapshot


@pytest.fixture
def a_job(recorded):
    """Return the one job of an answer of 22.05 whose record has these values."""
    text = (recorded / "slurm-22.05" / "cluster" / "squeue.json").read_text()
    plain = next(job for job in json.loads(text)["jobs"] if job["job_id"] == 16)

    def a_job(taken_at=WRITTEN_AT["22.05"], **values):
        answer = json.dumps({"errors": [], "jobs": [plain | values]})
        jobs, bad = parse_jobs(answer, Surroundings(taken_at=taken_at))
        assert not bad
        (job,) = (*jobs.pending, *jobs.running, *jobs.finished)
        return job

    return a_job


@pytest.fixture
def pyslurm(monkeypatch, tmp_path):
    """Put a pyslurm before whoever imports it, which tells what was recorded of a version."""
    told = tmp_path / "pyslurm.json"
    monkeypatch.setenv("FAKE_PYSLURM", str(told))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "fake_pyslurm"))

    def pyslurm(series, **settings):
        recorded = str(RECORDED / f"slurm-{series}" / "pyslurm.json")
        told.write_text(json.dumps({"recorded": recorded} | settings))

    return pyslurm
