"""The service under load: answers per second beside a forecast of 10,000 jobs, and listeners.

    python tests/bench/service_load.py [--jobs 10000] [--seconds 10] [--listeners 2000]

Starts the daemon on a generated cluster, loopback only, and asks for single jobs over a few kept
connections, as fast as answers come: once while the worker computes, once while it rests. Prints
answers per second and how long they took, the processor time of the daemon per answer, which other
programs on the machine change little, how late looks were begun, memory, and what listeners cost.
Last the daemon is started again on its own recording, until the first answer: after an end in
order, and killed between recording a look and its first answer.
"""

import argparse
import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from predictor.clock import SystemClock
from predictor.domain import Observation, Snapshot
from predictor.domain.shift import shifted
from predictor.service.logs import write_logs_to_stderr
from predictor.service.means import USUAL
from predictor.service.running import run
from predictor.site import Site
from predictor.storage import open_for_reading

TICK = os.sysconf("SC_CLK_TCK")
LOOKS = "looks"
"""When looks began, a line each."""


class Drawn:
    """Gives the same cluster at every look, as of now."""

    def __init__(self, looks: Path, jobs: int, nodes: int) -> None:
        self._looks = looks
        self._size = jobs, nodes
        self._drawn: Snapshot | None = None

    def observe(self) -> Observation:
        """Look, and note when."""
        with self._looks.open("a") as looks:
            looks.write(f"{time.time()}\n")
        # Not before the first look: neither this nor drawing it is part of a start.
        from verification.bench.generated import generate
        from verification.bench.snapshots import snapshot

        self._drawn = drawn = self._drawn or snapshot(generate(*self._size))
        return Observation(snapshot=shifted(drawn, int(time.time()) - drawn.taken_at))


def serve(folder: Path, jobs: int, nodes: int, interval_s: int) -> None:
    """Be the daemon."""
    write_logs_to_stderr()
    site = Site.model_validate(
        {
            "policy": {"name": "easy"},
            "recording": {"path": str(folder / "recording")},
            "access": {"anonymous": "jobs"},
            "service": {"port": 0, "interval_s": interval_s, "force": True},
        }
    )
    run(
        site,
        reread=None,
        connect=lambda _site: Drawn(folder / LOOKS, jobs, nodes),
        means=USUAL,
        clock=SystemClock(),
        announce=lambda address: print(address, flush=True),
    )


class Daemon:
    """A daemon of its own, and what it costs."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder = folder
        own = [str(Path(__file__).resolve()), "--serve", str(folder)]
        more = [f"--{key}={getattr(options, key)}" for key in ("jobs", "nodes", "interval")]
        with (folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *own, *more], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        self.address = urlsplit(self.process.stdout.readline().strip())

    def connect(self) -> socket.socket:
        """Return a connection."""
        assert self.address.hostname
        assert self.address.port
        return socket.create_connection((self.address.hostname, self.address.port), timeout=30)

    def ask(self, path: str) -> tuple[int, bytes]:
        """Return status and body of one answer."""
        line = http.client.HTTPConnection(self.address.netloc, timeout=30)
        line.request("GET", path)
        answer = line.getresponse()
        found = answer.status, answer.read()
        line.close()
        return found

    def until(self, path: str, patience_s: float = 300) -> None:
        """Wait until that answers with 200."""
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            if self.ask(path)[0] == 200:
                return
            time.sleep(0.1)
        raise SystemExit((self.folder / "log").read_text())

    def cpu_s(self) -> float:
        """Return the processor time of the process that answers."""
        return cpu_s(self.process.pid)

    def worker(self) -> int:
        """Return the worker's process id."""
        for file in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            for pid in file.read_text().split():
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return int(pid)
        raise SystemExit("there is no worker")

    def busy(self, patience_s: float = 300) -> None:
        """Wait until the worker has computed for a while."""
        end, halves = time.monotonic() + patience_s, 0
        while halves < 3 and time.monotonic() < end:
            before_s = cpu_s(self.worker())
            time.sleep(0.5)
            halves = halves + 1 if cpu_s(self.worker()) - before_s > 0.1 else 0

    def end(self) -> None:
        """End it and wait for that."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def cpu_s(pid: int) -> float:
    """Return the processor time of a process."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICK


def resident_mb(pid: int) -> float:
    """Return the memory of a process, what it shares with others included."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def load(daemon: Daemon, jobs: int, seconds: float, lines: int) -> dict[str, float]:
    """Ask for one job after another over so many connections, each when it was answered."""
    poll, open_, begun = select.epoll(), {}, {}
    took: list[float] = []
    failed, asked = 0, 0

    def ask(line: socket.socket) -> None:
        nonlocal asked
        asked += 1
        path = f"/api/v1/clusters/generated/jobs/{1_000_000 + asked * 7 % jobs}"
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        begun[line.fileno()] = time.perf_counter()

    for _ in range(lines):
        line = daemon.connect()
        open_[line.fileno()] = (line, bytearray())
        poll.register(line.fileno(), select.EPOLLIN)
        ask(line)
    worker = daemon.worker()
    before_s, computed_s, start = daemon.cpu_s(), cpu_s(worker), time.perf_counter()
    while (now := time.perf_counter()) - start < seconds:
        for number, _ in poll.poll(1):
            line, got = open_[number]
            got += line.recv(65_536)
            head, found, body = got.partition(b"\r\n\r\n")
            if found and len(body) >= int(
                head.lower().partition(b"content-length: ")[2].split()[0]
            ):
                took.append(time.perf_counter() - begun[number])
                failed += not head.startswith(b"HTTP/1.1 200")
                got.clear()
                ask(line)
    spent_s, own_s = now - start, daemon.cpu_s() - before_s
    computed_s = cpu_s(worker) - computed_s
    for line, _ in open_.values():
        line.close()
    took.sort()
    return {
        "answers_per_s": round(len(took) / spent_s),
        "failed": failed,
        "median_ms": round(1_000 * median(took), 2),
        "p99_ms": round(1_000 * took[int(len(took) * 0.99)], 2),
        "max_ms": round(1_000 * took[-1], 2),
        "daemon_cpu_ms_per_answer": round(1_000 * own_s / len(took), 3),
        "daemon_cores": round(own_s / spent_s, 2),
        "worker_cores": round(computed_s / spent_s, 2),
    }


@contextmanager
def resting(pid: int) -> Iterator[None]:
    """Let a process stand still for a while."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def listen(daemon: Daemon, count: int) -> dict[str, float]:
    """Hold so many listeners until all heard of a result."""
    before_mb, before_s = resident_mb(daemon.process.pid), daemon.cpu_s()
    asked = b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    lines = []
    for _ in range(count):
        lines.append(daemon.connect())
        lines[-1].sendall(asked)
    heard = sum(b"200 OK" in line.recv(65_536) for line in lines)
    begun_mb, begun_s = resident_mb(daemon.process.pid), daemon.cpu_s()
    time.sleep(20)  # longer than a heartbeat
    held_cpu_s = daemon.cpu_s() - begun_s
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        daemon.ask("/healthz")
        took.append(time.perf_counter() - begun)
    alive = 0
    for line in lines:
        line.setblocking(False)
        try:
            alive += line.recv(1_000_000) != b""
        except BlockingIOError:
            alive += 1
        line.close()
    return {
        "listeners": heard,
        "held_for_20_s": alive,
        "kb_each": round((begun_mb - before_mb) * 1_024 / count, 1),
        "cpu_ms_to_begin_each": round(1_000 * (begun_s - before_s) / count, 2),
        "cores_while_held": round(held_cpu_s / 20, 3),
        "another_answer_ms": round(1_000 * max(took), 1),
    }


def lateness(daemon: Daemon, interval_s: int, since: float) -> dict[str, float]:
    """Return how far looks began from an interval after the one before."""
    looks = [float(line) for line in (daemon.folder / LOOKS).read_text().splitlines()]
    steps = [b - a for a, b in pairwise(looks) if a >= since]
    return {
        "intervals": len(steps),
        "furthest_off_s": round(max((abs(step - interval_s) for step in steps), default=-1), 3),
    }


def kill_unanswered(daemon: Daemon, patience_s: float = 300) -> bool:
    """Kill it once a look is recorded of which nothing was told; False: none was so in time."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        last_at, told_at = newest(daemon)
        if told_at is not None and last_at > told_at:
            daemon.process.kill()
            daemon.process.wait()
            last_at, told_at = newest(daemon)
            return last_at > told_at
        time.sleep(0.05)
    return False


def newest(daemon: Daemon) -> tuple[int, int | None]:
    """Return the instants of the newest snapshot that is recorded, and of the newest answers."""
    known = open_for_reading(daemon.folder / "recording").catalogue
    told = known.answers
    return max(known.snapshots), told[-1].entry.taken_at if told else None


def again(daemon: Daemon, options: argparse.Namespace) -> tuple[Daemon, float]:
    """Return the daemon started anew, and after how many seconds it answered for a job."""
    begun = time.perf_counter()
    new = Daemon(daemon.folder, options)
    new.until("/api/v1/clusters/generated/jobs/1000000")
    return new, time.perf_counter() - begun


def main() -> None:
    """Measure everything once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--interval", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--lines", type=int, default=16, help="connections that ask")
    parser.add_argument("--listeners", type=int, default=2_000)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.jobs, options.nodes, options.interval)
        return
    with tempfile.TemporaryDirectory(prefix="queuecast-load-") as folder:
        for name, figures in measured(Path(folder), options):
            print(json.dumps({name: figures}), flush=True)


def measured(folder: Path, options: argparse.Namespace) -> Iterator[tuple[str, object]]:
    """Yield all figures, each as soon as it is known."""
    yield "machine", {"cores": os.cpu_count(), "load": os.getloadavg()[0]}
    daemon = Daemon(folder, options)
    try:
        begun = time.perf_counter()
        daemon.until("/api/v1/clusters/generated/jobs/1000000")
        yield "first_answer_ever_s", round(time.perf_counter() - begun, 2)
        daemon.busy()
        since = time.time()
        yield "while_computing", load(daemon, options.jobs, options.seconds, options.lines)
        yield (
            "memory_mb",
            {
                "daemon": round(resident_mb(daemon.process.pid)),
                "worker": round(resident_mb(daemon.worker())),
            },
        )
        # Before the worker is stopped, which holds up the round that waits for it.
        yield "beat", lateness(daemon, options.interval, since)
        with resting(daemon.worker()):
            idle = load(daemon, options.jobs, min(5, options.seconds), options.lines)
        yield "while_resting", idle
        yield "listening", listen(daemon, options.listeners)
        daemon.end()
        daemon, took_s = again(daemon, options)
        yield "first_answer_from_a_recording_s", round(took_s, 2)
        daemon.busy()
        unanswered = kill_unanswered(daemon)
        daemon, took_s = again(daemon, options)
        told = {"seconds": round(took_s, 2), "look_without_answers": unanswered}
        yield "first_answer_after_a_kill", told
    finally:
        daemon.process.kill()
        daemon.process.wait()
    yield "machine", {"load": os.getloadavg()[0]}


if __name__ == "__main__":
    main()
