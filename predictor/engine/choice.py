"""Which of the nodes that would do a job gets."""

from predictor.engine import bits, codes, store
from predictor.engine.layout import Layout
from predictor.engine.search import Search


class Choice:
    """Picks nodes out of what a search found, by the allocation of the kind of request."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.layout: Layout = search.layout
        self.words = search.words
        self.nodes = store.words(self.words)
        """The nodes chosen last."""
        self.left = store.words(self.words)
        self.turn = 0

    def choose(self, kind: int, size: int, at: int) -> None:
        """Choose `size` of the common nodes of the search that has just found the start `at`."""
        for w in range(self.words):
            self.nodes[w] = self.layout.required[kind * self.words + w]
            self.left[w] = self.search.common[w] & ~self.nodes[w]
        count = size - self.layout.required_count[kind]
        slot = self.search.timeline.slot_at(at)
        allocation = self.layout.allocation[kind]
        if self.layout.contiguous[kind]:
            self._one_run(size)
        elif allocation == codes.CONSECUTIVE:
            self._by_runs(count, slot)
        elif allocation == codes.BEST_FIT or allocation == codes.BALANCED:
            self._by_load(count, slot, allocation)
        elif allocation == codes.ROUND_ROBIN:
            self._first_from(self.turn, count)
        elif allocation == codes.DUAL_END and size > 1:
            self._last(count)
        else:
            self._first_from(0, count)

    def _take(self, node: int) -> None:
        one = 1
        w = node // self.layout.bits
        bit = one << (node - w * self.layout.bits)
        self.nodes[w] |= bit
        self.left[w] &= ~bit
        self.turn = node + 1

    def _first_from(self, begin: int, count: int) -> None:
        for node in range(begin, self.layout.nodes):
            if count <= 0:
                return
            if self._is_left(node):
                self._take(node)
                count -= 1
        for node in range(begin):
            if count <= 0:
                return
            if self._is_left(node):
                self._take(node)
                count -= 1

    def _last(self, count: int) -> None:
        for node in range(self.layout.nodes - 1, -1, -1):
            if count <= 0:
                return
            if self._is_left(node):
                self._take(node)
                count -= 1

    def _is_left(self, node: int) -> bool:
        one = 1
        w = node // self.layout.bits
        return (self.left[w] & (one << (node - w * self.layout.bits))) != 0

    def _by_load(self, count: int, slot: int, allocation: int) -> None:
        while count > 0:
            best, best_load = -1, 0
            for w in range(self.words):
                word = self.left[w]
                while word:
                    node = w * self.layout.bits + bits.lowest(word)
                    word &= word - 1
                    load = self._load(node, slot, allocation)
                    if best < 0 or (
                        self.layout.weight[node] == self.layout.weight[best] and load < best_load
                    ):
                        best, best_load = node, load
            self._take(best)
            count -= 1

    def _load(self, node: int, slot: int, allocation: int) -> int:
        """Return what is to be small: free CPUs, or the share of CPUs in use."""
        free = self.search.timeline.free_cpus(slot, node)
        if allocation == codes.BEST_FIT:
            return free
        cpus = self.layout.cpus[node]
        return 0 if cpus == 0 else (cpus - free) * 1000000 // cpus

    def _by_runs(self, count: int, slot: int) -> None:
        """Take run after run: the lightest, of those the tightest that suffices or the largest."""
        while count > 0:
            best, best_end, best_cpus, best_enough = -1, -1, 0, False
            node = self._next_left(0)
            while node >= 0:
                end, size, cpus = self._run_end(node), 0, 0
                for member in range(node, end):
                    size += 1
                    cpus += self.search.timeline.free_cpus(slot, member)
                enough = size >= count
                if best < 0 or self._better(node, enough, cpus, best, best_enough, best_cpus):
                    best, best_end, best_cpus, best_enough = node, end, cpus, enough
                node = self._next_left(end)
            if count == 1:
                self._take(self._tightest(best, best_end, slot))
                return
            for member in range(best, best_end):
                if count > 0:
                    self._take(member)
                    count -= 1

    def _better(
        self, node: int, enough: bool, cpus: int, best: int, best_enough: bool, best_cpus: int
    ) -> bool:
        weight, best_weight = self.layout.weight[node], self.layout.weight[best]
        if weight != best_weight:
            return weight < best_weight
        if enough != best_enough:
            return enough
        return cpus < best_cpus if enough else cpus > best_cpus

    def _tightest(self, first: int, end: int, slot: int) -> int:
        """Return the node of a run with the fewest free CPUs."""
        best = first
        best_cpus = self.search.timeline.free_cpus(slot, first)
        for node in range(first + 1, end):
            cpus = self.search.timeline.free_cpus(slot, node)
            if cpus < best_cpus:
                best, best_cpus = node, cpus
        return best

    def _next_left(self, begin: int) -> int:
        """Return the first node from `begin` on that is left; -1: none is."""
        if begin >= self.layout.nodes:
            return -1
        w = begin // self.layout.bits
        shift = begin - w * self.layout.bits
        word = self.left[w] >> shift << shift
        while not word:
            w += 1
            if w >= self.words:
                return -1
            word = self.left[w]
        return w * self.layout.bits + bits.lowest(word)

    def _run_end(self, node: int) -> int:
        """Return the end of the run of neighbours of one weight that begins at `node`."""
        end = node + 1
        while end < self.layout.nodes and self._is_left(end) and not self.layout.is_gap(end):
            if self.layout.weight[end] != self.layout.weight[node]:
                break
            end += 1
        return end

    def _one_run(self, size: int) -> None:
        """Choose the first run of neighbours, whatever their weight."""
        first = self.layout.run_of(self.search.common, size)
        for w in range(self.words):
            self.nodes[w] = 0
        for node in range(first, first + size):
            self._take(node)
