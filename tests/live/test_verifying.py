"""`queuecast verify` and `sweep` spread over batch jobs of a real Slurm; needs the extra `dask`."""

import json

import pytest
from click.testing import CliRunner
from clusters import MINUTE, NOW, cluster, running, waiting
from live.cluster import running as running_slurm
from live.layout import FOUR_CORES, Layout
from live.needs import needs

from predictor.storage import open_for_writing
from verification.cli.sweep import sweep
from verification.cli.verify import verify

dask = pytest.importorskip("dask", reason="needs the extra dask")
pytest.importorskip("dask_jobqueue", reason="needs the extra dask: dask-jobqueue is missing")

pytestmark = [
    pytest.mark.live,
    # Dask's own event loops are closed when the interpreter ends, not before.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ONE_NODE = Layout(
    nodes={"n1": FOUR_CORES},
    partitions=("work Nodes=n1 Default=YES MaxTime=60",),
    settings=(
        "SelectType=select/cons_tres",
        "SelectTypeParameters=CR_Core",
        "SchedulerParameters=sched_interval=5",
    ),
)
JOB = {
    "queue": "work",
    "cores": 1,
    "processes": 1,
    "memory": "500MB",
    "walltime": "00:05:00",
    "interface": "lo",
    "death-timeout": 30,
}
"""What dask-jobqueue is told about a batch job."""


@pytest.fixture
def slurm(monkeypatch):
    """A Slurm of one node, to which this process submits."""
    needs("scancel")
    with running_slurm(ONE_NODE) as started:
        for name in ("SLURM_CONF", "PATH"):
            monkeypatch.setenv(name, started.environment[name])
        yield started


@pytest.fixture
def recording(tmp_path):
    """Ten minutes of a job that waits for another, and starts in the eighth."""
    with open_for_writing(tmp_path / "minutes") as writer:
        for minute in range(10):
            ahead, behind = running("1", "n1 n2", 10), waiting("2", 2, 10)
            now = NOW + minute * MINUTE
            shown = (ahead, behind) if minute < 8 else (running("2", "n1 n2", 10),)
            writer.append(cluster(2, *shown, taken_at=now))
    return tmp_path / "minutes"


def batch_jobs(slurm, folder):
    """Let dask-jobqueue be set up for this Slurm, as a site would in its own configuration."""
    places = {"log-directory": str(slurm.root / "spool"), "local-directory": str(folder)}
    jobqueue = {**dask.config.get("jobqueue.slurm"), **JOB, **places}
    return dask.config.set({"jobqueue.slurm": jobqueue})


def test_batch_jobs_find_the_same_as_this_machine(slurm, recording, tmp_path):
    def found(*where):
        arguments = [str(recording), "--mode", "online", "--json", "-", *where]
        answer = CliRunner().invoke(verify, arguments, catch_exceptions=False)
        assert answer.exit_code == 0, answer.output
        return answer.stdout

    with batch_jobs(slurm, tmp_path):
        assert found("--dask", "slurm", "--jobs", "1") == found("--jobs", "1")
    assert slurm.run("squeue", "-h", "-t", "all", "-o", "%j") == "dask-worker\n"


def test_a_sweep_by_batch_jobs_finds_the_same_as_this_machine(slurm, recording, tmp_path):
    grid = tmp_path / "grid.toml"
    grid.write_text("kind = 'trial'\ndraws = 2\n[axes]\nremove_nodes = ['', 'n1']\n")

    def found(name, *where):
        arguments = [str(grid), str(recording), "--out", str(tmp_path / name), *where]
        answer = CliRunner().invoke(sweep, arguments, catch_exceptions=False)
        assert answer.exit_code == 0, answer.output
        told = json.loads((tmp_path / name / "report.json").read_text())
        return {key: told[key] for key in ("points", "effects", "failed")}

    with batch_jobs(slurm, tmp_path):
        assert found("there", "--dask", "slurm", "--jobs", "1") == found("here", "--jobs", "1")
    assert "dask-worker" in slurm.run("squeue", "-h", "-t", "all", "-o", "%j")
