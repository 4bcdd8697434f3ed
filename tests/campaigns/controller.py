"""A real controller that is killed, restarted, frozen and taken over under a watching daemon.

    export PYTHONPATH=$PWD:$PWD/tests
    python tests/campaigns/controller.py restarts [--cases N] [--seconds N] [--seed N]

Needs root and Debian's Slurm, of which it runs one of its own, with emulated nodes and, where the
machine permits that, a second controller. Meanwhile jobs of hostile names are submitted, and
answers are asked for ten times a second: each is there, dated, stale when it is due, and tells of
all jobs that wait.
"""

import argparse
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import requests
from campaigns.findings import Findings, main, spread
from live.cluster import Slurm, running, wait_until
from live.daemon import Daemon, serving
from live.failover import APART, SPARE, start_spare, two_controllers
from live.layout import OVERLAPPING

JOBS = 12
"""Held ones, submitted and saved before anything happens."""
INTERVAL_S = 2
STALE_AFTER_S = 10
PATIENCE_S = 90
LOOKS_EVERY_S = 0.1
LONGEST_DOWN_S = 2.5
TAKE_OVER_ONE_IN = 5
HOSTILE = (
    "<script>alert(1)</script>",
    "\x1b[2J\x1b]0;owned\x07",
    "\u202eexe.boj",
    "$(touch /tmp/owned)`id`",
    "a|b|c=d JobId=1 JobState=RUNNING",
    "two\nlines\tand a tab",
    "=HYPERLINK(1)",
    "{{7*7}}%n%s",
    "../../etc/passwd",
    "ä€\U0001d54f" * 60,
    "\udcff\udcfe",
    "x" * 1000,
    "'; DROP TABLE job; --",
    "(null)",
)


@dataclass(slots=True)
class Watcher:
    """Asks the daemon again and again, and notes what is wrong with its answers."""

    daemon: Daemon
    findings: Findings
    over: threading.Event = field(default_factory=threading.Event)
    newest: dict[str, Any] = field(default_factory=dict)

    def watch(self) -> None:
        """Ask until it is over."""
        with requests.Session() as session:
            while not self.over.wait(LOOKS_EVERY_S):
                self.ask(session)

    def ask(self, session: requests.Session) -> None:
        """Ask once."""
        try:
            reply = session.get(f"{self.daemon.url}/api/v1/clusters/live", timeout=5)
        except requests.RequestException as error:
            self.findings.expect(False, f"no answer: {type(error).__name__}")
            return
        if reply.status_code != 200:
            self.findings.expect(False, f"an answer of status {reply.status_code}")
            return
        told = reply.json()
        told["waiting"] = sum(partition["pending"] for partition in told["partitions"])
        self.judge(told)
        self.newest = told

    def judge(self, told: dict[str, Any]) -> None:
        """Compare an answer with what it must be."""
        self.findings.count("answers")
        age_s = told["age_seconds"]
        self.findings.count("stale_answers", int(told["stale"]))
        self.findings.expect(bool(told["snapshot_at"]), "an answer without its instant")
        due = age_s > STALE_AFTER_S
        self.findings.expect(told["stale"] is due, f"{age_s} s old, stale: {told['stale']}")
        if told["waiting"] < JOBS:
            self.findings.count("wrong_answers")
            self.findings.expect(False, f"only {told['waiting']} of {JOBS} jobs are said to wait")


def kill(slurm: Slurm, name: str = "slurmctld") -> None:
    """Kill a controller; nobody gets a word in."""
    if (daemon := slurm.daemons.pop(name, None)) is not None:
        with suppress(ProcessLookupError):
            os.killpg(daemon.pid, signal.SIGKILL)
        daemon.wait()


def killed(slurm: Slurm, chance: random.Random) -> None:
    """Kill the controller, and start it after a while."""
    kill(slurm)
    time.sleep(chance.uniform(0, LONGEST_DOWN_S))
    slurm.start_controller()


def restarted(slurm: Slurm, chance: random.Random) -> None:
    """End it as one does, and start it again."""
    slurm.stop_controller()
    time.sleep(chance.uniform(0, LONGEST_DOWN_S))
    slurm.start_controller()


def gone(slurm: Slurm, chance: random.Random) -> None:
    """Leave it away for so long that answers become stale."""
    kill(slurm)
    time.sleep(STALE_AFTER_S + chance.uniform(1, 4))
    slurm.start_controller()


def frozen(slurm: Slurm, chance: random.Random) -> None:
    """Let it hang for a while, and be killed and started then."""
    slurm.freeze_controller()
    time.sleep(chance.uniform(0.5, 4))
    slurm.thaw_controller()
    killed(slurm, chance)


def killed_twice(slurm: Slurm, chance: random.Random) -> None:
    """Kill it while it is starting."""
    kill(slurm)
    slurm.spawn("slurmctld", "slurmctld", "-D", user="slurm")
    time.sleep(chance.uniform(0, 1))
    killed(slurm, chance)


def taken_over(slurm: Slurm, chance: random.Random) -> None:
    """Kill it, let the other one take over, and start it again."""
    if SPARE not in slurm.daemons:
        start_spare(slurm)
    kill(slurm)
    wait_until(lambda: slurm.succeeds("squeue", "-o", "%A"), "the other one in charge", 60)
    time.sleep(chance.uniform(0, LONGEST_DOWN_S))
    kill(slurm, SPARE)
    shutil.rmtree(slurm.root / SPARE, ignore_errors=True)
    slurm.start_controller()


def forgetful(slurm: Slurm, _chance: random.Random) -> None:
    """The fault to be found: it comes back knowing nothing, so that a wrong answer is given."""
    slurm.stop_controller()
    shutil.rmtree(slurm.root / "state")
    (slurm.root / "state").mkdir()
    shutil.chown(slurm.root / "state", "slurm")
    slurm.start_controller()
    time.sleep(8 * INTERVAL_S)


Incident = Callable[[Slurm, random.Random], None]
USUAL: tuple[Incident, ...] = (killed, killed, restarted, restarted, frozen, killed_twice, gone)


def has_second() -> bool:
    """Return whether two controllers can run here."""
    here = socket.gethostname().partition(".")[0]
    done = subprocess.run([*APART, "true"], check=False, capture_output=True)
    return done.returncode == 0 and socket.gethostbyname(here) == "127.0.0.1"


def restarts(options: argparse.Namespace, findings: Findings) -> None:
    """Let one thing after the other happen to the controller."""
    chance = random.Random(options.seed)  # noqa: S311
    layout = two_controllers() if has_second() else OVERLAPPING
    findings.figures |= {"incidents": 0, "wrong_answers": 0, "answers": 0, "names": 0}
    with running(layout) as slurm:
        for _ in range(JOBS):
            slurm.submit("-p", "cores", "-n", "1", "-t", "1", "--hold")
        saved = time.time()
        state = slurm.root / "state" / "job_state"
        wait_until(lambda: state.exists() and state.stat().st_mtime > saved, "the jobs saved", 30)
        with serving(slurm, interval_s=INTERVAL_S) as daemon:
            watcher = Watcher(daemon, findings)
            thread = threading.Thread(target=watcher.watch)
            begun, before = time.monotonic(), calls(daemon)
            thread.start()
            try:
                incidents(slurm, watcher, chance, options)
            finally:
                watcher.over.set()
                thread.join()
            minutes = (time.monotonic() - begun) / 60
            findings.figures["calls_per_minute"] = round((calls(daemon) - before) / minutes, 1)
            findings.figures["looks_per_minute"] = round(60 / INTERVAL_S, 1)


def incidents(
    slurm: Slurm, watcher: Watcher, chance: random.Random, options: argparse.Namespace
) -> None:
    """Let things happen until enough did; after each there must be a fresh and true answer."""
    findings, back_s = watcher.findings, []
    second = SPARE if len(slurm.layout.controllers) > 1 else ""
    while findings.figures["incidents"] < options.cases and time.monotonic() < options.until:
        number = findings.figures["incidents"]
        submit_hostile(slurm, number, findings)
        incident = chance.choice(USUAL)
        if second and number % TAKE_OVER_ONE_IN == TAKE_OVER_ONE_IN - 1:
            incident = taken_over
        if options.seeded_fault:
            incident = forgetful
        incident(slurm, chance)
        findings.count("incidents")
        findings.count(incident.__name__)
        back_s.append(come_back(slurm, watcher))
    findings.figures |= {f"fresh_after_{name}": s for name, s in spread(back_s).items()}


def submit_hostile(slurm: Slurm, number: int, findings: Findings) -> None:
    """Submit a held job with a name and a comment that nobody should trust."""
    name = HOSTILE[number % len(HOSTILE)]
    options = ("-p", "cores", "-n", "1", "-t", "1", "--hold", "-J", name, f"--comment={name}")
    with suppress(RuntimeError):  # some names it refuses itself
        slurm.submit(*options)
        findings.count("names")


def come_back(slurm: Slurm, watcher: Watcher) -> float:
    """Return how long it took, after the controller was back, to a fresh answer that is true."""
    begun, since = time.monotonic(), time.time()

    def is_told() -> bool:
        told = watcher.newest
        return bool(told) and not told["stale"] and taken_at(told) > since

    try:
        wait_until(is_told, "a fresh answer", PATIENCE_S, every=0.05)
    except TimeoutError:
        watcher.findings.expect(False, f"no fresh answer: {watcher.newest.get('trouble')}")
        return PATIENCE_S
    took_s = time.monotonic() - begun
    waiting = len(re.findall(r"^\d", slurm.run("squeue", "-h", "-t", "PD", "-o", "%A"), re.M))
    told = watcher.newest["waiting"]
    watcher.findings.expect(told == waiting, f"{told} jobs are told of, {waiting} wait")
    return took_s


def taken_at(told: dict[str, Any]) -> float:
    """Return of which instant an answer is."""
    return datetime.fromisoformat(told["snapshot_at"]).timestamp()


def calls(daemon: Daemon) -> float:
    """Return how many questions were put to the batch system so far."""
    text = requests.get(f"{daemon.url}/metrics", timeout=5).text
    found = re.findall(r"^queuecast_collector_calls_total\{.*\} (\S+)$", text, re.M)
    return sum(float(each) for each in found)


if __name__ == "__main__":
    sys.exit(main({"restarts": restarts}))
