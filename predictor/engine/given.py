"""What every single node gives to the parts of jobs whose nodes give different numbers of CPUs."""

from predictor.engine import bits, codes, store
from predictor.engine.layout import Layout
from predictor.engine.timeline import Timeline


class Given:
    """By part, the CPUs and pieces of its nodes in their order; takes them on the timeline.

    A set of nodes is told as an array and where in it the row begins.
    """

    def __init__(self, timeline: Timeline, parts: int) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.words = timeline.words
        parts = parts if self.layout.spreads else 0
        self.start = store.numbers(parts)
        self.room = store.numbers(parts)
        """By part: where its numbers begin, and for how many there is room."""
        self.cpus = store.numbers(64)
        self.pieces = store.numbers(64)
        self.count = 0

    def keep(self, part: int, nodes: store.Words, given: store.Words, pieces: store.Words) -> None:
        """Keep what each of these nodes gives to the part."""
        width = 0
        for w in range(self.words):
            width += bits.popcount(nodes[w])
        if self.room[part] < width:
            self.start[part] = self.count
            self.room[part] = width
            self.count += width
            while self.count > len(self.cpus):
                self._more()
        i = self.start[part]
        for w in range(self.words):
            word = nodes[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                self.cpus[i], self.pieces[i] = given[node], pieces[node]
                word &= word - 1
                i += 1

    def _more(self) -> None:
        self.cpus = store.grown(self.cpus, 2 * len(self.cpus))
        self.pieces = store.grown(self.pieces, len(self.cpus))

    def of(self, part: int, nodes: store.Words, offset: int, node: int) -> int:
        """Return what a node gives to a part that is on these nodes; it is one of them."""
        one = 1
        i, w = self.start[part], node // self.layout.bits
        for before in range(w):
            i += bits.popcount(nodes[offset + before])
        bit = one << (node - w * self.layout.bits)
        return self.cpus[i + bits.popcount(nodes[offset + w] & (bit - 1))]

    def in_all(self, part: int, nodes: store.Words, offset: int) -> int:
        """Return what these nodes, on which the part is, give to it together."""
        found, i = 0, self.start[part]
        for w in range(self.words):
            for _ in range(bits.popcount(nodes[offset + w])):
                found += self.cpus[i]
                i += 1
        return found

    def overfills(self, part: int, nodes: store.Words, offset: int, kind: int, now: int) -> bool:
        """Return whether any of these nodes has less memory left now than it would give.

        That can be so where tasks are dealt over more CPUs than they need.
        """
        if not self.layout.scatters[self.layout.spread[kind]]:
            return False
        slot, i = self.timeline.slot_at(now), self.start[part]
        for w in range(self.words):
            word = nodes[offset + w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                memory_mb = self._amount(kind, node, 1, self.cpus[i], self.pieces[i])
                if memory_mb > self.timeline.free[self.timeline.free_at(slot, node) + 1]:
                    return True
                i += 1
        return False

    def take(
        self, part: int, nodes: store.Words, offset: int, kind: int, start_at: int, end_at: int
    ) -> None:
        """Take what these nodes give to the part, and the licenses of the kind."""
        first = self.timeline.cut(start_at)
        last = self.timeline.cut(end_at)
        for i in range(first, last):
            self._change(self.timeline.row[i], part, nodes, offset, kind, -1)

    def give_back(
        self, part: int, nodes: store.Words, offset: int, kind: int, start_at: int, end_at: int
    ) -> None:
        """Give back what `take` took with the same arguments, as far as it is not past."""
        first = self.timeline.slot_at(start_at)
        last = self.timeline.slot_at(end_at)
        if end_at > self.timeline.time[0]:
            for i in range(first, last):
                self._change(self.timeline.row[i], part, nodes, offset, kind, 1)
        self.timeline.uncut(start_at)
        self.timeline.uncut(end_at)

    def _change(
        self, row: int, part: int, nodes: store.Words, offset: int, kind: int, sign: int
    ) -> None:
        self.timeline.change_pools(row, kind, sign)
        resources, i = self.layout.resources, self.start[part]
        for w in range(self.words):
            word = nodes[offset + w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                block = self.timeline.own_block(row, node // codes.GROUP)
                free = (block * codes.GROUP + node % codes.GROUP) * resources
                for k in range(resources):
                    amount = self._amount(kind, node, k, self.cpus[i], self.pieces[i])
                    self.timeline.free[free + k] += sign * amount
                self.timeline.refresh(row, node, free)
                i += 1

    def _amount(self, kind: int, node: int, k: int, cpus: int, pieces: int) -> int:
        """Return what is taken of a resource of the node that gives so many CPUs and pieces."""
        resources, node_class = self.layout.resources, self.layout.node_class[node]
        least = (self.layout.shape[kind] * self.layout.classes + node_class) * resources
        spread = self.layout.spread[kind]
        portion = spread * self.layout.classes + node_class
        more = cpus - self.layout.portion_least[portion]
        cpus_each = self.layout.cpus_each[spread * resources + k]
        more = more // cpus_each if cpus_each > 0 else pieces - 1
        each = self.layout.portion_each[portion * resources + k]
        return self.layout.amounts[least + k] + more * each
