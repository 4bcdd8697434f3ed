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

    def change(self, group: int, nodes: store.Words, offset: int, sign: int) -> None:
        """Count one job more (`sign` 1) or less (-1) on each of the nodes."""
        for w in range(self.words):
            word = nodes[offset + w]
            if word:
                place = group * self.words + w
                self.different[group] -= bits.popcount(self.used[place])
                self._ripple(place, word, sign)
                self.different[group] += bits.popcount(self.used[place])

    def _ripple(self, place: int, word: int, sign: int) -> None:
        """Add 1 to the counts, or take 1 away, and note which are not 0."""
        base = place * self.height
        carry = word
        used = 0
        for k in range(self.height):
            plane = self.planes[base + k]
            self.planes[base + k] = plane ^ carry
            carry = carry & plane if sign > 0 else carry & ~plane
            used |= self.planes[base + k]
        self.used[place] = used
