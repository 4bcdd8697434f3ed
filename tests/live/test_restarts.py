"""Slurm's controller is killed, replaced, or loses all it knew: no wrong empty queue is told."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
import requests
from live.cluster import Slurm, running, wait_until
from live.daemon import Daemon, serving
from live.failover import PROGRAMS, SPARE, start_spare, two_controllers
from live.layout import OVERLAPPING, Layout
from live.needs import needs

pytestmark = pytest.mark.live

JOBS = 12


@contextmanager
def watched(layout: Layout = OVERLAPPING) -> Iterator[tuple[Slurm, Daemon]]:
    """A Slurm whose held jobs the daemon has seen."""
    with running(layout) as slurm:
        for _ in range(JOBS):
            slurm.submit("-p", "cores", "-n", "1", "-t", "1", "--hold")
        # Who is submitted shortly before the controller is killed may really be forgotten.
        wait_until(partial(saved_since, slurm, time.time()), "a controller that has saved its jobs")
        with serving(slurm) as daemon:
            yield slurm, daemon


def saved_since(slurm: Slurm, instant: float) -> bool:
    """Return whether the controller has written down its jobs after that instant."""
    state = slurm.root / "state" / "job_state"
    return state.exists() and state.stat().st_mtime > instant


def told(daemon: Daemon) -> tuple[int, str]:
    """Return how many jobs are said to wait, and what keeps newer answers away."""
    cluster = requests.get(f"{daemon.url}/api/v1/clusters/live", timeout=5).json()
    waiting = sum(partition["pending"] for partition in cluster["partitions"])
    return waiting, (cluster["trouble"] or {"kind": ""})["kind"]


def kill(slurm: Slurm) -> None:
    os.killpg(slurm.daemons["slurmctld"].pid, signal.SIGKILL)
    slurm.daemons.pop("slurmctld").wait()


def seen_until(daemon: Daemon, holds: Callable[[], bool], what: str) -> list[tuple[int, str]]:
    """Return all that was told, in its order and each once, until something holds."""
    found = [told(daemon)]

    def look() -> bool:
        if (now := told(daemon)) != found[-1]:
            found.append(now)
        return holds()

    wait_until(look, what, 60)
    return found


def fresh_since(daemon: Daemon, instant: float) -> Callable[[], bool]:
    """Return whether a snapshot is told that was taken after that instant."""

    def holds() -> bool:
        age_s = daemon.answer()["age_seconds"]
        return daemon.ready() and time.time() - age_s > instant + 1

    return holds


def test_a_controller_killed_again_and_again():
    needs()
    with watched() as (slurm, daemon):
        for _ in range(3):
            kill(slurm)
            time.sleep(1)
            slurm.start_controller()
            seen = seen_until(daemon, fresh_since(daemon, time.time()), "a fresh answer")
            assert {waiting for waiting, _ in seen} == {JOBS}


def test_a_controller_that_comes_back_knowing_nothing_is_believed_at_the_second_look():
    needs()
    with watched() as (slurm, daemon):
        slurm.stop_controller()
        shutil.rmtree(slurm.root / "state")
        (slurm.root / "state").mkdir()
        shutil.chown(slurm.root / "state", "slurm")
        slurm.start_controller()
        seen = seen_until(daemon, lambda: told(daemon) == (0, ""), "an empty queue")
        doubted = seen.index((JOBS, "doubted"))
        assert {waiting for waiting, _ in seen[: doubted + 1]} == {JOBS}
        metrics = requests.get(f"{daemon.url}/metrics", timeout=5).text
        assert 'collector_errors_total{kind="doubted",source="slurm-cli"} 1.0' in metrics


def test_another_controller_takes_over():
    needs(*PROGRAMS)
    with watched(two_controllers()) as (slurm, daemon):
        start_spare(slurm)
        kill(slurm)
        seen = seen_until(daemon, fresh_since(daemon, time.time()), "an answer of the other one")
        assert {waiting for waiting, _ in seen} == {JOBS}
        assert f"{SPARE} is UP" in slurm.run("scontrol", "ping")
