"""Slurm's controller goes away and comes back: the daemon stays up and says what it knows."""

import pytest
from live.cluster import Slurm, wait_until

from predictor.cli.exits import DONE, FAILED, STALE

pytestmark = pytest.mark.live


@pytest.mark.parametrize(
    ("halt", "resume"),
    [
        pytest.param(Slurm.stop_controller, Slurm.start_controller, id="gone"),
        pytest.param(Slurm.freeze_controller, Slurm.thaw_controller, id="hanging"),
    ],
)
def test_the_last_answer_stands_and_is_called_stale(slurm, daemon, halt, resume):
    job = slurm.submit("-p", "cores", "-n", "1", "-t", "1", "--begin=now+3600")
    wait_until(lambda: daemon.ready() and job in foretold(daemon), "a start")
    halt(slurm)
    try:
        wait_until(lambda: daemon.answer()["stale"], "a stale answer")
        assert job in foretold(daemon)
        assert not daemon.ready()
        when = daemon.run("when", "--url", daemon.url, "-j", job)
        assert (when.returncode, "stale" in when.stderr) == (STALE, True)
        doctor = daemon.run("doctor")
        assert doctor.returncode == FAILED
        assert "squeue" in doctor.stdout
    finally:
        resume(slurm)
    wait_until(daemon.ready, "a fresh answer", 60)


def test_doctor_tells_an_ordinary_user_what_is_hidden(slurm, daemon):
    doctor = daemon.run("doctor")
    assert doctor.returncode == DONE
    assert "nobody" in doctor.stdout
    assert "hidden    associations" in doctor.stdout


def foretold(daemon) -> set[str]:
    return {job["job_id"] for job in daemon.answer()["jobs"] if job["likely_start"]}
