"""Add up the waits of a replay: the inner loop of its summary."""

from collections.abc import Sequence

SHORTEST_RUN_S = 10
"""Bounded slowdown counts a shorter run as this long, so that trifles do not rule the mean."""


class Tally:
    """Sums over all jobs."""

    def __init__(self) -> None:
        self.wait_s = 0
        self.most_wait_s = 0
        self.bounded_slowdown = 0.0
        self.procs_s = 0
        self.end_at = 0

    def count(
        self,
        submits: Sequence[int],
        runs: Sequence[int],
        procs: Sequence[int],
        starts: Sequence[int],
    ) -> None:
        """Add these jobs."""
        for job in range(len(starts)):
            wait_s = starts[job] - submits[job]
            run_s = runs[job]
            slowdown = float(wait_s + run_s) / float(max(run_s, SHORTEST_RUN_S))
            self.bounded_slowdown += slowdown if slowdown > 1.0 else 1.0
            self.wait_s += wait_s
            self.most_wait_s = max(self.most_wait_s, wait_s)
            self.procs_s += run_s * procs[job]
            self.end_at = max(self.end_at, starts[job] + run_s)
