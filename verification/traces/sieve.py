"""Pick the jobs of a trace that can be replayed: the inner loop of normalisation."""

from array import array
from collections.abc import Sequence

MOST_SECONDS = 1 << 60


class Sieve:
    """Takes the columns of a trace; has columns of the jobs that pass and counts of the others."""

    def __init__(self, jobs: int) -> None:
        self.numbers = array("q", bytes(8 * jobs))
        self.submits = array("q", bytes(8 * jobs))
        self.runs = array("q", bytes(8 * jobs))
        self.procs = array("q", bytes(8 * jobs))
        self.limits = array("q", bytes(8 * jobs))
        self.kept = 0
        self.incomplete = 0
        self.too_wide = 0
        self.ordered = 1
        self.seconds = 0

    def shake(
        self,
        numbers: Sequence[int],
        submits: Sequence[int],
        runs: Sequence[int],
        allocated: Sequence[int],
        requested: Sequence[int],
        limits: Sequence[int],
        machine: int,
    ) -> None:
        """Keep the jobs with a submit time, a run time and a size that the machine has.

        Submissions are then counted from the first. `ordered` tells whether they were in order,
        `seconds` by when all jobs have run even one after the other, or some 1 << 60 at the most.
        """
        first = 0
        last = 0
        latest = 0
        for row in range(len(numbers)):
            procs = requested[row] if requested[row] > 0 else allocated[row]
            if procs <= 0 or runs[row] <= 0 or submits[row] < 0:
                self.incomplete += 1
            elif procs > machine:
                self.too_wide += 1
            else:
                if submits[row] < last:
                    self.ordered = 0
                last = submits[row]
                self.numbers[self.kept] = numbers[row]
                self.submits[self.kept] = submits[row]
                self.runs[self.kept] = runs[row]
                self.procs[self.kept] = procs
                self.limits[self.kept] = max(limits[row], runs[row])
                latest = max(latest, last)
                if self.seconds < MOST_SECONDS:
                    self.seconds += self.limits[self.kept]
                first = last if self.kept == 0 else min(first, last)
                self.kept += 1
        self.seconds += latest - first
        for row in range(self.kept):
            self.submits[row] -= first
