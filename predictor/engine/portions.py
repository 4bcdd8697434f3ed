"""How much nodes can give to a request whose nodes may give different numbers of CPUs."""

from predictor.engine import bits, store
from predictor.engine.layout import Layout
from predictor.engine.timeline import Timeline


class Portions:
    """What each node can give, slot after slot of one search, and whether that adds up."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.words = timeline.words
        self.cpus = store.numbers(self.layout.nodes if self.layout.spreads else 0)
        """By node that was looked at: the least it can give in all slots since `begin`."""
        self.pieces = store.numbers(len(self.cpus))
        """By such a node, in the same way: for how many pieces it has generic resources."""
        self.begins = True
        self.tally = store.numbers(self.layout.largest + 1 if self.layout.spreads else 0)
        """By number of CPUs: how many nodes can give so many."""

    def begin(self) -> None:
        """Begin a search: what nodes gave in other slots does not count."""
        self.begins = True

    def suffice(self, kind: int, size: int, slot: int, nodes: store.Words) -> bool:
        """Look at what these nodes can give in the slot, too; return whether it is enough."""
        if self.layout.whole[self.layout.spread[kind]]:
            return self._whole_add_up(kind, size, nodes)
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            word = nodes[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                cpus = self.of(kind, slot, node)
                if self.begins or cpus < self.cpus[node]:
                    self.cpus[node] = cpus
                if self.layout.draws_by_piece[kind] or self.layout.loose[self.layout.spread[kind]]:
                    pieces = self._pieces_of(kind, slot, node)
                    if self.begins or pieces < self.pieces[node]:
                        self.pieces[node] = pieces
        self.begins = False
        return self.add_up(kind, size, nodes)

    def _pieces_of(self, kind: int, slot: int, node: int) -> int:
        """Return for how many pieces, one at least, the node has generic resources in the slot."""
        resources, spread = self.layout.resources, self.layout.spread[kind]
        free, node_class = self.timeline.free_at(slot, node), self.layout.node_class[node]
        least = (self.layout.shape[kind] * self.layout.classes + node_class) * resources
        portion = spread * self.layout.classes + node_class
        more = self.layout.largest
        for k in range(self.layout.gres_first, self.layout.gres_end):
            each = self.layout.portion_each[portion * resources + k]
            if each > 0:
                spare = self.timeline.free[free + k] - self.layout.amounts[least + k]
                more = min(more, spare // each)
        return more + 1

    def of(self, kind: int, slot: int, node: int) -> int:
        """Return how many CPUs the node can give in the slot; 0: too few for the request.

        It has room there for the least that the request takes.
        """
        resources, spread = self.layout.resources, self.layout.spread[kind]
        node_class = self.layout.node_class[node]
        portion = spread * self.layout.classes + node_class
        if self.layout.whole[spread]:
            return self.layout.portion_least[portion]
        free = self.timeline.free_at(slot, node)
        least = (self.layout.shape[kind] * self.layout.classes + node_class) * resources
        more = self.layout.largest
        for k in range(resources):
            spare = self.timeline.free[free + k] - self.layout.amounts[least + k]
            each = self.layout.portion_each[portion * resources + k]
            if spare < 0:
                return 0
            cpus_each = self.layout.cpus_each[spread * resources + k]
            if each > 0 and cpus_each > 0:
                more = min(more, spare // each * cpus_each)
        cpus = self.layout.portion_least[portion] + more
        cpus -= cpus % self.layout.portion_step[portion]
        return cpus - cpus % self.layout.portion_unit[spread]

    def total(self, kind: int, slot: int, nodes: store.Words) -> int:
        """Return how many CPUs these nodes can give in the slot, however many nodes may."""
        found = 0
        if self.layout.whole[self.layout.spread[kind]]:
            for width in range(self.layout.widths):
                found += self._count(kind, width, nodes) * self.layout.width_cpus[width]
            return found
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            word = nodes[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                found += self.of(kind, slot, node)
        return found

    def add_up(self, kind: int, size: int, nodes: store.Words) -> bool:
        """Return whether these nodes, looked at before, can give enough together."""
        if self.layout.whole[self.layout.spread[kind]]:
            return self._whole_add_up(kind, size, nodes)
        spread, givers, found, pieces = self.layout.spread[kind], 0, 0, 0
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            word = nodes[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                cpus = self.cpus[node]
                word &= word - 1
                if cpus > 0:
                    givers += 1
                    found += cpus
                    pieces += self.pieces[node]
        if self.layout.loose[spread] and pieces < self.layout.portion_pieces[spread]:
            return False
        if givers < self.layout.nodes_least[spread] or found < size:
            return False
        most = self.layout.nodes_most[spread]
        return most == 0 or givers <= most or self._of_largest(kind, most, nodes) >= size

    def has_run(self, kind: int, size: int, nodes: store.Words) -> bool:
        """Return whether neighbours among these nodes, looked at before, can give enough.

        All that can give anything join a run, and its first ones give; if that comes to nothing,
        those are left out that can give least. Source: Slurm 22.05, _eval_nodes, _choose_nodes.
        """
        weakest = 0
        while weakest >= 0:
            first = 0
            while first < self.layout.nodes:
                end = self._run_end(nodes, first, weakest)
                if end > first and self._gives(kind, size, first, end):
                    return True
                first = max(end, first + 1)
            weakest = self.stronger_than(nodes, weakest)
        return False

    def _run_end(self, nodes: store.Words, first: int, weakest: int) -> int:
        """Return the end of the run that begins there of nodes that can give more than that."""
        one, node = 1, first
        while node < self.layout.nodes:
            w = node // self.layout.bits
            if not nodes[w] & (one << (node - w * self.layout.bits)):
                return node
            if self.cpus[node] <= weakest or (node > first and self.layout.is_gap(node)):
                return node
            node += 1
        return node

    def _gives(self, kind: int, size: int, first: int, end: int) -> bool:
        """Return whether nodes of a run give enough, taken one after the other."""
        spread, rest = self.layout.spread[kind], size
        least, left = self.layout.nodes_least[spread], self.layout.nodes_most[spread]
        wanted = max(least, self.layout.nodes_wanted[spread])
        if left == 0:
            left = self.layout.nodes
        for node in range(first, end):
            if left <= 0 or (rest <= 0 and wanted <= 0):
                break
            # The last one must give all that is wanted still.
            if left > 1 or self.cpus[node] >= rest:
                rest -= self.given(spread, node, rest, least)
                least -= 1
                wanted -= 1
                left -= 1
        return rest <= 0 and least <= 0

    def given(self, spread: int, node: int, rest: int, least: int) -> int:
        """Return what a node gives of the rest, of which so many nodes must give some at least."""
        portion = spread * self.layout.classes + self.layout.node_class[node]
        spare = rest - max(least - 1, 0) * self.layout.portion_step[portion]
        return min(self.cpus[node], max(spare, self.layout.portion_least[portion]))

    def stronger_than(self, nodes: store.Words, cpus: int) -> int:
        """Return the least that one of the nodes can give above that; -1: that is the most."""
        found, most = -1, 0
        for w in range(self.words):
            word = nodes[w]
            while word:
                here = self.cpus[w * self.layout.bits + bits.lowest(word)]
                word &= word - 1
                if here > cpus and (found < 0 or here < found):
                    found = here
                most = max(most, here)
        return found if found < most else -1

    def tell_whole(self, nodes: store.Words) -> None:
        """Tell of these nodes, which are given whole, what each of them gives."""
        for width in range(self.layout.widths):
            for w in range(self.words):
                word = nodes[w] & self.layout.width_nodes[width * self.words + w]
                while word:
                    node = w * self.layout.bits + bits.lowest(word)
                    word &= word - 1
                    self.cpus[node] = self.layout.width_cpus[width]

    def _whole_add_up(self, kind: int, size: int, nodes: store.Words) -> bool:
        """Return whether these nodes, given whole, are enough, and have CPUs enough together."""
        spread, givers, found = self.layout.spread[kind], 0, 0
        for width in range(self.layout.widths):
            count = self._count(kind, width, nodes)
            givers += count
            found += count * self.layout.width_cpus[width]
        if givers < self.layout.nodes_least[spread] or found < size:
            return False
        left = self.layout.nodes_most[spread]
        if left == 0 or givers <= left:
            return True
        found = 0
        for width in range(self.layout.widths):
            named = self._count_required(kind, width, nodes)
            found += named * self.layout.width_cpus[width]
            left -= named
        for width in range(self.layout.widths):
            others = self._count(kind, width, nodes) - self._count_required(kind, width, nodes)
            taken = max(0, min(others, left))
            found += taken * self.layout.width_cpus[width]
            left -= taken
        return found >= size

    def _count(self, kind: int, width: int, nodes: store.Words) -> int:
        """Return how many of the nodes have that width."""
        first, count = self.layout.first_word[kind], 0
        for w in range(first, self.layout.end_word[kind]):
            count += bits.popcount(nodes[w] & self.layout.width_nodes[width * self.words + w])
        return count

    def _count_required(self, kind: int, width: int, nodes: store.Words) -> int:
        """Return how many of those have it that the request names."""
        first, count = self.layout.first_word[kind], 0
        for w in range(first, self.layout.end_word[kind]):
            word = nodes[w] & self.layout.width_nodes[width * self.words + w]
            count += bits.popcount(word & self.layout.required[kind * self.words + w])
        return count

    def _of_largest(self, kind: int, most: int, nodes: store.Words) -> int:
        """Return how much so many of the nodes can give, those required among them."""
        found, left, required = 0, most, kind * self.words
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            word = nodes[w]
            while word:
                first = word & (~word + 1)
                cpus = self.cpus[w * self.layout.bits + bits.lowest(word)]
                word &= word - 1
                if self.layout.required[required + w] & first:
                    found += cpus
                    left -= 1
                else:
                    self.tally[cpus] += 1
        for cpus in range(self.layout.largest, 0, -1):
            taken = self.tally[cpus] if self.tally[cpus] < left else left
            if taken > 0:
                found += taken * cpus
                left -= taken
        for cpus in range(self.layout.largest + 1):
            self.tally[cpus] = 0
        return found
