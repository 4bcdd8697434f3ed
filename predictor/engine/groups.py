"""The ends of running jobs as a scheduler sees them that looks at several of them at once.

Source: Slurm's search for the first start of a job, which lets running jobs end group by group,
in spans of time that grow with each group, and tells the end of the last of a group.
"""

from predictor.engine import codes, sets, store
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
        self.first_word = store.numbers(holdings)
        self.end_word = store.numbers(holdings)
        self.alive = store.numbers(holdings)
        """By end."""
        self.count = 0

    def add(self, holding: int, nodes: store.Words, offset: int, ends_at: int) -> None:
        """Note what is held until then."""
        base = holding * self.words
        self.first_word[holding], self.end_word[holding] = self.words, 0
        for w in range(self.words):
            self.nodes[base + w] = nodes[offset + w]
            if nodes[offset + w]:
                self.first_word[holding] = min(self.first_word[holding], w)
                self.end_word[holding] = w + 1
        self.ends_at[holding] = ends_at
        i = self.count
        while i > 0 and self.ends_at[self.alive[i - 1]] > ends_at:
            self.alive[i] = self.alive[i - 1]
            i -= 1
        self.alive[i] = holding
        self.count += 1

    def drop(self, holding: int) -> None:
        """Note that it is not held any more, if it was."""
        kept = 0
        for i in range(self.count):
            if self.alive[i] != holding:
                self.alive[kept] = self.alive[i]
                kept += 1
        self.count = kept

    def end_of(self, nodes: store.Words, at: int) -> int:
        """Return the end of the last one in the group in which `at` falls; `at` if in none.

        Only those count that hold any of these nodes.
        """
        if self.first_s == 0:
            return at
        i = 0
        while i < self.count and not self._touches(self.alive[i], nodes):
            i += 1
        if i == self.count:
            return at
        first = self.ends_at[self.alive[i]]
        mark = (first + codes.ALIGNED_S - 1) // codes.ALIGNED_S * codes.ALIGNED_S
        i = self._count_until(self._span_end(mark, at)) - 1
        while i >= 0 and self.ends_at[self.alive[i]] > at:
            if self._touches(self.alive[i], nodes):
                return self.ends_at[self.alive[i]]
            i -= 1
        return at

    def _count_until(self, at: int) -> int:
        """Return how many end at `at` or before."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            if self.ends_at[self.alive[middle]] <= at:
                low = middle + 1
            else:
                high = middle
        return low

    def _touches(self, holding: int, nodes: store.Words) -> bool:
        first = self.first_word[holding]
        count = self.end_word[holding] - first
        return sets.touch(self.nodes, holding * self.words + first, nodes, first, count)

    def _span_end(self, mark: int, at: int) -> int:
        """Return the end of the span, counted from the mark, that an instant falls in."""
        width = self.first_s
        while mark + width < at:
            width += width if self.grows else self.first_s
        return mark + width
