"""The process that forecasts is killed, stopped, spins or devours memory: answers stay up, dated.

It is replaced; until then the last answer stands, and is called stale as soon as it is. The daemon
is that of `tests/faulty_service.py`, with a second of CPU time and 512 MiB for a forecast.
"""

import argparse
import http.client
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from campaigns.findings import Findings, spread
from faulty_daemon import FaultyDaemon

BOUNDS = "1 512"
"""CPU seconds, MiB: so that a call may take 12 s."""
UNBOUNDED = "100 512"
"""The fault to be found: a worker that hangs is not replaced in time."""
STALE_AFTER_S = 2
PATIENCE_S = 120
SLOWEST_ANSWER_S = 2.0
LARGEST_MB = 400
"""Neither daemon nor worker may be larger, in memory that is really there."""
FAULTS = ("kill", "stop", "spin", "devour")


class Watched(FaultyDaemon):
    """A daemon whose worker may use little."""

    def cluster(self) -> dict[str, Any] | None:
        """Return what is told of the cluster; None: nothing yet, or not in time."""
        line = http.client.HTTPConnection(
            self.address.hostname or "", self.address.port, timeout=SLOWEST_ANSWER_S
        )
        try:
            line.request("GET", "/api/v1/clusters")
            found = json.loads(line.getresponse().read()).get("clusters")
            return found[0] if found else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

    def memory_mb(self) -> int:
        """Return how much the larger one of the two processes holds."""
        found = [0]
        for pid in (self.process.pid, self.worker()):
            with suppress(OSError, AttributeError):
                status = Path(f"/proc/{pid}/status").read_text()
                found.append(int(status.partition("VmRSS:")[2].split()[0]) // 1024)
        return max(found)


@contextmanager
def watched(bounds: str) -> Iterator[Watched]:
    """Give a daemon that has answered, with such bounds for its worker."""
    with tempfile.TemporaryDirectory() as folder:
        daemon = Watched(Path(folder), bounds=bounds)
        try:
            until(lambda: daemon.cluster() is not None)
            yield daemon
        finally:
            last = daemon.worker()
            daemon.kill()
            # Before its files may go: it ends by itself once it is done, and writes until then.
            until(lambda: last is None or not Path(f"/proc/{last}").exists())


def worker_faults(options: argparse.Namespace, findings: Findings) -> None:
    """Do it to the worker again and again."""
    chance = random.Random(options.seed)  # noqa: S311
    took: dict[str, list[float]] = {fault: [] for fault in FAULTS}
    findings.figures |= {"faults": 0, "answers": 0, "largest_mb": 0}
    with watched(UNBOUNDED if options.seeded_fault else BOUNDS) as daemon:
        while findings.figures["faults"] < options.cases and time.monotonic() < options.until:
            fault = FAULTS[findings.figures["faults"] % len(FAULTS)]
            time.sleep(chance.uniform(0, 1.5))
            took[fault].append(suffer(daemon, fault, findings))
            findings.count("faults")
    for fault, durations in took.items():
        figures = spread(durations)
        findings.figures |= {f"{fault}_{name}": value for name, value in figures.items()}


def suffer(daemon: Watched, fault: str, findings: Findings) -> float:
    """Return how long it took until another worker had brought a fresh answer."""
    victim, begun_at = daemon.worker(), time.time()
    begun = time.monotonic()
    if fault in ("kill", "stop") and victim is not None:
        os.kill(victim, signal.SIGKILL if fault == "kill" else signal.SIGSTOP)
    elif fault in ("spin", "devour"):
        daemon.say(predict=fault)
        watch(daemon, lambda _: time.monotonic() > begun + 1.5, findings)
        daemon.say(predict="fine")

    def mended(told: dict[str, Any]) -> bool:
        other = fault == "devour" or daemon.worker() not in (None, victim)
        return other and taken_at(told) > begun_at

    good = watch(daemon, mended, findings)
    findings.expect(good, f"{fault}: not mended within {PATIENCE_S} s")
    return time.monotonic() - begun


def watch(daemon: Watched, over: Callable[[dict[str, Any]], bool], findings: Findings) -> bool:
    """Ask until it is over: each answer is there in time, dated, and stale when it is."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        told, now = daemon.cluster(), time.time()
        findings.expect(told is not None, "no answer in time")
        if told is not None:
            findings.count("answers")
            age_s = told["age_seconds"]
            findings.expect(abs(now - taken_at(told) - age_s) < 3, f"an age of {age_s} s is wrong")
            late = age_s > STALE_AFTER_S + 1
            findings.expect(told["stale"] or not late, f"{age_s} s old and not stale")
            if over(told):
                return True
        largest = max(findings.figures["largest_mb"], daemon.memory_mb())
        findings.figures["largest_mb"] = largest
        findings.expect(largest < LARGEST_MB, f"{largest} MB are used")
        time.sleep(0.1)
    return False


def taken_at(told: dict[str, Any]) -> float:
    """Return of which instant an answer is."""
    return datetime.fromisoformat(told["snapshot_at"]).timestamp()


def until(holds: Callable[[], bool]) -> None:
    """Return once it holds. Raises TimeoutError."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.1)
