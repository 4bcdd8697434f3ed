"""The jobs that wait, arranged so that one that may start now is found without trying them all."""

from predictor.engine import store

NEVER = 1 << 62
"""Stands where nobody waits: more processors and seconds than there are."""


class Waiting:
    """A binary tree over all jobs in order of submission.

    Each node knows the fewest processors and the shortest limit that any job below it asks for, so
    a search passes over whole stretches of jobs that are all too large or all too long.
    """

    def __init__(self, jobs: int) -> None:
        self.never = NEVER
        self.leaves = 1
        while self.leaves < jobs:
            self.leaves *= 2
        self.procs = store.numbers(2 * self.leaves)
        self.limits = store.numbers(2 * self.leaves)
        self._clear()

    def add(self, job: int, procs: int, limit_s: int) -> None:
        """Let a job wait."""
        node = self.leaves + job
        self.procs[node] = procs
        self.limits[node] = limit_s
        while node > 1:
            node >>= 1
            if self.procs[node] <= procs and self.limits[node] <= limit_s:
                return
            self.procs[node] = min(self.procs[node], procs)
            self.limits[node] = min(self.limits[node], limit_s)

    def remove(self, job: int) -> None:
        """Let a job wait no longer."""
        node = self.leaves + job
        self.procs[node] = self.never
        self.limits[node] = self.never
        while node > 1:
            node >>= 1
            procs = min(self.procs[2 * node], self.procs[2 * node + 1])
            limit_s = min(self.limits[2 * node], self.limits[2 * node + 1])
            if self.procs[node] == procs and self.limits[node] == limit_s:
                return
            self.procs[node] = procs
            self.limits[node] = limit_s

    def next(self, job: int, free: int, window_s: int, extra: int) -> int:
        """Return the first job from `job` on that fits; -1 if none does.

        It asks for no more than `free` processors, and either for no more than `window_s` seconds
        or for no more than `extra` processors.
        """
        if job >= self.leaves or self.procs[1] > free:
            return -1
        node = self.leaves + job
        while node:
            if self.procs[node] <= free and (
                self.limits[node] <= window_s or self.procs[node] <= extra
            ):
                if node >= self.leaves:
                    return node - self.leaves
                node *= 2
            else:
                while node & 1:  # the right half: all below its parent has been seen
                    node >>= 1
                if node:
                    node += 1
        return -1

    def _clear(self) -> None:
        for node in range(2 * self.leaves):
            self.procs[node] = self.never
            self.limits[node] = self.never
