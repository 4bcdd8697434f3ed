"""What happens next: events by instant, then kind, then number."""

from predictor.engine import store


class Heap:
    """A binary heap of events. An event is an instant, a kind of event and whom it is about."""

    def __init__(self, room: int) -> None:
        self.size = 0
        self.at = store.numbers(room)
        self.what = store.numbers(room)
        self.who = store.numbers(room)

    def clear(self) -> None:
        """Forget all events."""
        self.size = 0

    def push(self, at: int, what: int, who: int) -> None:
        """Add an event."""
        if self.size == len(self.at):
            self._more()
        i = self.size
        self.size += 1
        while i > 0:
            parent = (i - 1) // 2
            if not self._before(at, what, who, parent):
                break
            self._move(parent, i)
            i = parent
        self.at[i] = at
        self.what[i] = what
        self.who[i] = who

    def pop(self) -> None:
        """Drop the first event."""
        self.size -= 1
        last = self.size
        at, what, who = self.at[last], self.what[last], self.who[last]
        i = 0
        while 2 * i + 1 < last:
            child = 2 * i + 1
            if child + 1 < last and self._before(
                self.at[child + 1], self.what[child + 1], self.who[child + 1], child
            ):
                child += 1
            if self._before(at, what, who, child):
                break
            self._move(child, i)
            i = child
        self.at[i] = at
        self.what[i] = what
        self.who[i] = who

    def _before(self, at: int, what: int, who: int, other: int) -> bool:
        if at != self.at[other]:
            return at < self.at[other]
        if what != self.what[other]:
            return what < self.what[other]
        return who < self.who[other]

    def _move(self, source: int, target: int) -> None:
        self.at[target] = self.at[source]
        self.what[target] = self.what[source]
        self.who[target] = self.who[source]

    def _more(self) -> None:
        room = 2 * len(self.at)
        self.at = store.grown(self.at, room)
        self.what = store.grown(self.what, room)
        self.who = store.grown(self.who, room)
