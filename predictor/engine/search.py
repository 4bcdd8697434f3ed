"""When a request can be met first, and where: the search over the timeline."""

from predictor.engine import bits, codes, sets, store
from predictor.engine.hints import Hints
from predictor.engine.licensing import Licensing
from predictor.engine.portions import Portions
from predictor.engine.timeline import Timeline


class Search:
    """Finds openings on one timeline, and remembers within a pass what it has learned.

    That is exact and saves most of the search.
    """

    def __init__(self, timeline: Timeline, base: store.Words) -> None:
        self.timeline = timeline
        self.layout = self.timeline.layout
        self.words = self.timeline.words
        self.common = store.words(self.words)
        """After a successful search: all nodes that stay free for the request."""
        self.base = base
        """The nodes that `room_after` looks at."""
        self.of_all_weights = store.words(self.words)
        self.room = store.numbers(self.layout.kinds)
        self.found = 0
        """How many of the nodes in `base` had room where that was asked last."""
        self.asks_licenses = True
        """Whether `room_after` also asks for licenses."""
        self.alone = False
        """Whether it is as if requests shared nodes with nobody, where nodes are compared."""
        self.licensing = Licensing(timeline)
        self.hints = Hints(self.layout.kinds)
        kinds = range(self.layout.kinds)
        self.plain = store.filled([int(self._is_plain(kind)) for kind in kinds])
        """By kind: whether a request for it is only about how many nodes it gets."""
        self.portions = Portions(timeline)
        """After a successful search: what each of those nodes can give, if not all the same."""

    def _is_plain(self, kind: int) -> bool:
        return (
            self.layout.spread[kind] < 0
            and self.layout.required_count[kind] == 0
            and self.layout.quota_start[kind] == self.layout.quota_start[kind + 1]
            and not self.layout.has_licenses(kind)
            and not self.layout.contiguous[kind]
        )

    def forget(self) -> None:
        """Begin a new pass: what was learned may not hold any more."""
        self.hints.forget()

    def earliest(self, kind: int, size: int, length: int, not_before: int) -> int:
        """Return the first instant from `not_before` on at which so many nodes are free so long.

        -1 if there is none, ever. Uses and extends what this pass has learned.
        """
        bound = self.hints.bound(kind, size, length, not_before)
        if bound < 0:
            return -1
        start = self.first(kind, size, length, bound)
        if start != bound:
            self.hints.learn(kind, size, length, start)
        return start

    def first(self, kind: int, size: int, length: int, not_before: int) -> int:
        """Return what `earliest` returns, without memory.

        It is `not_before` or a breakpoint, for only there capacity grows.
        """
        i = self.timeline.slot_at(not_before)
        while i < self.timeline.count:
            start = self.timeline.time[i]
            if start < not_before:
                start = not_before
            failed = self._too_few(kind, size, i, start + length)
            if failed >= 0:
                i = failed + 1
                continue
            failed = self._common(kind, size, i, start + length)
            if failed >= 0:
                i = self._retry(kind, size, i, failed)
            elif self.layout.contiguous[kind] and not self.has_run(kind, size):
                i += 1
            else:
                return start
        return -1

    def opens_at(self, kind: int, size: int, length: int, at: int) -> bool:
        """Return whether the request could start exactly then."""
        return self._common(kind, size, self.timeline.slot_at(at), at + length) < 0

    def room_after(self, kind: int, size: int, guess: int, last: int) -> int:
        """Return the first slot, none behind `last`, with room on enough of the nodes in `base`.

        These nodes are then found, as by any search. -1: there is no such slot. It is found soonest
        if it is the one guessed, or not far behind.
        """
        self._clear_beside(kind)
        # What runs only ever gives room back.
        low, high = -1, last + 1
        step = 1 if self.layout.exact else size
        tried = min(max(guess - 1, 0), last)
        if self._has_room(kind, size, tried):
            high = tried
        else:
            low = self._last_short(kind, size, tried, high)
        while high - low > 1:
            tried = min(low + step, low + high >> 1)
            step += step
            if self._has_room(kind, size, tried):
                high = tried
            else:
                low = self._last_short(kind, size, tried, high)
        if high > last:
            return -1
        if tried != high:
            self._has_room(kind, size, high)
        return high

    def _clear_beside(self, kind: int) -> None:
        """Find no nodes in the words in which the kind has none."""
        first, end = self.layout.first_word[kind], self.layout.end_word[kind]
        sets.remove(self.common, 0, self.common, 0, first)
        sets.remove(self.common, end, self.common, end, self.words - end)

    def _last_short(self, kind: int, size: int, low: int, high: int) -> int:
        """Return the last slot before `high` that has as little room as `low`, the one tried last.

        Where nodes are counted it is known how many get room from there on, whosever they are.
        """
        wanted = self.layout.nodes_needed(kind, size)
        if not self.layout.exact or wanted - self.found <= 1:
            return low
        needed = self._most(low, kind) + wanted - self.found
        # Most often it is not far behind.
        step = 1
        while low + step < high and self._most(low + step, kind) < needed:
            low += step
            step += step
        rest = min(step, high - low)
        while rest > 1:
            half = rest >> 1
            if self._most(low + half, kind) < needed:
                low += half
            rest -= half
        return low

    def _most(self, slot: int, kind: int) -> int:
        return self.timeline.most[self.timeline.row[slot] * self.layout.kinds + kind]

    def room_row(self, kind: int, slot: int) -> int:
        """Return where the timeline's nodes with room for the kind begin, of that slot."""
        return (self.timeline.row[slot] * self.layout.shapes + self.layout.shape[kind]) * self.words

    def room_then(self, kind: int, size: int, at: int) -> bool:
        """Return whether enough of the nodes in `base` have room at `at`, which are then found."""
        return self._has_room(kind, size, self.timeline.slot_at(at))

    def _has_room(self, kind: int, size: int, slot: int) -> bool:
        if self.plain[kind]:
            self._meet(kind, slot)
            return self.found >= size
        self.found = size
        if self.asks_licenses and not self.licensing.are_free(kind, self.timeline.row[slot]):
            return False
        self._meet(kind, slot)
        self.portions.begin()
        if not self._suffice(kind, size, slot, self.found) or not self._has_wanted(kind):
            return False
        return not self.layout.contiguous[kind] or self.has_run(kind, size)

    def _meet(self, kind: int, slot: int) -> None:
        """Find those of the nodes in `base` that have room in the slot."""
        first = self.layout.first_word[kind]
        count = self.layout.end_word[kind] - first
        room = self.room_row(kind, slot) + first
        self.found = sets.meet(
            self.common, first, self.base, first, self.timeline.room, room, count
        )

    def _suffice(self, kind: int, size: int, slot: int, found: int) -> bool:
        """Return whether the common nodes, so many, are enough by what they have in the slot."""
        if self.layout.spread[kind] < 0:
            return found >= size
        return self.portions.suffice(kind, size, slot, self.common)

    def _has_wanted(self, kind: int) -> bool:
        """Return whether the nodes it names, and enough of each group, are among those found."""
        if self.layout.required_count[kind] > 0:
            required = kind * self.words
            if sets.exceeds(self.layout.required, required, self.common, 0, self.words):
                return False
        for quota in range(self.layout.quota_start[kind], self.layout.quota_start[kind + 1]):
            found = 0
            for w in range(self.words):
                found += bits.popcount(
                    self.common[w] & self.layout.quota_nodes[quota * self.words + w]
                )
            if found < self.layout.quota_least[quota]:
                return False
        return True

    def keep_off(self, closed: store.Words, kind: int, size: int) -> bool:
        """Leave the closed nodes out of those found, and return whether enough are left."""
        sets.remove(self.common, 0, closed, 0, self.words)
        return self._is_enough(kind, size)

    def keep_lightest(self, kind: int, size: int) -> None:
        """Keep of the nodes found, which are enough, only the lightest that are.

        Nodes have such weights only where starts are planned whatever their nodes weigh.
        Source: Slurm 22.05 to 26.05, node sets in _pick_best_nodes.
        """
        if self.layout.weights == 0:
            return
        sets.copy(self.of_all_weights, 0, self.common, 0, self.words)
        for weight in range(self.layout.weights):
            row = weight * self.words
            for w in range(self.words):
                self.common[w] = self.of_all_weights[w] & self.layout.up_to_weight[row + w]
            if self._is_enough(kind, size):
                return

    def _is_enough(self, kind: int, size: int) -> bool:
        """Return whether the nodes found are enough to start on just now."""
        found = 0
        for w in range(self.words):
            found += bits.popcount(self.common[w])
        if self.layout.contiguous[kind] and not self.has_run(kind, size):
            return False
        if self.layout.spread[kind] >= 0:
            return self.portions.add_up(kind, size, self.common) and self._has_wanted(kind)
        return found >= size and self._has_wanted(kind)

    def count_room(self, slot: int) -> None:
        """Count in `room` how much of each kind is free in the slot.

        That is nodes, or CPUs where these need not be spread evenly.
        """
        for kind in range(self.layout.kinds):
            if self.layout.spread[kind] < 0:
                self.room[kind] = self._room_of(kind, slot)
            else:
                self.room[kind] = self._cpus_of(kind, slot)

    def _cpus_of(self, kind: int, slot: int) -> int:
        room, opened = self.room_row(kind, slot), self._open(kind, slot)
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            self.common[w] = (
                self.timeline.room[room + w] & self.layout.candidates[kind * self.words + w]
            )
            if opened >= 0:
                self.common[w] &= self.layout.open_nodes[opened + w]
        return self.portions.total(kind, slot, self.common)

    def _room_of(self, kind: int, slot: int) -> int:
        room = (self.timeline.row[slot] * self.layout.shapes + self.layout.shape[kind]) * self.words
        opened = self._open(kind, slot)
        found = 0
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            word = self.timeline.room[room + w] & self.layout.candidates[kind * self.words + w]
            if opened >= 0:
                word &= self.layout.open_nodes[opened + w]
            found += bits.popcount(word)
        return found

    def has_run(self, kind: int, size: int) -> bool:
        """Return whether enough neighbours are among the nodes found."""
        if self.layout.spread[kind] >= 0:
            return self.portions.has_run(kind, size, self.common)
        return self.layout.run_of(self.common, size) >= 0

    def _too_few(self, kind: int, size: int, first: int, end_at: int) -> int:
        """Return the last slot of a window that has too few nodes whoever looks; -1: none has."""
        if not self.layout.exact:
            return -1
        wanted = self.layout.nodes_needed(kind, size)
        kinds, most, rows = self.layout.kinds, self.timeline.most, self.timeline.row
        last = first
        while last + 1 < self.timeline.count and self.timeline.time[last + 1] < end_at:
            last += 1
        for i in range(last, first - 1, -1):
            if most[rows[i] * kinds + kind] < wanted:
                return i
        return -1

    def _common(self, kind: int, size: int, first: int, end_at: int) -> int:
        """Keep the nodes free in all slots from `first` to `end_at`; return the one that fails.

        -1: none does.
        """
        for w in range(self.words):
            self.common[w] = self.layout.candidates[kind * self.words + w]
        self.portions.begin()
        for i in range(first, self.timeline.count):
            if i > first and self.timeline.time[i] >= end_at:
                break
            if not self._narrow(kind, size, i, i == first):
                return i
        return -1

    def _retry(self, kind: int, size: int, first: int, failed: int) -> int:
        """Return the first slot after `first` from which nothing is known against the request.

        Walks back from the failing slot for as long as the slots together still suffice.
        """
        if failed == first:
            return first + 1
        for w in range(self.words):
            self.common[w] = self.layout.candidates[kind * self.words + w]
        self.portions.begin()
        if not self._narrow(kind, size, failed, False):
            return failed + 1
        i = failed
        while i - 1 > first:
            if not self._narrow(kind, size, i - 1, False):
                break
            i -= 1
        return i

    def _narrow(self, kind: int, size: int, slot: int, starts: bool) -> bool:
        """Keep of the common nodes those the kind may use in the slot; return if enough are.

        `starts`: it is to start there; else it may have started before.
        """
        row = self.timeline.row[slot]
        if not self.licensing.are_left(kind, row, self.timeline.era[row]):
            return False
        room = self.room_row(kind, slot)
        opened = self._open(kind, slot)
        first = self.layout.first_word[kind]
        found = sets.meet(
            self.common,
            first,
            self.common,
            first,
            self.timeline.room,
            room + first,
            self.layout.end_word[kind] - first,
        )
        if opened >= 0:
            found = self._open_only(kind, opened, starts)
        return self._suffice(kind, size, slot, found) and self._has_wanted(kind)

    def _open_only(self, kind: int, opened: int, starts: bool) -> int:
        """Keep of the common nodes those that reservations leave, and return how many."""
        opened_nodes = self.layout.open_nodes if starts else self.layout.kept_nodes
        found = 0
        for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
            self.common[w] &= opened_nodes[opened + w]
            found += bits.popcount(self.common[w])
        return found

    def _open(self, kind: int, slot: int) -> int:
        """Return where the nodes that reservations leave to the kind begin; -1: all are."""
        if self.layout.calendars == 0:
            return -1
        era = self.timeline.era[self.timeline.row[slot]]
        return (era * self.layout.reservations + self.layout.reservation[kind]) * self.words

    def opens(self, kind: int) -> bool:
        """Return whether reservations leave any node to the kind at first."""
        opened = self._open(kind, 0)
        if opened < 0:
            return True
        found = 0
        for w in range(self.words):
            found += bits.popcount(self.layout.open_nodes[opened + w])
        return found > 0

    def counted_cpus(self, kind: int, slot: int, node: int) -> int:
        """Return how many of the node's free CPUs count where nodes are compared for the kind."""
        cpus, unit = self.timeline.free_cpus(slot, node), self.layout.unit[kind]
        each, quota = self.layout.memory_each[kind], self.layout.quota[kind]
        if each > 0:
            memory_mb = self.timeline.free[self.timeline.free_at(slot, node) + 1]
            cpus = min(cpus, max(memory_mb, 0) // each)
        if quota >= 0:
            cpus = min(cpus, self.timeline.free[self.timeline.free_at(slot, node) + quota])
        return cpus - cpus % unit

    def trims(self, kind: int) -> bool:
        """Return whether all nodes that will do count alike where they are compared for it."""
        least = codes.TRIMMED_SHARED if self.alone else codes.TRIMMED_NEVER
        return self.layout.trimmed[kind] > least

    def merit(self, kind: int, slot: int, first: int, end: int) -> int:
        """Return how many CPUs these neighbours count with for the kind, each alike."""
        if self.trims(kind):
            return end - first
        if self.layout.exact:
            return self.layout.cpus_before[end] - self.layout.cpus_before[first]
        cpus = 0
        for node in range(first, end):
            cpus += self.counted_cpus(kind, slot, node)
        return cpus
