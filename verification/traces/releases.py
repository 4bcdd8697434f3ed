"""How many processors are expected back at which instant, in order of time."""

from predictor.engine import store

CHUNK = 32
"""So many instants lie together: adding one moves few of them, looking ahead skips many."""

FIRST_CHUNKS = 8


class Releases:
    """A sorted map from instants to processors, cut into chunks that know their sums."""

    def __init__(self) -> None:
        self.chunk = CHUNK
        self.room = FIRST_CHUNKS
        self.chunks = 0
        self.instants = store.numbers(self.room * self.chunk)
        self.procs = store.numbers(self.room * self.chunk)
        self.counts = store.numbers(self.room)
        self.totals = store.numbers(self.room)
        self.order = store.filled(range(self.room))
        self.fit_at = 0
        self.fit_procs = 0

    def add(self, at: int, procs: int) -> None:
        """Expect `procs` more at `at`."""
        rank = self._rank_for(at)
        chunk = self.order[rank]
        spot = self._spot(chunk, at)
        stop = chunk * self.chunk + self.counts[chunk]
        self.totals[chunk] += procs
        if spot < stop and self.instants[spot] == at:
            self.procs[spot] += procs
        else:
            for index in range(stop, spot, -1):
                self.instants[index] = self.instants[index - 1]
                self.procs[index] = self.procs[index - 1]
            self.instants[spot] = at
            self.procs[spot] = procs
            self.counts[chunk] += 1

    def remove(self, at: int, procs: int) -> None:
        """Take back what was added for `at`, or a part of it."""
        rank = self._rank(at)
        chunk = self.order[rank]
        spot = self._spot(chunk, at)
        stop = chunk * self.chunk + self.counts[chunk]
        self.totals[chunk] -= procs
        self.procs[spot] -= procs
        if self.procs[spot] > 0:
            return
        for index in range(spot, stop - 1):
            self.instants[index] = self.instants[index + 1]
            self.procs[index] = self.procs[index + 1]
        self.counts[chunk] -= 1
        if self.counts[chunk] == 0:
            self._drop(rank)

    def fit(self, wanted: int) -> None:
        """Find the first instant by which `wanted` processors have come back.

        `fit_at` is the instant, `fit_procs` all that have come back by then. There must be enough.
        """
        found = 0
        rank = 0
        while found + self.totals[self.order[rank]] < wanted:
            found += self.totals[self.order[rank]]
            rank += 1
        spot = self.order[rank] * self.chunk
        found += self.procs[spot]
        while found < wanted:
            spot += 1
            found += self.procs[spot]
        self.fit_at = self.instants[spot]
        self.fit_procs = found

    def _rank(self, at: int) -> int:
        """Return the first chunk, in order of time, that does not end before `at`."""
        low = 0
        high = self.chunks
        while low < high:
            middle = (low + high) >> 1
            chunk = self.order[middle]
            if self.instants[chunk * self.chunk + self.counts[chunk] - 1] < at:
                low = middle + 1
            else:
                high = middle
        return low

    def _rank_for(self, at: int) -> int:
        """Return a chunk that may take `at` and is not full."""
        if self.chunks == 0:
            self._open(0)
            return 0
        rank = min(self._rank(at), self.chunks - 1)
        chunk = self.order[rank]
        if self.counts[chunk] < self.chunk:
            return rank
        self._split(rank)
        chunk = self.order[rank]
        return rank + (self.instants[chunk * self.chunk + self.counts[chunk] - 1] < at)

    def _spot(self, chunk: int, at: int) -> int:
        spot = chunk * self.chunk
        stop = spot + self.counts[chunk]
        while spot < stop and self.instants[spot] < at:
            spot += 1
        return spot

    def _open(self, rank: int) -> None:
        """Put an empty chunk at `rank`."""
        if self.chunks == self.room:
            self._make_room()
        chunk = self.order[self.chunks]
        for index in range(self.chunks, rank, -1):
            self.order[index] = self.order[index - 1]
        self.order[rank] = chunk
        self.chunks += 1

    def _drop(self, rank: int) -> None:
        """Take the empty chunk at `rank` away; `order` keeps the unused ones at its end."""
        chunk = self.order[rank]
        self.chunks -= 1
        for index in range(rank, self.chunks):
            self.order[index] = self.order[index + 1]
        self.order[self.chunks] = chunk

    def _split(self, rank: int) -> None:
        """Move the later half of a full chunk into one of its own."""
        self._open(rank + 1)
        old = self.order[rank]
        new = self.order[rank + 1]
        half = self.chunk >> 1
        for index in range(half):
            source = old * self.chunk + self.chunk - half + index
            self.instants[new * self.chunk + index] = self.instants[source]
            self.procs[new * self.chunk + index] = self.procs[source]
            self.totals[new] += self.procs[source]
            self.totals[old] -= self.procs[source]
        self.counts[new] = half
        self.counts[old] -= half

    def _make_room(self) -> None:
        """Let there be twice as many chunks."""
        first_new = self.room
        self.room *= 2
        self.instants = store.grown(self.instants, self.room * self.chunk)
        self.procs = store.grown(self.procs, self.room * self.chunk)
        self.counts = store.grown(self.counts, self.room)
        self.totals = store.grown(self.totals, self.room)
        self.order = store.grown(self.order, self.room)
        for chunk in range(first_new, self.room):
            self.order[chunk] = chunk
