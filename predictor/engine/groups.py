"""The ends of running jobs as a scheduler sees them that looks at several of them at once.

Source: Slurm's search for the first start of a job, which lets running jobs end group by group,
in spans of time that grow with each group, and tells the end of the last of a group.
"""

from predictor.engine import codes, store
from predictor.engine.layout import Layout


class Groups:
    """What of the nodes is held until when, and in which group each end falls.

    Holdings are numbered by the caller.
    """

    def __init__(self, layout: Layout, holdings: int, first_s: int, grows: bool) -> None:
        self.layout = layout
        self.words = self.layout.words
        self.first_s = first_s
        self.grows = grows
        self.ends_at = store.numbers(holdings)
        self.nodes = store.words(holdings * self.words)
        self.place = store.filled([-1] * holdings)
        self.alive = store.numbers(holdings)
        self.count = 0

    def clear(self) -> None:
        """Nobody holds anything any more."""
        for i in range(self.count):
            self.place[self.alive[i]] = -1
        self.count = 0

    def add(self, holding: int, nodes: store.Words, offset: int, ends_at: int) -> None:
        """Note what is held until then."""
        for w in range(self.words):
            self.nodes[holding * self.words + w] = nodes[offset + w]
        self.ends_at[holding] = ends_at
        self.place[holding] = self.count
        self.alive[self.count] = holding
        self.count += 1

    def drop(self, holding: int) -> None:
        """Note that it is not held any more."""
        place = self.place[holding]
        if place < 0:
            return
        self.count -= 1
        last = self.alive[self.count]
        self.alive[place] = last
        self.place[last] = place
        self.place[holding] = -1

    def end_of(self, nodes: store.Words, at: int) -> int:
        """Return the end of the last one in the group in which `at` falls; `at` if in none.

        Only those count that hold any of these nodes.
        """
        if self.first_s == 0:
            return at
        first = -1
        for i in range(self.count):
            ends_at = self.ends_at[self.alive[i]]
            if (first < 0 or ends_at < first) and self._touches(self.alive[i], nodes):
                first = ends_at
        if first < 0:
            return at
        mark = (first + codes.ALIGNED_S - 1) // codes.ALIGNED_S * codes.ALIGNED_S
        last, span_end = at, self._span_end(mark, at)
        for i in range(self.count):
            ends_at = self.ends_at[self.alive[i]]
            if last < ends_at <= span_end and self._touches(self.alive[i], nodes):
                last = ends_at
        return last

    def _touches(self, holding: int, nodes: store.Words) -> bool:
        base = holding * self.words
        for w in range(self.words):
            if self.nodes[base + w] & nodes[w]:
                return True
        return False

    def _span_end(self, mark: int, at: int) -> int:
        """Return the end of the span, counted from the mark, that an instant falls in."""
        width = self.first_s
        while mark + width < at:
            width += width if self.grows else self.first_s
        return mark + width
