"""The ends of running jobs as a scheduler sees them that looks at several of them at once.

Source: Slurm's search for the first start of a job, which lets running jobs end group by group,
in spans of time that grow with each group, and tells the end of the last of a group. Measured on
a real one: of 109 jobs that were first in line, 105 starts were told so to the second.
"""

from collections.abc import Iterator

from predictor.engine import codes, sets, store
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.queue import Queue
from predictor.engine.ranking_tables import NEVER
from predictor.engine.rule_tables import Rules


class Groups:
    """What of the nodes is held until when, and in which group each end falls.

    Holdings are numbered by the caller. Those of one job that end together are one. Ends in the
    same second have the order of the list of all jobs.
    """

    def __init__(self, layout: Layout, queue: Queue, held: Held, rules: Rules) -> None:
        self.layout = layout
        parts = queue.parts
        self.lead = store.filled([*range(parts), *(parts + first for first in held.lead)])
        """By holding: the first holding of the same job."""
        self.ordinal = store.filled([queue.ordinal[person] for person in _holders(queue, held)])
        """By holding: its job's number in the list of all jobs."""
        holdings = len(self.lead)
        self.words = self.layout.words
        self.first_s = rules.group_s
        self.step_s = rules.group_step_s
        self.kind = store.filled([*_kinds(queue), *held.kind])
        """By holding: a kind with the licenses it has; -1: it has none."""
        self.licenses_seen = rules.licenses_seen
        self.wants = -1
        """The kind asked about, if those count who give back licenses that it wants."""
        self.ends_at = store.numbers(holdings)
        self.due_at = store.numbers(holdings)
        """By holding: when it was to end at first, if that has been put off; 0: it has not."""
        self.nodes = store.words(holdings * self.words)
        self.count = 0
        self.alive = store.numbers(holdings)
        """By end: whose it is, the number of a holding."""
        self.end_at = store.numbers(holdings)
        """By end: when it is; never falling."""
        self.word_at = store.numbers(holdings)
        """By end: which word of the holding's nodes is the first that is not empty."""
        self.word = store.words(holdings)
        """By end: that first word itself."""
        self.words_of = store.numbers(holdings)
        """By end: how many words there are from that one to the last that is not empty."""
        self.batches = -(-holdings // codes.BATCH)
        self.held = store.words(self.batches * self.words)
        """By batch of holdings in order of ends: the nodes that any of them holds."""
        self.counted = False
        """Whether nobody has come or gone since `held` was found out."""
        self.among = store.words(self.words)
        """The nodes that are asked about: whoever asks puts them there."""
        self.first_word = 0
        self.among_words = 0
        """In how many words, from `first_word` on, nodes are asked about."""
        self.until = NEVER
        """Only ends up to then count."""
        self.first = 0
        """The first end that counts of somebody who holds any of the nodes asked about."""
        self.last = 0
        """The last end of the group found last."""
        self.mark = 0
        self.width = 0
        self.ties = False
        """Whether the end behind that one falls in the same second."""

    def add(self, holding: int, nodes: store.Words, offset: int, ends_at: int) -> None:
        """Note what is held until then."""
        self.ends_at[holding] = ends_at
        self.counted = False
        if self.lead[holding] != holding and self._join(holding, nodes, offset, ends_at):
            return
        sets.copy(self.nodes, holding * self.words, nodes, offset, self.words)
        i = self.count
        self.count += 1
        while i > 0 and self._is_behind(i - 1, holding, ends_at):
            self._move(i - 1, i)
            i -= 1
        self.alive[i] = holding
        self.end_at[i] = ends_at
        self._span(i)

    def put_off(
        self, holding: int, nodes: store.Words, offset: int, due_at: int, ends_at: int
    ) -> None:
        """Note that what was to end at first when it was due is held until then."""
        self.drop(holding)
        self.add(holding, nodes, offset, ends_at)
        self.due_at[holding] = due_at

    def _is_behind(self, i: int, holding: int, ends_at: int) -> bool:
        """Return whether an end comes behind that of a holding, which is then."""
        if self.end_at[i] != ends_at:
            return self.end_at[i] > ends_at
        return self.ordinal[self.alive[i]] > self.ordinal[holding]

    def _join(self, holding: int, nodes: store.Words, offset: int, ends_at: int) -> bool:
        """Count these nodes to those that the same job gives back then; if it does any."""
        lead, i = self.lead[holding], self.count - 1
        while i >= 0 and self.end_at[i] >= ends_at:
            if self.alive[i] == lead and self.end_at[i] == ends_at:
                sets.add(self.nodes, lead * self.words, nodes, offset, self.words)
                self._span(i)
                return True
            i -= 1
        return False

    def _span(self, i: int) -> None:
        """Find anew between which words the nodes of an end lie."""
        base, end_word = self.alive[i] * self.words, 0
        self.word_at[i] = self.words - 1
        for w in range(self.words):
            if self.nodes[base + w]:
                self.word_at[i] = min(self.word_at[i], w)
                end_word = w + 1
        self.word[i] = self.nodes[base + self.word_at[i]]
        self.words_of[i] = end_word - self.word_at[i]

    def drop(self, holding: int) -> None:
        """Note that it is not held any more, nor what joined it, if it was."""
        kept = 0
        for i in range(self.count):
            if self.alive[i] != holding:
                self._move(i, kept)
                kept += 1
        self.count = kept
        self.counted = False

    def _move(self, source: int, target: int) -> None:
        self.alive[target] = self.alive[source]
        self.end_at[target] = self.end_at[source]
        self.word_at[target] = self.word_at[source]
        self.word[target] = self.word[source]
        self.words_of[target] = self.words_of[source]

    def _count(self) -> None:
        """Find out which nodes are held in each batch of ends."""
        self.counted = True
        for batch in range(-(-self.count // codes.BATCH)):
            base = batch * self.words
            sets.remove(self.held, base, self.held, base, self.words)
        for i in range(self.count):
            first = self.word_at[i]
            base = (i >> codes.BATCH_BITS) * self.words + first
            if self.words_of[i] > 0:
                row = self.alive[i] * self.words + first
                sets.add(self.held, base, self.nodes, row, self.words_of[i])

    def add_held(self, nodes: store.Words) -> None:
        """Add the nodes that anybody holds."""
        if not self.counted:
            self._count()
        for batch in range(-(-self.count // codes.BATCH)):
            sets.add(nodes, 0, self.held, batch * self.words, self.words)

    def ask(self, kind: int, since: int, until: int) -> int:
        """Let what follows be about the nodes `among` those of the kind; return their first end.

        Only ends from `since` to `until` count. -1: there is none.
        """
        if not self.counted:
            self._count()
        self.ties = False
        self.wants = -1
        if self.licenses_seen and self.layout.has_licenses(kind):
            self.wants = kind
        self.first_word = self.layout.first_word[kind]
        self.among_words = self.layout.end_word[kind] - self.first_word
        self.until = until
        self.first = self._next_touching(self._count_until(since - 1))
        return self.end_at[self.first] if self._counts(self.first) else -1

    def begin_overdue(self) -> bool:
        """Return whether the first end of all is that of somebody who should have ended by now."""
        return self.count > 0 and self.due_at[self.alive[0]] > 0

    def _counts(self, i: int) -> bool:
        """Return whether there is an end there that counts."""
        return i < self.count and self.end_at[i] <= self.until

    def end_of(self, at: int) -> int:
        """Return the end of the last one in the group in which `at` falls; `at` if in none.

        Only those belong to groups that hold any of the nodes asked about. Yet whether a group goes
        on is seen from the very next end, whosever that is: where that belongs to nobody in a
        group, the group goes on to the next that does, however late. Of those that end in the same
        second some may fall into a later group then, as `ties` tells: those behind `last`.
        """
        if not self._counts(self.first):
            return at
        if self.first_s == 0:
            return self._first_at(at) if self.layout.exact else at
        # An end just on a mark belongs to the next one. That of the first may long have been due.
        first_end = self.due_at[self.alive[self.first]]
        if first_end == 0:
            first_end = self.end_at[self.first]
        self.mark = (first_end // codes.ALIGNED_S + 1) * codes.ALIGNED_S
        self.width = self.first_s
        # Of the groups that are to end before `at` the last will do: one before it could last
        # beyond `at` only if nobody who ends in between held any of the nodes; then so would it.
        while self._wider(self.width) < at - self.mark:
            self.width = self._wider(self.width)
        self.last = self._last_of_group(self.first, self.mark + self.width)
        while self.end_at[self.last] < at:
            if not self._turn_to_next():
                return at
        return self._ended()

    def _first_at(self, at: int) -> int:
        """Return `at`, where each end is a group of its own: of those of that second the first.

        That is so where nodes are handed out whole. Source: Slurm 22.05, select/linear,
        _will_run_test.
        """
        self.last = self._next_touching(self._count_until(at - 1))
        self.ties = False
        if self.last < self.count and self.end_at[self.last] == at:
            return self._ended()
        return at

    def own_end(self, nodes: store.Words, offset: int, since: int) -> int:
        """Return the end of the last in the groups so far, not before `since`, that holds any.

        Any of these nodes, that is. `since` if nobody does.
        """
        i = self.last if self._counts(self.first) else -1
        while i >= 0 and self.end_at[i] > since:
            first = self.word_at[i]
            row = self.alive[i] * self.words + first
            if sets.touch(self.nodes, row, nodes, offset + first, self.words_of[i]):
                return self.end_at[i]
            i -= 1
        return since

    def end_behind(self) -> int:
        """Return the end of the group behind the one found last, or its own if it is the last.

        Who ends in the same second as the last one holds none of the nodes asked about.
        """
        return self._ended() if self._turn_to_next() else self.end_at[self.last]

    def _turn_to_next(self) -> bool:
        first = self._next_touching(self.last + 1)
        self.ties = False
        if not self._counts(first):
            return False
        if self.first_s == 0:
            self.last = first
            return True
        self.width = self._wider(self.width)
        while self.width < self.end_at[self.last + 1] - self.mark:
            self.width = self._wider(self.width)
        self.last = self._last_of_group(first, self.mark + self.width)
        return True

    def _ended(self) -> int:
        following = self.last + 1
        ends_at = self.end_at[self.last]
        self.ties = following < self.count and self.end_at[following] == ends_at
        return ends_at

    def _last_of_group(self, first: int, until: int) -> int:
        """Return the last of the group that begins with `first`, in order of ends."""
        # Up to here each is followed by one that ends in time, so that nobody ends the group.
        i = self._count_until(min(until, self.until)) - 1
        if i <= first or self._touches(i):
            return max(i, first)
        following = self._next_touching(i + 1)
        if self._counts(following):
            return following
        return self._touching_before(i)

    def _next_touching(self, i: int) -> int:
        """Return the first from `i` on, in order of ends, that holds any of the nodes."""
        while self.wants >= 0 and i < self.count and not self._touches(i):
            i += 1
        while self.wants < 0 and i < self.count:
            if i & (codes.BATCH - 1) == 0 and not self._any_touches(i >> codes.BATCH_BITS):
                i += codes.BATCH
                continue
            end = min(self.count, (i | (codes.BATCH - 1)) + 1)
            i = sets.next_touching(
                self.word,
                self.word_at,
                self.words_of,
                self.alive,
                self.nodes,
                self.words,
                self.among,
                i,
                end,
            )
            if i < end:
                return i
        return min(i, self.count)

    def _touching_before(self, i: int) -> int:
        """Return the last before `i`, in order of ends, that holds any of the nodes; one does."""
        while True:
            batch = (i >> codes.BATCH_BITS) - 1
            if self.wants < 0 and i & (codes.BATCH - 1) == 0 and not self._any_touches(batch):
                i -= codes.BATCH
                continue
            i -= 1
            if self._touches(i):
                return i

    def _any_touches(self, batch: int) -> bool:
        base = batch * self.words + self.first_word
        return sets.touch(self.held, base, self.among, self.first_word, self.among_words)

    def _count_until(self, at: int) -> int:
        """Return how many end at `at` or before."""
        low, rest = 0, self.count
        while rest > 0:
            half = rest + 1 >> 1
            if self.end_at[low + half - 1] <= at:
                low += half
            rest -= half
        return low

    def _touches(self, i: int) -> bool:
        first = self.word_at[i]
        if self.word[i] & self.among[first]:
            return True
        if self.wants >= 0 and self._lends(self.kind[self.alive[i]]):
            return True
        # Most are in one word.
        if self.words_of[i] <= 1:
            return False
        row = self.alive[i] * self.words + first
        return sets.touch(self.nodes, row, self.among, first, self.words_of[i])

    def _lends(self, kind: int) -> bool:
        """Return whether who has the licenses of a kind has any of those wanted.

        Source: Slurm 24.11, license_list_overlap in _future_run_test.
        """
        if kind < 0:
            return False
        pools = self.layout.license_pool
        for i in range(self.layout.license_start[kind], self.layout.license_start[kind + 1]):
            first = self.layout.license_start[self.wants]
            for k in range(first, self.layout.license_start[self.wants + 1]):
                if pools[i] == pools[k]:
                    return True
        return False

    def _wider(self, width: int) -> int:
        """Return how wide the group behind one of that width is at least."""
        return width + (self.step_s if self.step_s > 0 else width)


def _kinds(queue: Queue) -> Iterator[int]:
    """Yield by part of those who wait the kind of its first way; all of a job want the same."""
    for part in range(queue.parts):
        yield queue.kind[queue.way_start[part]]


def _holders(queue: Queue, held: Held) -> Iterator[int]:
    """Yield by holding whose it is: first by part of those who wait, then of those who run."""
    for record in range(queue.records):
        for _ in range(queue.part_start[record], queue.part_start[record + 1]):
            yield queue.record_job[record]
    for runner in range(queue.people - queue.jobs):
        for _ in range(held.start[runner], held.start[runner + 1]):
            yield queue.jobs + runner
