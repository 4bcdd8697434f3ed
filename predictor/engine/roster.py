"""Who runs, what each holds of the nodes, and until when: kept where some may be ended."""

from predictor.engine import bits, store
from predictor.engine.groups import Groups
from predictor.engine.held import Held
from predictor.engine.overdue import Overdue
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.timeline import Timeline


class Roster:
    """Everybody who runs; takes what they hold on the timeline, and gives it back."""

    def __init__(self, placer: Placer, held: Held, overdue: Overdue) -> None:
        self.placer = placer
        self.overdue = overdue
        self.held = held
        self.queue: Queue = placer.queue
        self.timeline: Timeline = placer.timeline
        self.groups: Groups = placer.groups
        self.words = placer.words
        people = self.queue.people
        self.count = 0
        self.people = store.numbers(people)
        self.began_at = store.numbers(people)
        self.ends_at = store.numbers(people)
        """When each ends if nobody ends it."""
        self.cut_at = store.filled([-1] * people)
        """When each is gone because somebody ends it; -1: nobody does."""
        self.free_until = store.filled([-1] * people)
        """Until when somebody may go on who is to make room; -1: it is not."""
        self.dying = store.numbers(people)
        """Whether somebody is being ended without any time left."""
        self.for_whom = store.filled([-1] * people)
        """The job for which somebody had to go first; -1: for none, so far."""
        self.gone_at = store.filled([-1] * people)
        """When who was ended for another was gone; -1: it is not."""
        self.moved_to = store.filled([-1] * people)
        """Until when all is held of somebody whose end was put off, or on; -1: as planned."""
        self.width = store.numbers(people)
        """How many nodes each holds."""

    def begin(self, person: int, began_at: int, ends_at: int) -> None:
        """Enter somebody who has started and holds what it holds."""
        self.people[self.count] = person
        self.count += 1
        self.began_at[person] = began_at
        self.ends_at[person] = ends_at
        self.cut_at[person] = -1
        self.free_until[person] = -1
        self.dying[person] = 0
        self.moved_to[person] = -1
        self.width[person] = 0
        for hold in range(self.first(person), self.last(person)):
            self.width[person] += self._width(hold)

    def is_end(self, person: int, at: int) -> bool:
        """Return whether somebody who runs is gone at that instant; else that was planned once."""
        if self.is_cut(person):
            return self.cut_at[person] == at
        return self.ends_at[person] == at

    def is_cut(self, person: int) -> bool:
        """Return whether somebody else ends it, before it would end."""
        return 0 <= self.cut_at[person] < self.ends_at[person]

    def leave(self, person: int, at: int) -> None:
        """Give back what somebody holds who is gone."""
        if self.is_cut(person) and self.gone_at[person] < 0:
            self.gone_at[person] = at
        self.lay(person, False)
        kept = 0
        for i in range(self.count):
            if self.people[i] != person:
                self.people[kept] = self.people[i]
                kept += 1
        self.count = kept

    def cut(self, person: int, at: int, dying: bool, job: int) -> None:
        """Let somebody be gone by `at` for a job; who plans with its nodes sees that from now on.

        `dying`: it has no time left before that.
        """
        if self.gone_at[person] < 0:
            self.for_whom[person] = job
        self.dying[person] = dying
        sooner = at < self.until(person)
        self.cut_at[person] = at
        if sooner:
            self.move_end(person, at)

    def move_end(self, person: int, at: int) -> None:
        """Let those who plan see that somebody holds all it holds until `at`."""
        self.lay(person, False)
        self.moved_to[person] = at
        parts = self.queue.parts
        for hold in range(self.first(person), self.last(person)):
            self.groups.ends_at[hold] = at
            if hold >= parts:
                self.held.until[hold - parts] = at
        self.lay(person, True)

    def until(self, person: int) -> int:
        """Return until when it holds anything, by plan or really."""
        if self.moved_to[person] >= 0:
            return self.moved_to[person]
        latest = self.ends_at[person]
        parts = self.queue.parts
        for hold in range(self.first(person), self.last(person)):
            if hold >= parts:
                until = self.held.until[hold - parts]
            else:
                until = self.placer.planned_end(hold)
            if until > latest:
                latest = until
        return latest

    def lay(self, person: int, take: bool) -> None:
        """Take what somebody holds, or give it back as if it were gone."""
        parts = self.queue.parts
        for hold in range(self.first(person), self.last(person)):
            if hold >= parts:
                self.held.hold(hold - parts, take)
            elif self.moved_to[person] >= 0:
                self.placer.lay(hold, self.placer.start_at[hold], self.moved_to[person], take)
            else:
                self.placer.hold(hold, self.placer.start_at[hold], take)
                self.overdue.lay(hold, self.ends_at[person], take)
            self._show(hold, take)

    def show_ends(self, person: int, shown: bool) -> None:
        """Let those see its ends, or not, who look at several ends at once."""
        for hold in range(self.first(person), self.last(person)):
            self._show(hold, shown)

    def _show(self, hold: int, take: bool) -> None:
        if not take:
            self.groups.drop(hold)
        elif hold >= self.queue.parts:
            offset = (hold - self.queue.parts) * self.words
            self.groups.add(hold, self.held.nodes, offset, self.groups.ends_at[hold])
        else:
            self.groups.add(hold, self.placer.nodes, hold * self.words, self.groups.ends_at[hold])

    # -- which nodes --------------------------------------------------------------------------

    def common(self, person: int, nodes: store.Words, offset: int) -> int:
        """Return how many of these nodes somebody holds."""
        found = 0
        for hold in range(self.first(person), self.last(person)):
            for w in range(self.words):
                found += bits.popcount(self.word(hold, w) & nodes[offset + w])
        return found

    def _width(self, hold: int) -> int:
        found = 0
        for w in range(self.words):
            found += bits.popcount(self.word(hold, w))
        return found

    def word(self, hold: int, w: int) -> int:
        """Return a word of the set of nodes held."""
        if hold >= self.queue.parts:
            return self.held.nodes[(hold - self.queue.parts) * self.words + w]
        return self.placer.nodes[hold * self.words + w]

    def shape(self, hold: int) -> int:
        """Return what is held of each node."""
        if hold >= self.queue.parts:
            return self.held.shape[hold - self.queue.parts]
        return self.placer.layout.shape[self.queue.kind[self.placer.way[hold]]]

    def holds(self, hold: int, node: int) -> bool:
        """Return whether the node is among those held."""
        w = node // self.placer.layout.bits
        return self.word(hold, w) >> (node - w * self.placer.layout.bits) & 1 != 0

    def first(self, person: int) -> int:
        """Return the first number of what somebody holds: parts, then what was held at first."""
        if person >= self.queue.jobs:
            return self.queue.parts + self.held.start[person - self.queue.jobs]
        return self.queue.part_start[self.queue.started_record[person]]

    def last(self, person: int) -> int:
        """Return the number after the last one."""
        if person >= self.queue.jobs:
            return self.queue.parts + self.held.start[person - self.queue.jobs + 1]
        return self.queue.part_start[self.queue.started_record[person] + 1]
