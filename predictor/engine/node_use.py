"""How many jobs of each group use each node, so that a node counts once however many share it."""

from predictor.engine import bits, store

PLANES = 20
"""No node is used by 2 to the power of this many jobs at a time."""


class NodeUse:
    """Counts by group and node. A set of nodes is a row of words.

    Bit i of plane k is bit k of node i's count: adding a set costs a few operations on whole words,
    whatever its size.
    """

    def __init__(self, groups: int, words: int) -> None:
        self.words = words
        self.height = PLANES
        self.reached = 0
        """No count has needed more planes."""
        self.planes = store.words(groups * PLANES * words)
        self.used = store.words(groups * words)
        self.different = store.numbers(groups)
        """By group: how many nodes are used."""

    def new(self, group: int, nodes: store.Words) -> int:
        """Return how many of the nodes, whose row begins at 0, the group does not use yet."""
        count = 0
        for w in range(self.words):
            count += bits.popcount(nodes[w] & ~self.used[group * self.words + w])
        return count

    def known(self, group: int, nodes: store.Words) -> int:
        """Return how many of the nodes, whose row begins at 0, the group uses."""
        count = 0
        for w in range(self.words):
            count += bits.popcount(nodes[w] & self.used[group * self.words + w])
        return count

    def add_used(self, group: int, nodes: store.Words) -> None:
        """Add those that the group uses to the nodes, whose row begins at 0."""
        for w in range(self.words):
            nodes[w] |= self.used[group * self.words + w]

    def change(self, group: int, nodes: store.Words, offset: int, sign: int) -> None:
        """Count one job more (`sign` 1) or less (-1) on each of the nodes."""
        for w in range(self.words):
            word = nodes[offset + w]
            if word:
                place = group * self.words + w
                self.different[group] -= bits.popcount(self.used[place])
                if sign > 0:
                    self._enter(place, word)
                else:
                    self._leave(place, word)
                self.different[group] += bits.popcount(self.used[place])

    def _enter(self, place: int, word: int) -> None:
        self.used[place] |= word
        carry = word
        k = 0
        while carry and k < self.height:
            plane = self.planes[place * self.height + k]
            self.planes[place * self.height + k] = plane ^ carry
            carry &= plane
            k += 1
        self.reached = max(self.reached, k)

    def _leave(self, place: int, word: int) -> None:
        borrow = word
        used = 0
        for k in range(self.reached):
            plane = self.planes[place * self.height + k]
            self.planes[place * self.height + k] = plane ^ borrow
            used |= plane ^ borrow
            borrow &= ~plane
        self.used[place] = used
