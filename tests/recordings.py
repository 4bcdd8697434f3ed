"""Snapshots to record, a clock to turn by hand, and disks that fail."""

import errno

from predictor.domain import (
    FinishedJob,
    JobSpec,
    Outcome,
    PendingJob,
    Provenance,
    Request,
    Snapshot,
    Untrusted,
)
from predictor.storage.files import Files, OsFiles

START = 1_700_000_000


class HandClock:
    """Stands still until it is moved."""

    def __init__(self, at=START):
        self.at = float(at)

    def now(self):
        return self.at

    def monotonic(self):
        return self.at

    def sleep(self, seconds):
        self.at += seconds


CALLS = frozenset(
    name
    for name, call in vars(Files).items()
    if callable(call) and name != "close" and not name.startswith("_")
)


class FailingFiles(OsFiles):
    """The real files, but the n-th call fails; `sticky`: and all that change something after it.

    `fault` is an errno, or "short": a write that takes half of the bytes and then refuses.
    `counted` names the calls that may fail.
    """

    def __init__(self, n, fault=errno.EIO, *, sticky=False, counted=CALLS):
        self.left = n
        self.fault = fault
        self.sticky = sticky
        self.counted = counted
        self.fired = False

    def _due(self, name):
        if name not in self.counted:
            return False
        self.left -= 1
        due = self.left == 0 or (self.sticky and self.left < 0)
        self.fired |= due
        return due

    def _strike(self, name):
        if self._due(name):
            raise OSError(errno.ENOSPC if self.fault == "short" else self.fault, "injected")

    def write(self, descriptor, data):
        if self._due("write"):
            if self.fault == "short" and len(data) > 1:
                self.left = 1
                return super().write(descriptor, data[: len(data) // 2])
            raise OSError(errno.ENOSPC if self.fault == "short" else self.fault, "injected")
        return super().write(descriptor, data)


def _failing(name):
    def call(self, *arguments):
        self._strike(name)
        return getattr(OsFiles, name)(self, *arguments)

    return call


for _name in CALLS - {"write"}:
    setattr(FailingFiles, _name, _failing(_name))


def spec(job_id, **given):
    return JobSpec(
        id=job_id,
        user="ada",
        request=Request(nodes=1, cpus=4, limit_s=3600),
        partitions=("batch",),
        submitted_at=START - 60,
        name=Untrusted(f"job <{job_id}>"),
        **given,
    )


def snapshot(at, *, cluster="larch", jobs=12, source="test"):
    """A snapshot whose queue moves on with time, as real ones do."""
    first = (at - START) // 120
    return Snapshot(
        cluster=cluster,
        taken_at=at,
        provenance=Provenance(source=source),
        pending=tuple(
            PendingJob(spec=spec(str(1000 + first + i), priority=10_000 + at % 977 + i))
            for i in range(jobs)
        ),
    )


def ended(job_id, at=START):
    return FinishedJob(spec=spec(job_id), ended_at=at, outcome=Outcome.COMPLETED)
