"""How many processors will be free when, given all reservations."""

from predictor.engine import store


class Profile:
    """Steps in order of time: from `instants[i]` on, `frees[i]` processors are free.

    The last step lasts for ever. Neighbours differ, so the profile stays as short as it can be.
    """

    def __init__(self, most_steps: int, free: int) -> None:
        self.instants = store.numbers(most_steps + 2)
        self.frees = store.numbers(most_steps + 2)
        self.frees[0] = free
        self.steps = 1

    def forget_before(self, now: int) -> None:
        """Drop the steps that are over."""
        over = 0
        while over + 1 < self.steps and self.instants[over + 1] <= now:
            over += 1
        if over > 0:
            self._remove(0, over)

    def earliest(self, now: int, procs: int, duration_s: int, known_at: int) -> int:
        """Return the first instant from `now` on from which `procs` are free for `duration_s`.

        From `known_at` on they are known to be: that is the answer if there is no earlier one.
        """
        start_at = now
        for step in range(self.steps):
            if self.instants[step] >= known_at or self.instants[step] >= start_at + duration_s:
                break
            if self.frees[step] < procs:
                if step + 1 == self.steps:
                    return known_at
                start_at = self.instants[step + 1]
        return min(max(start_at, now), known_at)

    def add(self, start_at: int, end_at: int, procs: int) -> None:
        """Let `procs` more be free in [start_at, end_at); fewer, if negative."""
        first = self._step_from(start_at)
        last = self._step_from(end_at)
        for step in range(first, last):
            self.frees[step] += procs
        self._join(last)
        self._join(first)

    def _step_from(self, at: int) -> int:
        """Return the step that begins at `at`, which is made if there is none."""
        low = 0
        high = self.steps
        while low < high:
            middle = (low + high) >> 1
            if self.instants[middle] < at:
                low = middle + 1
            else:
                high = middle
        if low < self.steps and self.instants[low] == at:
            return low
        for step in range(self.steps, low, -1):
            self.instants[step] = self.instants[step - 1]
            self.frees[step] = self.frees[step - 1]
        self.instants[low] = at
        self.frees[low] = self.frees[low - 1]
        self.steps += 1
        return low

    def _join(self, step: int) -> None:
        if step > 0 and self.frees[step] == self.frees[step - 1]:
            self._remove(step, 1)

    def _remove(self, first: int, count: int) -> None:
        self.steps -= count
        for step in range(first, self.steps):
            self.instants[step] = self.instants[step + count]
            self.frees[step] = self.frees[step + count]
