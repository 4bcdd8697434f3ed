"""The ends of running jobs as a scheduler sees them that looks at several of them at once.

Source: Slurm's search for the first start of a job, which lets running jobs end group by group,
in spans of time that grow with each group, and tells the end of the last of a group.
"""

from predictor.engine import codes, store
from predictor.engine.layout import Layout


class Groups:
    """What of the nodes is held until when, and in which group each end falls.

    Holdings are numbered by the caller. Groups are found for a kind of request when asked for, and
    kept until `forget`.
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
        self.known = store.numbers(self.layout.kinds)
        self.mark = store.numbers(self.layout.kinds)
        self.last = store.numbers(self.layout.kinds * codes.MOST_SPANS)

    def clear(self) -> None:
        """Nobody holds anything any more."""
        for i in range(self.count):
            self.place[self.alive[i]] = -1
        self.count = 0
        self.forget()

    def forget(self) -> None:
        """Find groups anew from now on: others hold something."""
        for kind in range(self.layout.kinds):
            self.known[kind] = 0

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

    def end_of(self, kind: int, at: int) -> int:
        """Return the end of the last one in the group in which `at` falls; `at` if in none."""
        if self.first_s == 0:
            return at
        if not self.known[kind]:
            self._find(kind)
        span = self._span(at - self.mark[kind])
        last = self.last[kind * codes.MOST_SPANS + span]
        return last if last > at else at

    def _find(self, kind: int) -> None:
        """Note the last end of each group of those on nodes that the kind may use."""
        self.known[kind] = 1
        first = -1
        for i in range(self.count):
            ends_at = self.ends_at[self.alive[i]]
            if (first < 0 or ends_at < first) and self._touches(self.alive[i], kind):
                first = ends_at
        self.mark[kind] = (first + codes.ALIGNED_S - 1) // codes.ALIGNED_S * codes.ALIGNED_S
        for span in range(codes.MOST_SPANS):
            self.last[kind * codes.MOST_SPANS + span] = -1
        for i in range(self.count):
            ends_at = self.ends_at[self.alive[i]]
            place = kind * codes.MOST_SPANS + self._span(ends_at - self.mark[kind])
            if ends_at > self.last[place] and self._touches(self.alive[i], kind):
                self.last[place] = ends_at

    def _touches(self, holding: int, kind: int) -> bool:
        nodes, candidates = holding * self.words, kind * self.words
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            if self.nodes[nodes + w] & self.layout.candidates[candidates + w]:
                return True
        return False

    def _span(self, after_s: int) -> int:
        """Return the number of the span that an instant so long after the mark falls in."""
        span, end_s = 0, self.first_s
        while end_s < after_s and span < codes.MOST_SPANS - 1:
            span += 1
            end_s += end_s if self.grows else self.first_s
        return span
