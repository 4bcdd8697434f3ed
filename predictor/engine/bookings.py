"""Which nodes a pass that looks ahead keeps for whom, and when."""

from predictor.engine import codes, moves, sets, store
from predictor.engine.layout import Layout
from predictor.engine.marks import Marks
from predictor.engine.placer import Placer
from predictor.engine.timeline import Timeline


class Bookings:
    """The slots of one pass, over a timeline of what runs; they are all forgotten with the pass.

    Only where a slot or a reservation begins or ends there is a breakpoint: far fewer than on the
    timeline, and each costs one set of nodes. Booked nodes are kept whole, from everybody.
    """

    def __init__(self, placer: Placer) -> None:
        self.placer = placer
        self.timeline: Timeline = placer.timeline
        self.layout: Layout = placer.layout
        self.words = placer.words
        self.found: store.Words = placer.search.common
        """The nodes that a search has just found."""
        self.count = 1
        self.entries = 0
        """Into how many stretches of time slots part the window of the pass."""
        self.window_end = 0
        self.taken = store.words(self.words)
        """The nodes that are being booked."""
        self.first_word, self.end_word = 0, 0
        """The words in which the nodes being booked lie: the first, and the one behind the last."""
        self.rows = 16
        self.time = store.numbers(self.rows)
        self.row = store.filled(range(self.rows))
        """By place: its row. Those behind the last place are the spare ones."""
        self.booked = store.words(self.rows * self.words)
        self.so_far = store.words(self.rows * self.words)
        """By row: the nodes booked in any row from the first of its block to this one."""
        self.onward = store.words(self.rows * self.words)
        """By row: the nodes booked in any row from this one to the last of its block."""
        self.leads = store.numbers(self.rows)
        """By place: how many places the block has that begins with it; 0: none does."""
        self.changes = store.numbers(self.rows)
        """By place: whether other nodes are booked than before it."""
        self.gives = Marks(self.layout.fields, self.rows)
        """By field: the places at whose beginning nodes of it are given back."""
        self.era = store.numbers(self.rows)
        self.edge = store.numbers(self.rows)
        """By row: whether starts are sought from there because a reservation is over."""
        self.lent = store.numbers(self.rows * self.layout.pools)
        """By row and pool: how many licenses more are lent from there on than before."""
        self.relent = store.numbers(self.rows)
        """By row: of how many pools more licenses, or fewer, are lent from there on than before."""
        self.slot = store.numbers(self.rows)
        """By row: the timeline's slot in force when it begins."""
        self.unmerged = store.numbers(self.rows)
        """By row: whether it is a stretch of its own though nothing changes when it begins."""
        self.has_unmerged = False
        """Whether any row is unmerged."""
        self.birth = store.numbers(self.rows)
        """By row: a number that changes whenever there might be more room than before."""
        self.births = 0
        self.changed = 0
        """How often the timeline has changed since the first pass."""

    def begin(self, now: int, window_end: int, step_s: int) -> None:
        """Begin a pass: nothing is booked."""
        self.changed += 1
        self.window_end = window_end
        self.count = 1
        self.time[0] = now
        row = self.row[0]
        base = row * self.words
        sets.remove(self.booked, base, self.booked, base, self.words)
        sets.remove(self.so_far, base, self.so_far, base, self.words)
        sets.remove(self.onward, base, self.onward, base, self.words)
        self.leads[0] = 1
        self.changes[0] = 0
        self.gives.clear()
        self._bear(row, now)
        if self.layout.calendars:
            self._cut_eras(now, step_s)
        self.entries = 1
        self.has_unmerged = False

    def _cut_eras(self, now: int, step_s: int) -> None:
        """Cut where reservations begin or end, and a second behind the step in which any is over.

        Only the latter is an edge, from which starts are sought.
        """
        calendar = self.timeline.calendar
        for e in range(self.layout.era_start[calendar], self.layout.era_start[calendar + 1]):
            at = self.layout.era_at[e]
            if at <= now:
                continue
            self.cut(at)
            edge_at = (at + step_s - 1) // step_s * step_s + 1
            if edge_at < self.window_end and not self.layout.era_only_begins[e]:
                place = self.cut(edge_at)
                self.edge[self.row[place]] = 1

    def look_again(self) -> None:
        """Take note that the timeline has changed."""
        self.changed += 1
        for place in range(self.count):
            row = self.row[place]
            self.slot[row] = self.timeline.slot_at(self.time[place])

    def start_over(self) -> None:
        """Take note that the timeline has changed, and not only by starts."""
        self.look_again()
        for place in range(self.count):
            self._renew(self.row[place])

    def add_booked(self, nodes: store.Words, until: int) -> None:
        """Add those to the nodes that are booked at any time before `until`."""
        place = 0
        while place < self.count and self.time[place] < until:
            sets.add(nodes, 0, self.booked, self.row[place] * self.words, self.words)
            place += 1

    def close(self, nodes: store.Words, record: int, now: int) -> None:
        """Put into `nodes` those that are booked while the record, of a single part, would run."""
        for w in range(self.words):
            nodes[w] = 0
        part = self.placer.queue.part_start[record]
        for way in range(self.placer.queue.way_start[part], self.placer.queue.way_start[part + 1]):
            self.add_booked(nodes, now + self.placer.length_of(way))

    def place_at(self, at: int) -> int:
        """Return the place in force at `at`; the first one for what lies before it."""
        return self.place_from(0, at)

    def place_from(self, first: int, at: int) -> int:
        """Return the place in force at `at`, if that is no earlier one than the `first`."""
        low, rest = first, self.count - first
        while rest > 1:
            half = rest >> 1
            if self.time[low + half] <= at:
                low += half
            rest -= half
        return low

    def cut(self, at: int) -> int:
        """Make `at` a breakpoint and return its place; the first one for what is past."""
        place = self.place_at(at)
        if at <= self.time[place]:
            return place
        if self.count == self.rows:
            self._more_rows()
        base = self.row[place] * self.words
        place += 1
        row = self.row[self.count]
        moves.shift(self.time, place, place + 1, self.count - place)
        moves.shift(self.row, place, place + 1, self.count - place)
        moves.shift(self.leads, place, place + 1, self.count - place)
        moves.shift(self.changes, place, place + 1, self.count - place)
        self.gives.cut(place, self.count)
        self.time[place] = at
        self.row[place] = row
        self.leads[place] = 0
        self.leads[self._block_of(place)] += 1
        self.changes[place] = 0
        self.count += 1
        if at < self.window_end:
            self.entries += 1
        target = row * self.words
        sets.copy(self.booked, target, self.booked, base, self.words)
        sets.copy(self.so_far, target, self.so_far, base, self.words)
        sets.copy(self.onward, target, self.onward, base, self.words)
        self._bear(row, at)
        self._split(place)
        return place

    def block_after(self, place: int) -> int:
        """Return the first place of the next block; `count`: there is none."""
        first = self._block_of(place)
        return first + self.leads[first]

    def _block_of(self, place: int) -> int:
        """Return the first place of the block."""
        while not self.leads[place]:
            place -= 1
        return place

    def _split(self, place: int) -> None:
        """Make two blocks of the one in which the place lies, if that is too long."""
        first, end = self._block_of(place), self.block_after(place)
        if end - first <= codes.BLOCK:
            return
        words, middle = self.words, (first + end) // 2
        here, before = self.row[middle] * words, self.row[middle - 1] * words
        self.leads[first], self.leads[middle] = middle - first, end - middle
        sets.copy(self.so_far, here, self.booked, here, words)
        for i in range(middle + 1, end):
            here = self.row[i] * words
            sets.copy(self.so_far, here, self.so_far, self.row[i - 1] * words, words)
            sets.add(self.so_far, here, self.booked, here, words)
        sets.copy(self.onward, before, self.booked, before, words)
        for i in range(middle - 2, first - 1, -1):
            here = self.row[i] * words
            sets.copy(self.onward, here, self.onward, self.row[i + 1] * words, words)
            sets.add(self.onward, here, self.booked, here, words)

    def _bear(self, row: int, at: int) -> None:
        self.era[row] = self.layout.era(self.timeline.calendar, at)
        self.edge[row] = 0
        self.unmerged[row] = 0
        self.relent[row] = 0
        for lent in range(row * self.layout.pools, (row + 1) * self.layout.pools):
            self.lent[lent] = 0
        self.slot[row] = self.timeline.slot_at(at)
        self._renew(row)

    def _renew(self, row: int) -> None:
        self.births += 1
        self.birth[row] = self.births

    def _more_rows(self) -> None:
        rows = 2 * self.rows
        self.time = store.grown(self.time, rows)
        self.row = store.grown(self.row, rows)
        for place in range(self.rows, rows):
            self.row[place] = place
        self.booked = store.grown(self.booked, rows * self.words)
        self.so_far = store.grown(self.so_far, rows * self.words)
        self.onward = store.grown(self.onward, rows * self.words)
        self.leads = store.grown(self.leads, rows)
        self.changes = store.grown(self.changes, rows)
        self.gives.grow(rows)
        self.era = store.grown(self.era, rows)
        self.edge = store.grown(self.edge, rows)
        self.lent = store.grown(self.lent, rows * self.layout.pools)
        self.relent = store.grown(self.relent, rows)
        self.slot = store.grown(self.slot, rows)
        self.unmerged = store.grown(self.unmerged, rows)
        self.birth = store.grown(self.birth, rows)
        self.rows = rows

    def book(self, part: int, start_at: int, end_at: int) -> None:
        """Keep the nodes where the part was placed from everyone; they must not be booked then."""
        self.first_word, self.end_word = self.placer.first_word[part], self.placer.end_word[part]
        count = self.end_word - self.first_word
        offset = part * self.words + self.first_word
        sets.copy(self.taken, self.first_word, self.placer.nodes, offset, count)
        self._book(start_at, end_at)

    def is_change(self, place: int) -> bool:
        """Return whether a stretch of time begins with the place."""
        return self._alters(place) or self.unmerged[self.row[place]] > 0

    def _alters(self, place: int) -> bool:
        return self.changes[place] != 0 or self.relent[self.row[place]] > 0

    def begin_stretch(self, at: int) -> None:
        """Let a stretch begin then that differs in nothing; it may be merged with that before it.

        If nothing is booked at first, the empty moment at which a pass begins is merged instead.
        """
        if not self.time[0] < at < self.window_end:
            return
        place, first = self.cut(at), self.row[0] * self.words
        if self._alters(place):
            return
        self.unmerged[self.row[place]], self.has_unmerged = 1, True
        if sets.touch(self.booked, first, self.booked, first, self.words):
            self._merge(0, place)

    def _merge(self, first: int, end: int) -> None:
        """Merge the first two stretches that are alike, of those that a booking meets; no others.

        Source: Slurm 22.05, _add_reservation.
        """
        place, merged = max(0, first - 1), False
        while place > 0 and not self.is_change(place):
            place -= 1
        for i in range(max(place, 1), min(end + 1, self.count)):
            if not self._alters(i) and (self.unmerged[self.row[i]] or i in (first, end)):
                self.unmerged[self.row[i]] = int(merged)
                merged = True

    def lend(self, place: int, pool: int, amount: int) -> None:
        """Take note that so many more of the pool's licenses are lent from the place on."""
        row = self.row[place]
        lent = row * self.layout.pools + pool
        before = self.lent[lent]
        self.lent[lent] = before + amount
        if before == 0 and amount != 0:
            self.relent[row] += 1
        elif before != 0 and before + amount == 0:
            self.relent[row] -= 1

    def book_nodes(
        self, nodes: store.Words, offset: int, first: int, count: int, end_at: int
    ) -> None:
        """Keep these nodes, that lie in so many words, from everyone up to then."""
        self.first_word, self.end_word = first, first + count
        sets.copy(self.taken, first, nodes, offset + first, count)
        self._book(self.time[0], end_at)

    def _book(self, start_at: int, end_at: int) -> None:
        """Book what is to be taken as far as the window goes; that it ends is no opening."""
        if start_at >= self.window_end:
            return
        first = self.cut(start_at)
        end = self.cut(min(end_at, self.window_end))
        self._add(self.booked, first, end)
        self._add(self.so_far, first, self.block_after(end - 1))
        self._add(self.onward, self._block_of(first), end)
        self._note_first(first)
        if end_at < self.window_end:
            self._note_end(end)
        if self.has_unmerged:
            self._merge(first, end if end_at < self.window_end else self.count)

    def _add(self, target: store.Words, first: int, end: int) -> None:
        """Add what is taken to the target's rows of these places."""
        word = self.first_word
        count = self.end_word - word
        sets.add_to_rows(target, self.row, first, end, self.words, word, self.taken, word, count)

    def _note_first(self, place: int) -> None:
        """Note what changes at the place now that what is taken is booked from there on."""
        if place == 0:
            return
        word, count = self.first_word, self.end_word - self.first_word
        before = self.row[place - 1] * self.words + word
        self.changes[place] = sets.exceeds(
            self.taken, word, self.booked, before, count
        ) or self._differs(place)
        if sets.touch(self.taken, word, self.booked, before, count):
            self._take_on(place)

    def _note_end(self, place: int) -> None:
        """Note what changes at the place now that what is taken is booked up to there."""
        if place == 0:
            return
        word, count = self.first_word, self.end_word - self.first_word
        here = self.row[place] * self.words + word
        if not sets.exceeds(self.taken, word, self.booked, here, count):
            self.changes[place] = self._differs(place)
            return
        self.changes[place] = 1
        for field in range(self.layout.fields):
            left = sets.left(
                self.taken,
                word,
                self.layout.field_nodes,
                field * self.words + word,
                self.booked,
                here,
                count,
            )
            if left > 0:
                self.gives.put(field, place, True)

    def _differs(self, place: int) -> bool:
        """Return whether other nodes are booked from the place on than before it."""
        here, before = self.row[place] * self.words, self.row[place - 1] * self.words
        return sets.exceeds(self.booked, before, self.booked, here, self.words) or sets.exceeds(
            self.booked, here, self.booked, before, self.words
        )

    def _take_on(self, place: int) -> None:
        """Note that nodes that were given back at the place may be booked from there on."""
        here, before = self.row[place] * self.words, self.row[place - 1] * self.words
        for field in range(self.layout.fields):
            left = sets.left(
                self.layout.field_nodes,
                field * self.words,
                self.booked,
                before,
                self.booked,
                here,
                self.words,
            )
            self.gives.put(field, place, left > 0)

    def edge_after(self, place: int) -> int:
        """Return the first edge behind the place; `count`, of the places: there is none."""
        following = place + 1
        while following < self.count and not self.edge[self.row[following]]:
            following += 1
        return following

    def is_booked(self, part: int, since: int, until: int) -> bool:
        """Return whether any node of the part is booked at any time from `since` to `until`."""
        word = self.placer.first_word[part]
        count, offset = self.placer.end_word[part] - word, part * self.words + word
        place = self.place_at(since)
        while place < self.count and self.time[place] < until:
            base = self.row[place] * self.words + word
            if sets.touch(self.booked, base, self.placer.nodes, offset, count):
                return True
            place += 1
        return False

    def leaves(self, kind: int, size: int, since: int, until: int) -> bool:
        """Return whether so many of the nodes just found are unbooked all the time: if not, no."""
        place = self.place_at(since)
        while place < self.count and self.time[place] < until:
            following = self.block_after(place)
            if self.time[following - 1] < until:
                left = self._left(kind, self.onward, place)
                place = following
            elif self.leads[place]:
                place = self.place_from(place, until - 1) + 1
                left = self._left(kind, self.so_far, place - 1)
            else:
                left = self._left(kind, self.booked, place)
                place += 1
            if left < size:
                return False
        return True

    def _left(self, kind: int, booked: store.Words, place: int) -> int:
        """Return how many of the nodes just found are not among those booked, of the place."""
        word = self.layout.first_word[kind]
        count, base = self.layout.end_word[kind] - word, self.row[place] * self.words + word
        return sets.left(self.found, word, self.found, word, booked, base, count)

    def clear_until(self, kind: int, part: int, until: int) -> int:
        """Return from when on a slot or a reservation touches nodes of the part; else `until`."""
        words, reservations = self.words, self.layout.reservations
        place, offset = 0, part * words
        while place < self.count and self.time[place] < until:
            row = self.row[place]
            if sets.touch(self.booked, row * words, self.placer.nodes, offset, words):
                return self.time[place]
            if self.layout.calendars:
                opened = self.era[row] * reservations + self.layout.reservation[kind]
                opened *= words
                if sets.exceeds(self.placer.nodes, offset, self.layout.kept_nodes, opened, words):
                    return self.time[place]
            place += 1
        return until
