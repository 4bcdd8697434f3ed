"""Which of the nodes that would do a job gets."""

from predictor.engine import bits, codes, sets, store
from predictor.engine.branches import Branches
from predictor.engine.gathering import Gathering
from predictor.engine.layout import Layout
from predictor.engine.leaning import Leaning
from predictor.engine.runs import Runs
from predictor.engine.search import Search
from predictor.engine.tree import Tree


class Choice:
    """Picks nodes out of what a search found, by the allocation of the kind of request."""

    def __init__(self, search: Search, leaning: Leaning) -> None:
        self.search = search
        self.leaning = leaning
        self.layout: Layout = search.layout
        self.words = search.words
        self.nodes = store.words(self.words)
        """The nodes chosen last."""
        self.left = store.words(self.words)
        self.aside = store.words(self.words)
        """What is left of the nodes while some of one group are chosen."""
        self.gathering = Gathering(search.portions, leaning)
        """Where nodes may give different numbers of CPUs: who gives how many."""
        self.tree = Tree(self.layout)
        self.branches = Branches(self.gathering, self.tree, leaning)
        self.turn = 0
        self.order = 0
        self.ones = store.full_word(self.layout.nodes)
        self.even_runs = Runs(self.layout, self.left)
        self.kind = 0
        """What the nodes are chosen for."""
        self.busy_first = False
        """Whether nodes that somebody is on come first, however the kind is allocated."""
        self.busy = store.words(self.words)
        """The nodes that somebody is on, if these come first."""
        self.joined = False
        """Whether neighbours of different weights are one run."""
        self.suffices = True
        """Whether the nodes chosen give enough in the order in which they are taken."""
        self.runs = 0
        self.run_first = store.numbers(self.layout.nodes)
        self.run_end = store.numbers(self.layout.nodes)
        self.run_cpus = store.numbers(self.layout.nodes)

    def choose(self, kind: int, size: int, at: int) -> None:
        """Choose `size` of the common nodes of the search that has just found the start `at`."""
        self.leaning.draw(kind, self.search.common)
        self.suffices = True
        if self.layout.spread[kind] >= 0:
            self.suffices = self.gathers(kind, size, at)
            if not self.suffices:
                self.gathering.largest_first()
            self.gathering.deal()
            sets.copy(self.nodes, 0, self.gathering.nodes, 0, self.words)
            return
        self.kind = kind
        sets.copy(self.nodes, 0, self.layout.required, kind * self.words, self.words)
        sets.copy(self.left, 0, self.search.common, 0, self.words)
        sets.remove(self.left, 0, self.nodes, 0, self.words)
        self.order = self.layout.order[kind]
        count = size - self.layout.required_count[kind]
        # Where all are alike nothing depends on the time.
        alike = self.layout.even[kind] and not self.leaning.leans
        slot = 0 if alike else self.search.timeline.slot_at(at)
        allocation = self._allocation(kind)
        if self.layout.contiguous[kind]:
            self._one_run(size, slot)
            return
        for group in range(self.layout.group_start[kind], self.layout.group_start[kind + 1]):
            count -= self._choose_of(group, kind, slot, allocation)
        self._pick(count, size, slot, allocation)
        if self.busy_first and count > 0:
            self._take_spare()

    def _allocation(self, kind: int) -> int:
        return codes.BUSY_FIRST if self.busy_first else self.layout.allocation[kind]

    def gathers(self, kind: int, size: int, at: int) -> bool:
        """Return whether nodes found give `size` CPUs in the order in which they are taken.

        Those tried last are the gathering's then.
        """
        self.order = self.layout.order[kind]
        self.gathering.begin(kind, size, self.search.common)
        enough = self._try_to_gather(size, at)
        while not enough and self.gathering.begin_without_weakest():
            enough = self._try_to_gather(size, at)
        return enough

    def _try_to_gather(self, size: int, at: int) -> bool:
        """Return whether nodes taken by the allocation give enough."""
        allocation = self._allocation(self.gathering.kind)
        if allocation == codes.CONSECUTIVE or self.layout.contiguous[self.gathering.kind]:
            return self.gathering.by_runs()
        if allocation == codes.TREE:
            return self.branches.gather()
        slot = self.search.timeline.slot_at(at)
        sets.copy(self.nodes, 0, self.gathering.nodes, 0, self.words)
        sets.copy(self.left, 0, self.gathering.left, 0, self.words)
        while not self.gathering.is_done() and self._next_left(0) >= 0:
            self._pick(1, size, slot, allocation)
            for w in range(self.words):
                self.gathering.take_all(w, self.nodes[w] & ~self.gathering.nodes[w])
            if self.busy_first and self.gathering.is_done():
                self._take_spare()
                self.gathering.take_also(self.nodes)
        return self.gathering.is_enough()

    def _take_spare(self) -> None:
        """Take an idle node too if those taken, the last of which is `turn` - 1, suffice without.

        Source: Slurm 21.08 to 26.05, where the search of busy nodes is over, but not that of idle
        ones of the same weight.
        """
        if not self._is_busy(self.turn - 1):
            return
        weight, node = self.leaning.weight(self.turn - 1), self._next_left(0)
        while node >= 0 and (self._is_busy(node) or self.leaning.weight(node) != weight):
            node = self._next_left(node + 1)
        if node >= 0:
            self._take(node)

    def _is_busy(self, node: int) -> bool:
        w = node // self.layout.bits
        return bool(self.busy[w] >> (node - w * self.layout.bits) & 1)

    def _choose_of(self, group: int, kind: int, slot: int, allocation: int) -> int:
        """Choose as many of a group as are wanted of it, and return how many that is.

        Those that a later group might want as well come last: then enough are left for that one.
        """
        least, end = self.layout.group_least[group], self.layout.group_start[kind + 1]
        alone = self._set_aside(group, end)
        first = alone if alone < least else least
        self._pick(first, least, slot, allocation)
        self._take_back()
        self._set_aside(group, group)
        self._pick(least - first, least, slot, allocation)
        self._take_back()
        return least

    def _set_aside(self, group: int, end: int) -> int:
        """Leave only nodes of the group, none of those behind it up to `end`; return how many."""
        found = 0
        for w in range(self.words):
            word = self.left[w] & self.layout.group_nodes[group * self.words + w]
            for other in range(group + 1, end):
                word &= ~self.layout.group_nodes[other * self.words + w]
            self.aside[w] = self.left[w]
            self.left[w] = word
            found += bits.popcount(word)
        return found

    def _take_back(self) -> None:
        for w in range(self.words):
            self.left[w] = self.aside[w] & ~self.nodes[w]

    def _pick(self, count: int, size: int, slot: int, allocation: int) -> None:
        """Choose so many of the nodes left for a job of `size` nodes."""
        if count <= 0:
            return
        if allocation == codes.TREE:
            self._by_leaves(count)
        elif allocation == codes.LAST:
            self._last(self._take_lighter(count))
        elif allocation == codes.LIGHTEST:
            self._first_from(0, self._take_lighter(count))
        elif allocation == codes.CONSECUTIVE and (
            self.leaning.leans or not self.layout.even[self.kind]
        ):
            self._by_runs(count, slot)
        elif allocation == codes.CONSECUTIVE:
            self._by_even_runs(count)
        elif allocation == codes.ROUND_ROBIN:
            self._first_from(self.turn, count)
        elif allocation == codes.DUAL_END and size > 1:
            self._last(count)
        elif allocation == codes.DUAL_END or allocation == codes.FIRST_FIT:
            self._first_from(0, count)
        else:
            self._by_load(count, slot, allocation)

    def _take(self, node: int) -> None:
        one = 1
        w = node // self.layout.bits
        bit = one << (node - w * self.layout.bits)
        self.nodes[w] |= bit
        self.left[w] &= ~bit
        self.turn = node + 1

    def _first_from(self, begin: int, count: int) -> None:
        self._take_first(0, begin, self._take_first(begin, self.layout.nodes, count))

    def _take_first(self, begin: int, end: int, count: int) -> int:
        """Take the first nodes left from `begin` to `end`; return how many are still wanted."""
        w = begin // self.layout.bits
        while count > 0 and w * self.layout.bits < end:
            word = self.left[w] & self._span(w, begin, end)
            found = bits.popcount(word)
            if found > count:
                word, found = bits.first(word, count), count
            self._take_word(w, word)
            if found > 0:
                self.turn = w * self.layout.bits + bits.width(word)
            count -= found
            w += 1
        return count

    def _last(self, count: int) -> None:
        w = self.words - 1
        while count > 0 and w >= 0:
            word = self.left[w]
            found = bits.popcount(word)
            if found > count:
                word &= ~bits.first(word, found - count)
                found = count
            self._take_word(w, word)
            if found > 0:
                self.turn = w * self.layout.bits + bits.lowest(word) + 1
            count -= found
            w -= 1

    def _take_word(self, w: int, word: int) -> None:
        self.nodes[w] |= word
        self.left[w] &= ~word

    def _take_run(self, first: int, end: int) -> None:
        for w in range(first // self.layout.bits, (end - 1) // self.layout.bits + 1):
            self._take_word(w, self._span(w, first, end))
        self.turn = end

    def _span(self, w: int, begin: int, end: int) -> int:
        """Return which of a word's nodes lie from `begin` to `end`; some do."""
        base = w * self.layout.bits
        first = begin - base if begin > base else 0
        after = end - base if end - base < self.layout.bits else self.layout.bits
        # At once, a shift by a whole word would do nothing.
        return self.ones & ~(self.ones << (after - 1) << 1) & (self.ones << first)

    def _by_leaves(self, count: int) -> None:
        """Take lighter nodes as a whole, then leaf after leaf of the heaviest that are needed."""
        count = self._take_lighter(count)
        self.tree.begin(self.nodes, self.left)
        leaf = self.tree.begun_leaf(0)
        while count > 0 and leaf >= 0:
            count = self.tree.complete(leaf, count, self._take_of(leaf, count))
            leaf = self.tree.begun_leaf(leaf + 1)
        while count > 0 and (leaf := self.tree.best_leaf(count)) >= 0:
            self.tree.go_to(leaf)
            count = self._take_of(leaf, count)
        if count > 0:
            self._first_from(0, count)

    def _take_lighter(self, count: int) -> int:
        """Take all nodes of a weight while they are not enough, and leave only the next ones.

        Return how many are still wanted.
        """
        if (
            not self.leaning.leans
            and self.layout.weight[0] == self.layout.weight[self.layout.nodes - 1]
        ):
            return count
        found = self.leaning.find_lightest(self.left)
        while 0 < found < count:
            for w in range(self.words):
                self._take_word(w, self.leaning.lightest[w])
            count -= found
            found = self.leaning.find_lightest(self.left)
        sets.copy(self.left, 0, self.leaning.lightest, 0, self.words)
        return count

    def _take_of(self, leaf: int, count: int) -> int:
        """Take the first nodes left on a leaf; return how many are still wanted."""
        for w in range(self.words):
            word = self.left[w] & self.layout.switch_nodes[leaf * self.words + w]
            found = bits.popcount(word)
            if found > count:
                word, found = bits.first(word, count), count
            self._take_word(w, word)
            count -= found
        return count

    def _by_load(self, count: int, slot: int, allocation: int) -> None:
        """Take the first by weight or an order of their own; of equal ones the least loaded."""
        while count > 0:
            best, best_place, best_load = -1, 0, 0
            for w in range(self.words):
                word = self.left[w]
                while word:
                    node = w * self.layout.bits + bits.lowest(word)
                    word &= word - 1
                    place = self._place(node, allocation)
                    load = self._load(node, slot, allocation)
                    if best < 0 or place < best_place or (place == best_place and load < best_load):
                        best, best_place, best_load = node, place, load
            self._take(best)
            count -= 1

    def _place(self, node: int, allocation: int) -> int:
        if allocation == codes.IN_ORDER or allocation == codes.HYBRID:
            return self.layout.orders[self.order + node]
        return self.leaning.weight(node)

    def _load(self, node: int, slot: int, allocation: int) -> int:
        """Return what is to be small: free CPUs, the share of CPUs in use, or 1 for idle ones."""
        if allocation == codes.IN_ORDER:
            return 0
        if allocation == codes.BUSY_FIRST:
            return 0 if self._is_busy(node) else 1
        free = self.search.timeline.free_cpus(slot, node)
        if allocation == codes.BEST_FIT:
            return free
        cpus = self.layout.cpus[node]
        return 0 if cpus == 0 else (cpus - free) * 1000000 // cpus

    def _by_runs(self, count: int, slot: int) -> None:
        """Take run after run: the lightest, of those the tightest that suffices or the largest."""
        self._find_runs(slot)
        while count > 0:
            best = 0
            for run in range(1, self.runs):
                if self._better(run, best, count):
                    best = run
            first, end = self.run_first[best], self.run_end[best]
            if count == 1:
                self._take(self._tightest(first, end, slot))
                return
            end = min(end, first + count)
            self._take_run(first, end)
            count -= end - first
            self.runs -= 1
            for run in range(best, self.runs):
                self.run_first[run] = self.run_first[run + 1]
                self.run_end[run] = self.run_end[run + 1]
                self.run_cpus[run] = self.run_cpus[run + 1]

    def _by_even_runs(self, count: int) -> None:
        """Do what `_by_runs` does, where it comes to the lengths of runs."""
        self.even_runs.find(self.kind, count)
        while count > 0:
            self.even_runs.choose(count)
            first, length = self.even_runs.first, min(self.even_runs.length, count)
            self._take_run(first, first + length)
            count -= length

    def _find_runs(self, slot: int) -> None:
        """Note the runs of neighbours of one weight among the nodes left, and their free CPUs."""
        self.runs = 0
        node = self._next_left(0)
        while node >= 0:
            end = self._run_after(node)
            self.run_first[self.runs] = node
            self.run_end[self.runs] = end
            self.run_cpus[self.runs] = self.search.merit(self.kind, slot, node, end)
            self.runs += 1
            node = self._next_left(end)

    def _better(self, run: int, best: int, count: int) -> bool:
        weight, best_weight = (
            self.leaning.weight(self.run_first[run]),
            self.leaning.weight(self.run_first[best]),
        )
        if weight != best_weight:
            return weight < best_weight
        enough = self.run_end[run] - self.run_first[run] >= count
        if enough != (self.run_end[best] - self.run_first[best] >= count):
            return enough
        cpus, best_cpus = self.run_cpus[run], self.run_cpus[best]
        return cpus < best_cpus if enough else cpus > best_cpus

    def _tightest(self, first: int, end: int, slot: int) -> int:
        """Return the node of a run with the fewest free CPUs; where all count alike, the first."""
        if self.search.trims(self.kind):
            return first
        best = first
        best_cpus = self.search.counted_cpus(self.kind, slot, first)
        for node in range(first + 1, end):
            cpus = self.search.counted_cpus(self.kind, slot, node)
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

    def _run_after(self, node: int) -> int:
        """Return the end of the run of neighbours that begins at `node`, mostly of one weight."""
        begin = node + 1
        w = begin // self.layout.bits
        shift = begin - w * self.layout.bits
        while w < self.words:
            breaks = self.layout.gaps[w]
            if not self.joined:
                breaks |= self.layout.breaks[w] | self.leaning.breaks[w]
            word = (self.ones & ~(self.left[w] & ~breaks)) >> shift << shift
            if word:
                return min(w * self.layout.bits + bits.lowest(word), self.layout.nodes)
            shift = 0
            w += 1
        return self.layout.nodes

    def _one_run(self, size: int, slot: int) -> None:
        """Choose one run of neighbours, whose weights may differ: the lightest or tightest.

        The last of its nodes tells what a run weighs.
        """
        sets.copy(self.left, 0, self.search.common, 0, self.words)
        self.joined = True
        self._find_runs(slot)
        self.joined = False
        best = -1
        for run in range(self.runs):
            if self.run_end[run] - self.run_first[run] >= size and (
                best < 0 or self._fits_better(run, best)
            ):
                best = run
        for w in range(self.words):
            self.nodes[w] = 0
        self._take_run(self.run_first[best], self.run_first[best] + size)

    def _fits_better(self, run: int, best: int) -> bool:
        weight = self.leaning.weight(self.run_end[run] - 1)
        best_weight = self.leaning.weight(self.run_end[best] - 1)
        if weight != best_weight:
            return weight < best_weight
        return self.run_cpus[run] < self.run_cpus[best]
