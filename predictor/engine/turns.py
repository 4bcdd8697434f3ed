"""Turns within an array: the first task that waits starts, whichever was found a place.

Source: Slurm 22.05 to 26.05, where all that wait are one record. Who starts leaves it, in order.
"""

from predictor.engine import sets, store
from predictor.engine.announcements import Announcements
from predictor.engine.given import Given
from predictor.engine.layout import Layout
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.slots import Slots


class Turns:
    """In one pass, who of those tasks has a slot that is looked at one after the other."""

    def __init__(self, placer: Placer, slots: Slots, announced: Announcements) -> None:
        self.placer = placer
        self.given: Given = placer.given
        self.layout: Layout = placer.layout
        self.slots = slots
        self.announced = announced
        self.queue: Queue = placer.queue
        self.words = placer.words
        self.nodes = store.words(placer.words)
        self.place = 0
        """Where in the queue's order the task stands that is looked at."""
        self.lead = -1
        """Where the first one stands that waits with a slot; -1: none does."""

    def turn_to(self, place: int, follows: bool) -> None:
        """Look at who stands there. `follows`: after another task of the same array."""
        self.place = place
        if not follows:
            self.lead = -1

    def note_slot(self) -> None:
        """Note that whoever is looked at has got a slot."""
        if self.lead < 0:
            self.lead = self.place

    def first(self, record: int, now: int) -> int:
        """Return who starts where the record was found a place now.

        Those who have slots, up to the record, get that of the one before.
        """
        if self.lead < 0:
            return record
        first = self.queue.order[self.lead]
        if not self._are_alike(first, record):
            return record
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.placer.start_at[part] = now
        for place in range(self.lead, self.place):
            one = self.queue.order[place]
            if self.queue.is_ready(one, now) and self._are_alike(one, record):
                self._exchange(one, record)
        self.slots.hand_over(first, record)
        self.lead += 1
        while self.lead < self.place and not self.queue.is_ready(self.queue.order[self.lead], now):
            self.lead += 1
        return first

    def _exchange(self, one: int, other: int) -> None:
        """Let two records be placed each where the other was."""
        start = self.queue.part_start[one]
        away = self.queue.part_start[other] - start
        for part in range(start, self.queue.part_start[one + 1]):
            self._exchange_parts(part, part + away)
        self.announced.tell(one, self.placer.start_at[start])
        self.announced.tell(other, self.placer.start_at[start + away])

    def _are_alike(self, one: int, other: int) -> bool:
        """Return whether both may be placed in the same ways."""
        start, end = self.queue.part_start[one], self.queue.part_start[one + 1]
        away = self.queue.part_start[other] - start
        if self.queue.part_start[other + 1] - end != away:
            return False
        for part in range(start, end):
            way, last = self.queue.way_start[part], self.queue.way_start[part + 1]
            other_way = self.queue.way_start[part + away]
            if self.queue.way_start[part + away + 1] - other_way != last - way:
                return False
            while way < last:
                if not self._are_ways_alike(way, other_way):
                    return False
                way += 1
                other_way += 1
        return True

    def _are_ways_alike(self, one: int, other: int) -> bool:
        if self.queue.kind[one] != self.queue.kind[other]:
            return False
        if self.queue.size[one] != self.queue.size[other]:
            return False
        equal = self.queue.length_s[one] == self.queue.length_s[other]
        return equal and self.queue.least_s[one] == self.queue.least_s[other]

    def _exchange_parts(self, one: int, other: int) -> None:
        """Let two parts be placed each where the other was."""
        here, there = one * self.words, other * self.words
        sets.copy(self.nodes, 0, self.placer.nodes, here, self.words)
        sets.copy(self.placer.nodes, here, self.placer.nodes, there, self.words)
        sets.copy(self.placer.nodes, there, self.nodes, 0, self.words)
        self._swap(self.placer.first_word, one, other)
        self._swap(self.placer.end_word, one, other)
        self._swap(self.placer.length_s, one, other)
        self._swap(self.placer.start_at, one, other)
        if self.layout.spreads:
            self._swap(self.given.start, one, other)
            self._swap(self.given.room, one, other)
        away = self.queue.way_start[other] - self.queue.way_start[one]
        self._swap(self.placer.way, one, other)
        self.placer.way[one] -= away
        self.placer.way[other] += away

    def _swap(self, values: store.Words, one: int, other: int) -> None:
        kept = values[one]
        values[one] = values[other]
        values[other] = kept
