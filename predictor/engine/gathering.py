"""Which nodes give how many CPUs to a request whose nodes may give different numbers of them.

Source: Slurm 22.05 and 24.11, select/cons_tres, as read, and as measured on a real one: nodes are
filled one after the other, and what is left over goes to the last.
"""

from predictor.engine import bits, sets, store
from predictor.engine.layout import Layout
from predictor.engine.leaning import Leaning
from predictor.engine.portions import Portions
from predictor.engine.timeline import Timeline


class Gathering:
    """Takes node after node until there are enough of both nodes and CPUs."""

    def __init__(self, portions: Portions, leaning: Leaning) -> None:
        self.portions = portions
        self.timeline: Timeline = portions.timeline
        self.leaning = leaning
        self.layout: Layout = portions.layout
        self.words = portions.words
        self.nodes = store.words(self.words)
        """The nodes taken."""
        self.given = store.numbers(self.layout.nodes if self.layout.spreads else 0)
        """By node taken: how many CPUs it gives."""
        self.given_pieces = store.numbers(len(self.given))
        """By node taken: for how many pieces it gives what goes with none of its CPUs."""
        self.dealt = store.numbers(self.layout.nodes if self.layout.spreads else 0)
        self.givers = store.words(self.words)
        self.able = store.words(self.words)
        self.weakest = 0
        """Who can give no more than so much is dropped."""
        self.fewer = 0
        """So many nodes less than at first are wanted."""
        self.left = store.words(self.words)
        """The nodes that may still be taken."""
        self.kind = 0
        self.spread = 0
        self.size = 0
        self.rest = 0
        """How many CPUs are still wanted."""
        self.rest_pieces = 0
        """For how many pieces what goes with no CPU is still wanted."""
        self.least = 0
        """How many nodes there must be at least."""
        self.wanted = 0
        """How many nodes are wanted if possible."""
        self.most = 0
        """How many nodes there may be at most."""
        self.runs = 0
        runs = self.layout.nodes + 1 if self.layout.spreads else 0
        self.run_first = store.numbers(runs)
        self.run_end = store.numbers(runs)
        self.run_nodes = store.numbers(runs)
        self.run_cpus = store.numbers(runs)
        self.run_pieces = store.numbers(runs)
        self.run_required = store.numbers(runs)
        """The first required node among those of the run; -1: there is none."""

    def begin(self, kind: int, size: int, common: store.Words) -> None:
        """Begin with nodes that were looked at for so many CPUs; those required are taken."""
        self.kind, self.spread, self.size = kind, self.layout.spread[kind], size
        sets.copy(self.givers, 0, common, 0, self.words)
        if self.layout.whole[self.spread]:
            self.portions.tell_whole(common)
        for w in range(self.words):
            word = common[w]
            while word:
                first = word & (~word + 1)
                if self.portions.cpus[w * self.layout.bits + bits.lowest(word)] == 0:
                    self.givers[w] &= ~first
                word &= word - 1
        sets.copy(self.able, 0, self.givers, 0, self.words)
        self.weakest, self.fewer = 0, 0
        self._start_over()

    def _start_over(self) -> None:
        self.rest = self.size
        loose = self.layout.loose[self.spread]
        self.rest_pieces = self.layout.portion_pieces[self.spread] if loose else 0
        self.least = self.layout.nodes_least[self.spread]
        self.wanted = max(self.least, self.layout.nodes_wanted[self.spread] - self.fewer)
        self.most = self.layout.nodes_most[self.spread]
        if self.most == 0:
            self.most = self.layout.nodes
        sets.remove(self.nodes, 0, self.nodes, 0, self.words)
        sets.copy(self.left, 0, self.able, 0, self.words)
        required = self.kind * self.words
        for w in range(self.words):
            self.take_all(w, self.layout.required[required + w] & self.able[w])

    def begin_without_weakest(self) -> bool:
        """Begin anew without the nodes that can give least; return whether that is possible."""
        if self.layout.widest_first[self.spread]:
            return False
        if self.layout.weakest_singly[self.spread]:
            if not self._drop_weakest():
                return False
            self._start_over()
            return True
        self.weakest = self.portions.stronger_than(self.able, self.weakest)
        if self.weakest < 0 or not self._drop(self.weakest):
            return False
        self.fewer = 0
        self._start_over()
        return True

    def begin_with_fewer(self) -> bool:
        """Begin anew, with one node less wanted; return whether it may be on so few."""
        least, wanted = self.layout.nodes_least[self.spread], self.layout.nodes_wanted[self.spread]
        if wanted - self.fewer <= least:
            return False
        self.fewer += 1
        self._start_over()
        return True

    def _drop_weakest(self) -> bool:
        """Drop the first node of those that can give least, if others can give more.

        Source: Slurm 24.11.4 to 26.05, common_topo_choose_nodes.
        """
        there, weakest, least, most, one = 0, -1, 0, 0, 1
        for w in range(self.words):
            word = self.able[w]
            there += bits.popcount(word)
            while word:
                first = word & (~word + 1)
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                cpus = self.portions.cpus[node]
                most = max(most, cpus)
                required = self.layout.required[self.kind * self.words + w] & first
                if not required and (weakest < 0 or cpus < least):
                    weakest, least = node, cpus
        if weakest < 0 or least == most or there <= self.layout.nodes_least[self.spread]:
            return False
        w = weakest // self.layout.bits
        self.able[w] &= ~(one << (weakest - w * self.layout.bits))
        return True

    def _drop(self, cpus: int) -> bool:
        """Drop the nodes that can give no more than that, as long as there are enough."""
        there = 0
        for w in range(self.words):
            there += bits.popcount(self.able[w])
        dropped = False
        for w in range(self.words):
            word = self.able[w] & ~self.layout.required[self.kind * self.words + w]
            while word and there > self.layout.nodes_least[self.spread]:
                first = word & (~word + 1)
                if self.portions.cpus[w * self.layout.bits + bits.lowest(word)] <= cpus:
                    self.able[w] &= ~first
                    there -= 1
                    dropped = True
                word &= word - 1
        return dropped

    def take_all(self, w: int, word: int) -> None:
        """Take these nodes of a word, as long as there are not enough."""
        while word and not self.is_done():
            self.take(w * self.layout.bits + bits.lowest(word))
            word &= word - 1

    def take_also(self, nodes: store.Words) -> None:
        """Take these nodes, even if there are enough."""
        for w in range(self.words):
            word = nodes[w] & ~self.nodes[w]
            while word:
                self.take(w * self.layout.bits + bits.lowest(word))
                word &= word - 1

    def is_done(self) -> bool:
        """Return whether no more nodes are to be taken."""
        return self.most <= 0 or (self.rest <= 0 and self.rest_pieces <= 0 and self.wanted <= 0)

    def is_enough(self) -> bool:
        """Return whether those taken will do."""
        return self.rest <= 0 and self.rest_pieces <= 0 and self.least <= 0

    def take(self, node: int) -> None:
        """Take a node with all it can give, but leave something for those that must follow."""
        one = 1
        w = node // self.layout.bits
        bit = one << (node - w * self.layout.bits)
        cpus = self.portions.given(self.spread, node, self.rest, self.least)
        self.given[node] = cpus
        self.rest -= cpus
        if self.layout.loose[self.spread]:
            pieces = min(self.portions.pieces[node], max(self.rest_pieces, 1))
            self.given_pieces[node] = pieces
            self.rest_pieces -= pieces
        self.least -= 1
        self.wanted -= 1
        self.most -= 1
        self.nodes[w] |= bit
        self.left[w] &= ~bit

    # -- runs of neighbours ------------------------------------------------------------------

    def by_runs(self) -> bool:
        """Take run after run: the lightest, of those the tightest that suffices or the largest."""
        if self.layout.contiguous[self.kind]:
            self._take_one_run()
        elif not self.layout.widest_first[self.spread] or not self._take_widest():
            self._take_runs()
        return self.is_enough()

    def _take_one_run(self) -> None:
        """Take nodes of one run that suffices, whose weights may differ."""
        self._find_runs(True)
        best = -1
        for run in range(self.runs):
            if self._suffices(run) and (best < 0 or self._better(run, best)):
                best = run
        if best >= 0:
            self._take_of(best)

    def _take_widest(self) -> bool:
        """Take those first that can give most, of these the last, if that matters.

        It does where just as many as are wanted could give too little.
        Source: Slurm 22.05, select/linear, _job_test.
        """
        least = self.portions.stronger_than(self.able, 0)
        if least < 0 or self.rest <= least * self.wanted:
            return False
        self._take_by_width(True)
        return True

    def _take_by_width(self, last: bool) -> None:
        """Take those first that can give most, of these the first, or the last."""
        while not self.is_done():
            best, most = -1, 0
            for w in range(self.words):
                word = self.left[w]
                while word:
                    node = w * self.layout.bits + bits.lowest(word)
                    word &= word - 1
                    cpus = self.portions.cpus[node]
                    if cpus > most or (last and cpus == most):
                        best, most = node, cpus
            if best < 0:
                return
            self.take(best)

    def _take_runs(self) -> None:
        self._find_runs(False)
        run = self._best_run()
        while run >= 0 and not self.is_done():
            self._take_of(run)
            self.run_nodes[run] = 0
            run = self._best_run()

    def _find_runs(self, joined: bool) -> None:
        """Note the runs of neighbours of one weight among the nodes left, and what they give.

        `joined`: those of different weights are one run.

        Required nodes, which are taken, join their neighbours on both sides.
        """
        self.runs = 0
        before, required = -2, self.kind * self.words
        for w in range(self.words):
            taken = self.layout.required[required + w] & self.nodes[w]
            word = self.left[w] | taken
            while word:
                first = word & (~word + 1)
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                breaks = self.layout.gaps[w]
                if not joined:
                    breaks |= self.layout.breaks[w] | self.leaning.breaks[w]
                if node != before + 1 or breaks & first:
                    self.run_first[self.runs] = node
                    self.run_nodes[self.runs] = 0
                    self.run_cpus[self.runs] = 0
                    self.run_pieces[self.runs] = 0
                    self.run_required[self.runs] = -1
                    self.runs += 1
                run = self.runs - 1
                self.run_end[run] = node + 1
                before = node
                if not taken & first:
                    self.run_nodes[run] += 1
                    self.run_cpus[run] += self.portions.cpus[node]
                    self.run_pieces[run] += self.portions.pieces[node]
                elif self.run_required[run] < 0:
                    self.run_required[run] = node

    def _best_run(self) -> int:
        """Return the run to take nodes of next; -1: there is none."""
        best = -1
        for run in range(self.runs):
            if self.run_nodes[run] > 0 and (best < 0 or self._better(run, best)):
                best = run
        return best

    def _better(self, run: int, best: int) -> bool:
        if self.run_required[run] >= 0 and self.run_required[best] < 0:
            return True
        weight, best_weight = (
            self.leaning.weight(self.run_first[run]),
            self.leaning.weight(self.run_first[best]),
        )
        if weight != best_weight:
            return weight < best_weight
        cpus, best_cpus = self.run_cpus[run], self.run_cpus[best]
        # Who has too few nodes but more CPUs comes first all the same, as its sources have it.
        if self._suffices(run):
            return not self._suffices(best) or cpus < best_cpus
        return cpus > best_cpus

    def _suffices(self, run: int) -> bool:
        return (
            self.run_cpus[run] >= self.rest
            and self.run_nodes[run] >= self.least
            and self.run_pieces[run] >= self.rest_pieces
        )

    def _take_of(self, run: int) -> None:
        """Take of a run the one node that suffices and can give least, or the first ones.

        Where nodes of it are required these are the first ones behind, then those before.
        """
        first, end = self.run_first[run], self.run_end[run]
        if self.run_required[run] >= 0:
            self._take_about(self.run_required[run], first, end)
            return
        if self.wanted <= 1 and not self.layout.widest_first[self.spread]:
            tightest = self._tightest(first, end)
            if tightest >= 0:
                self.take(tightest)
                return
        for node in range(first, end):
            if self.is_done():
                return
            # The last one must give all that is wanted still.
            if self.most > 1 or self._has_rest(node):
                self.take(node)

    def _take_about(self, required: int, first: int, end: int) -> None:
        for node in range(required, end):
            self._take_left(node)
        for before in range(required - first):
            self._take_left(required - 1 - before)

    def _take_left(self, node: int) -> None:
        one = 1
        w = node // self.layout.bits
        bit = one << (node - w * self.layout.bits)
        if self.left[w] & bit and not self.is_done():
            self.take(node)

    def _tightest(self, first: int, end: int) -> int:
        best = -1
        for node in range(first, end):
            cpus = self.portions.cpus[node]
            if self._has_rest(node) and (best < 0 or cpus < self.portions.cpus[best]):
                best = node
        return best

    def _has_rest(self, node: int) -> bool:
        """Return whether the node can give all that is wanted still."""
        if self.portions.cpus[node] < self.rest:
            return False
        return self.rest_pieces <= 0 or self.portions.pieces[node] >= self.rest_pieces

    # -- in the end --------------------------------------------------------------------------

    def largest_first(self) -> None:
        """Begin anew, and take those nodes first that can give most."""
        sets.copy(self.able, 0, self.givers, 0, self.words)
        self.fewer = 0
        self._start_over()
        self._take_by_width(False)

    def deal(self) -> None:
        """Deal the tasks to the nodes taken, and let each give only what its tasks need.

        Every node has one, then each in turn as many as fill a core. Where a task fits on no node
        any more, the first nodes give whatever is left of them. Whole nodes give all.
        """
        if self.layout.whole[self.spread]:
            return
        task = self.layout.portion_task[self.spread]
        tasks = max(1, self.size // task)
        places = 0
        for w in range(self.words):
            word = self.nodes[w]
            while word:
                places += self.given[w * self.layout.bits + bits.lowest(word)] // task
                word &= word - 1
        if places <= tasks:
            self._fill(tasks - places, task)
        else:
            self._go_round(tasks, task)

    def _fill(self, more: int, task: int) -> None:
        """Let all give whole tasks, and so many of the first all they can."""
        for w in range(self.words):
            word = self.nodes[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                if more <= 0:
                    self.given[node] -= self.given[node] % task
                more -= 1
                self.given[node] = self._rounded(node, self.given[node])

    def _go_round(self, tasks: int, task: int) -> None:
        """Deal so many tasks, of which there are fewer than places."""
        left, begins = tasks, True
        while left > 0:
            for w in range(self.words):
                word = self.nodes[w]
                while word:
                    node = w * self.layout.bits + bits.lowest(word)
                    word &= word - 1
                    if begins:
                        self.dealt[node] = 0
                    left -= self._deal_to(node, left, task, begins)
            begins = False
        for w in range(self.words):
            word = self.nodes[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                self.given[node] = self._rounded(node, self.dealt[node])

    def _deal_to(self, node: int, left: int, task: int, begins: bool) -> int:
        """Return how many tasks the node gets in this round."""
        portion = self.spread * self.layout.classes + self.layout.node_class[node]
        tasks = 1 if begins else max(1, self.layout.portion_step[portion] // task)
        tasks = min(tasks, left, (self.given[node] - self.dealt[node]) // task)
        self.dealt[node] += tasks * task
        return tasks

    def _rounded(self, node: int, cpus: int) -> int:
        """Return CPUs as they are handed out on that node, for tasks that need so many."""
        portion = self.spread * self.layout.classes + self.layout.node_class[node]
        step = self.layout.portion_step[portion]
        steps = (cpus + step - 1) // step
        if self.layout.scatters[self.spread]:
            tasks = cpus // self.layout.portion_task[self.spread]
            steps = max(steps, min(tasks, self.timeline.free_cpus(0, node) // step))
        return steps * step
