"""A replay written as a trace of the Standard Workload Format, while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from pathlib import Path
from typing import IO

from verification.experiments.course import Running
from verification.experiments.jobs import Job
from verification.experiments.machine import Machine


class Written:
    """Writes jobs that are over in order of submission, each as soon as all before it are known.

    Lines wait in memory for the jobs submitted before them, so for as long as the longest wait.
    What cannot be written becomes a `fault`, and the replay goes on.
    """

    def __init__(
        self, unfinished: Path, machine: Machine, note: str, origin_at: int | None
    ) -> None:
        """`origin_at`: what second 0 is in UTC epoch seconds; None: unknown."""
        self.fault = ""
        """Why the file is not whole, as a clause; empty: nothing went wrong so far."""
        self._unfinished = unfinished
        self._early: list[tuple[int, str]] = []
        self._due = 0
        self._file: IO[str] | None = None
        with self._guarded():
            self._file = unfinished.open("w", encoding="ascii", errors="replace")
        self._write(
            f"; Version: 2.2\n; Computer: {machine.name}\n; Note: {note}\n"
            f"; MaxNodes: {machine.nodes}\n; MaxProcs: {machine.cores}\n"
            + (f"; UnixStartTime: {origin_at}\n" if origin_at is not None else "")
        )

    def refused(self, rank: int) -> None:
        """Expect no line of a job."""
        self._take(rank, "")

    def ended(self, rank: int, running: Running) -> None:
        """Write a job that is over, at the latest when all before it are."""
        job = running.queued.job
        wait_s, run_s = running.start_s - job.submit_s, running.end_s - running.start_s
        self._take(rank, _line(job, wait_s, run_s))

    def close(self, path: Path) -> None:
        """Put the file in its place, unless something went wrong."""
        with self._guarded():
            if self._file is not None:
                self._file.close()
        if not self.fault:
            with self._guarded():
                self._unfinished.replace(path)

    def _take(self, rank: int, line: str) -> None:
        if self.fault:
            return
        heappush(self._early, (rank, line))
        while self._early and self._early[0][0] == self._due:
            self._write(heappop(self._early)[1])
            self._due += 1

    def _write(self, text: str) -> None:
        if self._file is not None and not self.fault:
            with self._guarded():
                self._file.write(text)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.fault = error.strerror or str(error)
            self._early.clear()


def _line(job: Job, wait_s: int, run_s: int) -> str:
    return (
        f"{job.number} {job.submit_s} {wait_s} {run_s} {job.procs} -1 -1 {job.procs} {job.limit_s} "
        f"{job.memory_kib} {job.status} {job.user} {job.group} {job.executable} {job.queue} "
        f"{job.partition} -1 -1\n"
    )
