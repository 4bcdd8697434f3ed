"""What those hold who ran at the beginning."""

from predictor.engine import sets, store
from predictor.engine.layout import Layout
from predictor.engine.tables import QueueTables
from predictor.engine.timeline import Timeline


class Held:
    """Holdings, those of one person side by side: of which nodes, of what shape, until when."""

    def __init__(self, timeline: Timeline, tables: QueueTables, begun_at: int) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.words = timeline.words
        self.begun_at = begun_at
        jobs = len(tables.waiting)
        by_runner: list[list[int]] = [[] for _ in tables.running]
        for number, holding in enumerate(tables.holdings):
            by_runner[holding.person - jobs].append(number)
        held = [tables.holdings[number] for numbers in by_runner for number in numbers]
        self.count = len(held)
        self.start = store.starts(by_runner)
        """By runner: where its holdings begin."""
        counted = [len(numbers) for numbers in by_runner]
        self.lead = store.filled(
            [self.start[runner] for runner, count in enumerate(counted) for _ in range(count)]
        )
        """By holding: the first of its runner's."""
        self.kind = store.filled([holding.kind for holding in held])
        self.shape = store.filled([holding.shape for holding in held])
        self.whole = store.filled([int(holding.whole) for holding in held])
        self.until = store.filled([holding.planned_end_at for holding in held])
        self.nodes = self.layout.rows([holding.nodes for holding in held])

    def extend(self, holding: int, until: int, now: int) -> None:
        """Hold on to what is held, for longer than so far."""
        offset, kind, shape = holding * self.words, self.kind[holding], self.shape[holding]
        since = max(self.until[holding], now)
        self.timeline.take(self.nodes, offset, kind, shape, since, until)
        self.until[holding] = until

    def linger(self, lead: int, at: int, take: bool) -> None:
        """Let a runner hold what it gives back at `at` for a second more, or no more."""
        i = lead
        while i < self.count and self.lead[i] == lead:
            offset, kind, shape = i * self.words, self.kind[i], self.shape[i]
            if self.until[i] == at and take:
                self.timeline.take(self.nodes, offset, kind, shape, at, at + 1)
            elif self.until[i] == at:
                self.timeline.give_back(self.nodes, offset, kind, shape, at, at + 1)
            i += 1

    def touches(self, runner: int, nodes: store.Words) -> bool:
        """Return whether a runner holds any of these nodes, or did until it ended."""
        for i in range(self.start[runner], self.start[runner + 1]):
            if sets.touch(self.nodes, i * self.words, nodes, 0, self.words):
                return True
        return False

    def hold(self, holding: int, take: bool) -> None:
        """Take what is held, from the beginning until its end, or give it back."""
        offset, until = holding * self.words, self.until[holding]
        kind, shape = self.kind[holding], self.shape[holding]
        if until <= self.begun_at:
            return
        if take:
            self.timeline.take(self.nodes, offset, kind, shape, self.begun_at, until)
        else:
            self.timeline.give_back(self.nodes, offset, kind, shape, self.begun_at, until)
