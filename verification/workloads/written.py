"""Generated jobs as a trace."""

import gzip
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, takewhile
from pathlib import Path
from typing import BinaryIO, cast

from predictor.domain.durations import DAY_S
from predictor.swf import Header, header_lines, line_of
from verification.workloads.generate import Job

COMPLETED = 1
"""The status of a job that ended by itself."""


def some(jobs: Iterable[Job], count: int | None, days: int | None) -> Iterator[Job]:
    """Return at most `count` jobs, of at most so many days; None: as many as there are."""
    if days is not None:
        jobs = takewhile(lambda job: job.submit_s < days * DAY_S, jobs)
    return islice(jobs, count)


def write_trace(path: Path, jobs: Iterable[Job], header: Header, remarks: Mapping[str, str]) -> int:
    """Write jobs as they come, compressed if the name ends in `.gz`; return how many.

    Raises OSError with the file's name.
    """
    try:
        with path.open("wb") as raw, _content(raw, path) as file:
            file.write(header_lines(header, remarks))
            number = 0
            for number, job in enumerate(jobs, start=1):
                file.write(_line(number, job))
            return number
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _content(raw: BinaryIO, path: Path) -> BinaryIO:
    if path.suffix != ".gz":
        return raw
    # Without a name and a time in it, the same jobs are the same bytes.
    return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=raw, mtime=0))


def _line(number: int, job: Job) -> bytes:
    return line_of(
        {
            "number": number,
            "submit_s": job.submit_s,
            "run_s": job.run_s,
            "allocated_procs": job.procs,
            "requested_procs": job.procs,
            "requested_s": job.limit_s,
            "requested_memory_kib": job.memory_kib,
            "status": COMPLETED,
            "user": job.user,
            "executable": job.executable,
            "queue": job.queue,
            "partition": job.partition,
        }
    )
