"""The jobs of a trace as far as workloads are concerned."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from predictor.domain.durations import DAY_S
from predictor.errors import DocumentError
from verification.traces.swf import Trace, read

FIELDS: Final = (
    "submit_s",
    "run_s",
    "allocated_procs",
    "requested_procs",
    "requested_s",
    "user",
    "queue",
    "partition",
    "requested_memory_kib",
)
"""The fields of a trace that are looked at."""


class Seen(NamedTuple):
    """A job of a trace; -1 stands for what the trace does not say, as there."""

    submit_s: int
    run_s: int
    procs: int
    limit_s: int
    user: int
    queue: int
    partition: int
    memory_kib: int
    """Per processor, as asked for."""

    def kind(self) -> tuple[int, int, int, int, int]:
        """Return what jobs of one habit have in common."""
        return self.procs, self.limit_s, self.queue, self.partition, self.memory_kib


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Jobs by submit time, at least one."""

    name: str
    jobs: Sequence[Seen]
    procs: int
    """Of the machine; of an unknown one as many as the widest job has."""
    begins_at: int
    """What second 0 of the trace is, in UTC epoch seconds; 0 where nobody knows."""
    time_zone_s: int
    """So many seconds the site's clocks are ahead of UTC."""

    @property
    def local_at(self) -> int:
        """What second 0 is on the site's clocks."""
        return self.begins_at + self.time_zone_s

    @property
    def days(self) -> float:
        """From the first submission to the last."""
        return (self.jobs[-1].submit_s - self.jobs[0].submit_s) / DAY_S


def read_workload(path: Path) -> Workload:
    """Read a trace; jobs without submit time, run time or size are left out, as in replays.

    Raises DocumentError if it cannot be read, or no job is left.
    """
    return workload_of(read(path, FIELDS))


def workload_of(trace: Trace) -> Workload:
    """Return the jobs of a trace that was read with `FIELDS`; see `read_workload`."""
    jobs = sorted(_seen(trace.columns))
    if not jobs:
        count = len(trace.columns["submit_s"])
        cause = f"no job to look at: {count} without submit time, run time or size"
        raise DocumentError(cause, place=str(trace.path))
    header = trace.header
    return Workload(
        name=trace.path.name,
        jobs=jobs,
        procs=max(header.max_procs or 0, max(job.procs for job in jobs)),
        begins_at=header.unix_start_time or 0,
        time_zone_s=header.time_zone_s or 0,
    )


def _seen(columns: Mapping[str, Sequence[int]]) -> Iterable[Seen]:
    for row in zip(*(columns[name] for name in FIELDS), strict=True):
        submit_s, run_s, got, asked, limit_s, user, queue, partition, memory_kib = row
        procs = asked if asked > 0 else got
        if submit_s >= 0 and run_s > 0 and procs > 0:
            limit = limit_s if limit_s > 0 else -1
            memory = memory_kib if memory_kib > 0 else -1
            yield Seen(submit_s, run_s, procs, limit, user, queue, partition, memory)
