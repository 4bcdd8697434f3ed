"""What is free when: a row of slots, each with the nodes that have room for each shape.

Slots are cut where something begins or ends, and joined when nothing does any more. Times are
seconds; a set of nodes is a row of words, told as an array and where in it the row begins.
"""

from predictor.engine import bits, codes, moves, sets, store
from predictor.engine.layout import Layout


class Timeline:
    """The free capacity of a machine from `start_at` on; the last slot has no end.

    Not thread-safe. `take` and `give_back` are exact inverses.
    """

    def __init__(self, layout: Layout, start_at: int) -> None:
        self.layout = layout
        self.words = self.layout.words
        self.groups = -(-self.layout.nodes // codes.GROUP)
        self.count = 1
        self.time = store.numbers(16)
        self.row = store.numbers(16)
        self.time[0] = start_at
        self.calendar = 0
        self.touched = store.numbers(layout.kinds)
        self.first_word = 0
        self.end_word = self.words
        """Outside these words lie none of the nodes that are being taken or given back."""
        self._make_rows(16)
        self._fill_first_row()
        self._set_eras()

    def _make_rows(self, rows: int) -> None:
        self.rows = rows
        self.spare = store.filled(range(rows - 1, 0, -1), rows)
        self.spares = rows - 1
        self.uses = store.numbers(rows)
        self.era = store.numbers(rows)
        self.room = store.words(rows * self.layout.shapes * self.words)
        self.most = store.numbers(rows * self.layout.kinds)
        self.pools = store.numbers(rows * self.layout.pools)
        groups = 0 if self.layout.exact else self.groups
        self.handle = store.numbers(rows * groups)
        self.blocks = max(1, 4 * groups)
        self.free = store.numbers(
            self.blocks * codes.GROUP * self.layout.resources if groups else 0
        )
        self.owners = store.numbers(self.blocks)
        self.spare_block = store.filled(range(self.blocks - 1, groups - 1, -1), self.blocks)
        self.spare_blocks = self.blocks - groups

    def _fill_first_row(self) -> None:
        for i in range(self.layout.shapes * self.words):
            self.room[i] = self.layout.fits_empty[i]
        for pool in range(self.layout.pools):
            self.pools[pool] = self.layout.licenses[pool]
        for kind in range(self.layout.kinds):
            self.most[kind] = self.layout.nodes
        if self.layout.exact:
            self._count_kinds()
            return
        for group in range(self.groups):
            self.handle[group] = group
            self.owners[group] = 1
        resources = self.layout.resources
        for node in range(self.layout.nodes):
            kind = self.layout.node_class[node]
            for k in range(resources):
                self.free[node * resources + k] = self.layout.capacity[kind * resources + k]

    def _count_kinds(self) -> None:
        """Count in the first row how many nodes each kind finds, which nobody can undo."""
        for kind in range(self.layout.kinds):
            shape = self.layout.shape[kind] * self.words
            found = 0
            for w in range(self.words):
                candidates = self.layout.candidates[kind * self.words + w]
                found += bits.popcount(self.layout.fits_empty[shape + w] & candidates)
            self.most[kind] = found

    # -- slots ---------------------------------------------------------------------------

    def slot_at(self, at: int) -> int:
        """Return the slot in force at `at`; the first one for what lies before it."""
        low, rest = 0, self.count
        if rest > 1 and at < self.time[1]:
            return 0
        while rest > 1:
            half = rest >> 1
            if self.time[low + half] <= at:
                low += half
            rest -= half
        return low

    def cut(self, at: int) -> int:
        """Make `at` a breakpoint that is used once more, and return the slot that begins there.

        What lies in the past is not cut: the first slot is returned.
        """
        if at <= self.time[0]:
            return 0
        i = self.slot_at(at)
        if self.time[i] != at:
            row = self._copied_row(self.row[i])
            self.uses[row] = 0
            self.era[row] = self.layout.era(self.calendar, at)
            i += 1
            self._insert(i, at, row)
        self.uses[self.row[i]] += 1
        return i

    def uncut(self, at: int) -> None:
        """Use the breakpoint `at` once less, and drop it when nobody does any more."""
        if at <= self.time[0]:
            return
        i = self.slot_at(at)
        self.uses[self.row[i]] -= 1
        if self.uses[self.row[i]] == 0:
            self._drop_row(self.row[i])
            self._close_gap(i, 1)

    def forget_before(self, at: int) -> None:
        """Drop what lies before `at`, which becomes the new beginning."""
        first = self.slot_at(at)
        for i in range(first):
            self._drop_row(self.row[i])
        if first > 0:
            self._close_gap(0, first)
        if at > self.time[0]:
            self.time[0] = at

    def _insert(self, place: int, at: int, row: int) -> None:
        if self.count == len(self.time):
            self._more_slots()
        moves.shift(self.time, place, place + 1, self.count - place)
        moves.shift(self.row, place, place + 1, self.count - place)
        self.time[place] = at
        self.row[place] = row
        self.count += 1

    def _close_gap(self, first: int, length: int) -> None:
        self.count -= length
        moves.shift(self.time, first + length, first, self.count - first)
        moves.shift(self.row, first + length, first, self.count - first)

    def _more_slots(self) -> None:
        size = 2 * len(self.time)
        self.time = store.grown(self.time, size)
        self.row = store.grown(self.row, size)

    # -- rows ----------------------------------------------------------------------------

    def _copied_row(self, source: int) -> int:
        if self.spares == 0:
            self._more_rows()
        self.spares -= 1
        target = self.spare[self.spares]
        size = self.layout.shapes * self.words
        self._copy(self.room, source * size, target * size, size)
        kinds, pools = self.layout.kinds, self.layout.pools
        for kind in range(kinds):
            self.most[target * kinds + kind] = self.most[source * kinds + kind]
        for pool in range(pools):
            self.pools[target * pools + pool] = self.pools[source * pools + pool]
        if not self.layout.exact:
            for group in range(self.groups):
                handle = self.handle[source * self.groups + group]
                self.handle[target * self.groups + group] = handle
                self.owners[handle] += 1
        return target

    def _copy(self, words: store.Words, source: int, target: int, size: int) -> None:
        for i in range(size):
            words[target + i] = words[source + i]

    def _drop_row(self, row: int) -> None:
        self.spare[self.spares] = row
        self.spares += 1
        if not self.layout.exact:
            for group in range(self.groups):
                handle = self.handle[row * self.groups + group]
                self.owners[handle] -= 1
                if self.owners[handle] == 0:
                    self.spare_block[self.spare_blocks] = handle
                    self.spare_blocks += 1

    def _more_rows(self) -> None:
        rows = 2 * self.rows
        self.spare = store.filled(range(rows - 1, self.rows - 1, -1), rows)
        self.spares = rows - self.rows
        self.uses = store.grown(self.uses, rows)
        self.era = store.grown(self.era, rows)
        self.most = store.grown(self.most, rows * self.layout.kinds)
        self.room = store.grown(self.room, rows * self.layout.shapes * self.words)
        self.pools = store.grown(self.pools, rows * self.layout.pools)
        if not self.layout.exact:
            self.handle = store.grown(self.handle, rows * self.groups)
        self.rows = rows

    def _more_blocks(self) -> None:
        blocks = 2 * self.blocks
        self.spare_block = store.filled(range(blocks - 1, self.blocks - 1, -1), blocks)
        self.spare_blocks = blocks - self.blocks
        self.free = store.grown(self.free, blocks * codes.GROUP * self.layout.resources)
        self.owners = store.grown(self.owners, blocks)
        self.blocks = blocks

    def own_block(self, row: int, group: int) -> int:
        """Return a block of free amounts that belongs to this row alone."""
        handle = self.handle[row * self.groups + group]
        if self.owners[handle] == 1:
            return handle
        if self.spare_blocks == 0:
            self._more_blocks()
        self.spare_blocks -= 1
        own = self.spare_block[self.spare_blocks]
        size = codes.GROUP * self.layout.resources
        for i in range(size):
            self.free[own * size + i] = self.free[handle * size + i]
        self.owners[handle] -= 1
        self.owners[own] = 1
        self.handle[row * self.groups + group] = own
        return own

    # -- what is held --------------------------------------------------------------------

    def take(
        self, nodes: store.Words, offset: int, kind: int, shape: int, start_at: int, end_at: int
    ) -> None:
        """Take the shape of each of these nodes, and the licenses of the kind (-1: none)."""
        first = self.cut(start_at)
        last = self.cut(end_at)
        self._delimit(nodes, offset)
        self._count_touched(nodes, offset)
        for i in range(first, last):
            self._change(self.row[i], nodes, offset, kind, shape, -1)

    def give_back(
        self, nodes: store.Words, offset: int, kind: int, shape: int, start_at: int, end_at: int
    ) -> None:
        """Give back what `take` took with the same arguments, as far as it is not past."""
        first = self.slot_at(start_at)
        last = self.slot_at(end_at)
        if end_at > self.time[0]:
            self._delimit(nodes, offset)
            self._count_touched(nodes, offset)
            for i in range(first, last):
                self._change(self.row[i], nodes, offset, kind, shape, 1)
        self.uncut(start_at)
        self.uncut(end_at)

    def lend(self, node: int, cpus: int, whole: bool, start_at: int, end_at: int) -> None:
        """Let others have so many of the CPUs that somebody holds of the node meanwhile.

        `whole`: and all else that the node has. Not where only whole nodes are counted.
        """
        first = self.cut(start_at)
        last = self.cut(end_at)
        for i in range(first, last):
            self._shift(self.row[i], node, cpus, whole, 1)

    def reclaim(self, node: int, cpus: int, whole: bool, start_at: int, end_at: int) -> None:
        """Take back what was lent with the same arguments, as far as it is not past."""
        first = self.slot_at(start_at)
        last = self.slot_at(end_at)
        if end_at > self.time[0]:
            for i in range(first, last):
                self._shift(self.row[i], node, cpus, whole, -1)
        self.uncut(start_at)
        self.uncut(end_at)

    def _shift(self, row: int, node: int, cpus: int, whole: bool, sign: int) -> None:
        resources = self.layout.resources
        base = self.own_block(row, node // codes.GROUP) * codes.GROUP + node % codes.GROUP
        self.free[base * resources] += sign * cpus
        if whole:
            capacity = self.layout.node_class[node] * resources
            for k in range(1, resources - codes.SUMS * self.layout.owned):
                self.free[base * resources + k] += sign * self.layout.capacity[capacity + k]
        self.refresh(row, node, base * resources)

    def _count_touched(self, nodes: store.Words, offset: int) -> None:
        """Count how many of the nodes each kind loses or wins, where only whole ones are taken."""
        if not self.layout.exact:
            return
        for kind in range(self.layout.kinds):
            base, fits, found = kind * self.words, self.layout.shape[kind] * self.words, 0
            for w in range(self.layout.first_word[kind], self.layout.end_word[kind]):
                word = nodes[offset + w] & self.layout.candidates[base + w]
                found += bits.popcount(word & self.layout.fits_empty[fits + w])
            self.touched[kind] = found

    def _delimit(self, nodes: store.Words, offset: int) -> None:
        """Note which words of these nodes are not empty."""
        self.first_word, self.end_word = 0, self.words
        while self.end_word > 0 and nodes[offset + self.end_word - 1] == 0:
            self.end_word -= 1
        while self.first_word < self.end_word and nodes[offset + self.first_word] == 0:
            self.first_word += 1

    def _change(
        self, row: int, nodes: store.Words, offset: int, kind: int, shape: int, sign: int
    ) -> None:
        if kind >= 0:
            self.change_pools(row, kind, sign)
        if self.layout.exact:
            self._flip(row, nodes, offset, sign)
            return
        resources = self.layout.resources
        for w in range(self.first_word, self.end_word):
            word = nodes[offset + w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                base = self.own_block(row, node // codes.GROUP) * codes.GROUP + node % codes.GROUP
                amounts = (shape * self.layout.classes + self.layout.node_class[node]) * resources
                for k in range(resources):
                    self.free[base * resources + k] += sign * self.layout.amounts[amounts + k]
                self.refresh(row, node, base * resources)

    def change_pools(self, row: int, kind: int, sign: int) -> None:
        """Take the licenses of a kind in the row, or give them back."""
        for i in range(self.layout.license_start[kind], self.layout.license_start[kind + 1]):
            pool = row * self.layout.pools + self.layout.license_pool[i]
            self.pools[pool] += sign * self.layout.license_amount[i]

    def _flip(self, row: int, nodes: store.Words, offset: int, sign: int) -> None:
        for kind in range(self.layout.kinds):
            self.most[row * self.layout.kinds + kind] += sign * self.touched[kind]
        room, fits_empty = self.room, self.layout.fits_empty
        for shape in range(self.layout.shapes):
            base = (row * self.layout.shapes + shape) * self.words
            fits = shape * self.words
            if sign < 0:
                for w in range(self.first_word, self.end_word):
                    room[base + w] &= ~nodes[offset + w]
            else:
                for w in range(self.first_word, self.end_word):
                    room[base + w] |= nodes[offset + w] & fits_empty[fits + w]

    def refresh(self, row: int, node: int, free: int) -> None:
        """Note for which shapes the node has room, its free amounts beginning at `free`."""
        resources = self.layout.resources
        one = 1
        w = node // self.layout.bits
        bit = one << (node - w * self.layout.bits)
        for shape in range(self.layout.shapes):
            amounts = (shape * self.layout.classes + self.layout.node_class[node]) * resources
            fits = 1 if self.layout.fits_empty[shape * self.words + w] & bit else 0
            k = 0
            while fits and k < resources:
                if self.free[free + k] < self.layout.amounts[amounts + k]:
                    fits = 0
                k += 1
            if fits and self.layout.owned and not self._is_welcome(shape, free):
                fits = 0
            place = (row * self.layout.shapes + shape) * self.words + w
            if fits:
                self.room[place] |= bit
            else:
                self.room[place] &= ~bit

    def _is_welcome(self, shape: int, free: int) -> bool:
        """Return whether those who have the node let the shape's user in, and it lets them.

        Its free amounts begin at `free`.
        """
        if self.layout.yields[shape] and self.free[free + self.layout.resources - 1] != 0:
            return False
        return self._are_own(shape, free, 0 if self.layout.alone[shape] else 1)

    def _are_own(self, shape: int, free: int, sort: int) -> bool:
        """Return whether all tenants of a sort are the shape's user, on whose node is so much free.

        The sorts are all, those who keep others off, of whom its crowd counts, and owners. All are
        that user if their numbers deviate from its own by squares that are 0 together.
        """
        sums = free + self.layout.resources - codes.SUMS + sort * codes.MOMENTS
        user = self.layout.host[shape] if sort == 1 else self.layout.user[shape]
        count, total, squares = self.free[sums], self.free[sums + 1], self.free[sums + 2]
        return squares - 2 * user * total + user * user * count == 0

    def welcomes(self, slot: int, node: int, shape: int) -> bool:
        """Return whether no owner of the node keeps the shape off in the slot, nor it any other."""
        sort = 0 if self.layout.owns(shape) else 2
        return self._are_own(shape, self.free_at(slot, node), sort)

    def free_at(self, slot: int, node: int) -> int:
        """Return where `free` tells what of the node is free in the slot; not of exact layouts."""
        handle = self.handle[self.row[slot] * self.groups + node // codes.GROUP]
        return (handle * codes.GROUP + node % codes.GROUP) * self.layout.resources

    def free_cpus(self, slot: int, node: int) -> int:
        """Return how many of the node's CPUs are free in the slot, as the layout counts them."""
        if self.layout.exact:
            return self.layout.cpus[node]
        return self.free[self.free_at(slot, node)] * self.layout.deepest // self.layout.depth[node]

    # -- reservations --------------------------------------------------------------------

    def learn(self, at: int) -> bool:
        """Let the reservations known at `at` hold, and return whether they are others."""
        latest = self.calendar
        while latest + 1 < self.layout.calendars and self.layout.known_at[latest + 1] <= at:
            latest += 1
        if latest == self.calendar:
            return False
        self.calendar = latest
        self._set_eras()
        return True

    def is_edge(self, at: int) -> bool:
        """Return whether reservations change exactly then."""
        if self.layout.calendars == 0:
            return False
        return self.layout.era_at[self.layout.era(self.calendar, at)] == at

    def is_begin(self, at: int) -> bool:
        """Return whether a reservation begins exactly then, and none is over."""
        if not self.is_edge(at):
            return False
        return self.layout.era_only_begins[self.layout.era(self.calendar, at)] != 0

    def keep_open(
        self, nodes: store.Words, first: int, count: int, reservation: int, at: int, until: int
    ) -> None:
        """Keep in so many words of `nodes` what no other reservation takes in that time."""
        if self.layout.calendars == 0:
            return
        begun = era = self.layout.era(self.calendar, at)
        end = self.layout.era_start[self.calendar + 1]
        while era == begun or (era < end and self.layout.era_at[era] < until):
            row = (era * self.layout.reservations + reservation) * self.words + first
            if era == begun:
                sets.meet(nodes, first, nodes, first, self.layout.open_nodes, row, count)
            else:
                sets.meet(nodes, first, nodes, first, self.layout.kept_nodes, row, count)
            era += 1

    def _set_eras(self) -> None:
        """Cut at every edge of a reservation that lies ahead, and note which era each slot has."""
        if self.layout.calendars == 0:
            return
        for e in range(
            self.layout.era_start[self.calendar], self.layout.era_start[self.calendar + 1]
        ):
            self.cut(self.layout.era_at[e])
        for i in range(self.count):
            self.era[self.row[i]] = self.layout.era(self.calendar, self.time[i])
