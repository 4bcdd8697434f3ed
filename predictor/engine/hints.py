"""What a pass has learned: from which instant on a request may find room."""

from predictor.engine import store


class Hints:
    """Bounds on starts, for each kind of request only those that say more than the others.

    Within a pass room only shrinks. So a request cannot start before an earlier one of the same
    kind that wanted no more nodes for no longer, and not at all where that one could not.
    """

    def __init__(self, kinds: int) -> None:
        self.kinds = kinds
        self.head = store.filled([-1] * kinds)
        self.count = 0
        self.least = 0
        self.least_s = 0
        """The request from which the last bound was learned, if it was."""
        self.size = store.numbers(64)
        self.length = store.numbers(64)
        self.start = store.numbers(64)
        self.following = store.numbers(64)

    def forget(self) -> None:
        """Begin a new pass: what was learned may not hold any more."""
        for kind in range(self.kinds):
            self.head[kind] = -1
        self.count = 0

    def bound(self, kind: int, size: int, length: int, not_before: int) -> int:
        """Return an instant from `not_before` on before which there is no start; -1: none ever."""
        bound = not_before
        hint = self.head[kind]
        while hint >= 0:
            if self.size[hint] <= size and self.length[hint] <= length:
                if self.start[hint] < 0:
                    return -1
                if self.start[hint] > bound:
                    bound = self.start[hint]
                    self.least, self.least_s = self.size[hint], self.length[hint]
            hint = self.following[hint]
        return bound

    def forbid(self, kind: int, size: int, length: int, at: int) -> bool:
        """Return whether there is certainly no start at `at`."""
        hint = self.head[kind]
        while hint >= 0:
            bounds = self.size[hint] <= size and self.length[hint] <= length
            if bounds and (self.start[hint] < 0 or self.start[hint] > at):
                return True
            hint = self.following[hint]
        return False

    def learn(self, kind: int, size: int, length: int, start: int) -> None:
        """Note that there is no start before `start` (-1: none ever)."""
        previous = -1
        hint = self.head[kind]
        while hint >= 0:
            beyond = start < 0 or (0 <= self.start[hint] <= start)
            after = self.following[hint]
            if self.size[hint] >= size and self.length[hint] >= length and beyond:
                if previous < 0:
                    self.head[kind] = after
                else:
                    self.following[previous] = after
            else:
                previous = hint
            hint = after
        if self.count == len(self.size):
            self._more()
        self.size[self.count] = size
        self.length[self.count] = length
        self.start[self.count] = start
        self.following[self.count] = self.head[kind]
        self.head[kind] = self.count
        self.count += 1

    def _more(self) -> None:
        size = 2 * len(self.size)
        self.size = store.grown(self.size, size)
        self.length = store.grown(self.length, size)
        self.start = store.grown(self.start, size)
        self.following = store.grown(self.following, size)
