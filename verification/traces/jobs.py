"""The jobs of a trace that can be replayed, normalised so that simulators see the same ones."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from predictor.errors import DocumentError
from verification.traces.sieve import Sieve
from verification.traces.swf import Trace

NEEDED: Final = (
    "number",
    "submit_s",
    "run_s",
    "allocated_procs",
    "requested_procs",
    "requested_s",
)
"""The fields of a trace that decide a replay."""
MOST_SUM: Final = 1 << 62
COLUMNS: Final = ("numbers", "submits", "runs", "procs", "limits")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Jobs:
    """Read-only columns of whole numbers (`q`), one row per job, by time of submission."""

    numbers: memoryview
    """As the trace counts its jobs."""
    submits: memoryview
    """Seconds from the first submission."""
    runs: memoryview
    """Seconds, at least 1."""
    procs: memoryview
    """At least 1 and not more than the machine has."""
    limits: memoryview
    """Seconds, no less than the run time, so that nobody is stopped."""
    machine: int
    """Processors of the machine."""
    incomplete: int = 0
    """So many were left out: submit time, run time or size are unknown or not positive."""
    too_wide: int = 0
    """So many were refused: they ask for more processors than the machine has."""

    def __len__(self) -> int:
        return len(self.submits)

    def first(self, count: int) -> "Jobs":
        """Return only the `count` jobs that were submitted first."""
        return replace(
            self,
            numbers=self.numbers[:count],
            submits=self.submits[:count],
            runs=self.runs[:count],
            procs=self.procs[:count],
            limits=self.limits[:count],
        )


def normalise(trace: Trace, machine: int) -> Jobs:
    """Return the jobs of `trace` that a machine of so many processors can run.

    The rules take away what simulators treat differently: a job without submit time, run time or
    size is left out; size is the requested number of processors, or the allocated one where none
    was requested; the time limit is the requested time, or the run time where that is longer; the
    first submission is second 0; jobs submitted at the same time keep their order in the file.
    Raises DocumentError, naming the file, if the jobs last so long that 64 bits cannot hold sums.
    """
    given = trace.columns
    sieve = Sieve(len(given["number"]))
    sieve.shake(
        given["number"],
        given["submit_s"],
        given["run_s"],
        given["allocated_procs"],
        given["requested_procs"],
        given["requested_s"],
        machine,
    )
    if sieve.seconds * max(sieve.kept, machine) > MOST_SUM:
        raise DocumentError("its jobs last too long to add up", place=str(trace.path))
    columns = [memoryview(getattr(sieve, name))[: sieve.kept] for name in COLUMNS]
    if not sieve.ordered:
        columns = _sorted_by(columns[COLUMNS.index("submits")], columns)
    return Jobs(
        **{name: column.toreadonly() for name, column in zip(COLUMNS, columns, strict=True)},
        machine=machine,
        incomplete=sieve.incomplete,
        too_wide=sieve.too_wide,
    )


def _sorted_by(keys: memoryview, columns: Sequence[memoryview]) -> list[memoryview]:
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return [memoryview(array("q", map(column.__getitem__, order))) for column in columns]
