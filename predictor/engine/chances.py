"""Who could still start in a pass that looks ahead."""

from predictor.engine import sets, store
from predictor.engine.openings import Openings
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue


class Chances:
    """Whether anybody may start, by the nodes that have room now and are kept by no slot.

    Within a pass there are ever fewer of them: who cannot start any more never can again.
    """

    def __init__(self, placer: Placer, openings: Openings, exact_slots: bool) -> None:
        self.placer = placer
        self.openings = openings
        self.queue: Queue = placer.queue
        self.exact_slots = exact_slots
        self.sure = -1
        """The end of the queue that was found last, while nothing has happened that bears on it."""
        self.kind = -1
        self.nodes = store.words(placer.words)
        """Where who is last before it may start, which is of that kind; -1: it may for no nodes."""

    def begin(self, now: int) -> None:
        """Begin a pass."""
        self.placer.search.count_room(self.placer.timeline.slot_at(now))
        self.sure = -1

    def note_start(self) -> None:
        """Take note that somebody has started."""
        self.sure = -1

    def note_slot(self, part: int) -> None:
        """Take note that the nodes of the part are kept for it."""
        if self.kind < 0:
            return
        first = self.placer.layout.first_word[self.kind]
        count = self.placer.layout.end_word[self.kind] - first
        offset = part * self.placer.words + first
        if sets.touch(self.nodes, first, self.placer.nodes, offset, count):
            self.sure = -1

    def end(self, end: int, now: int) -> int:
        """Return the end of the queue as far as somebody before `end` may start."""
        while end > 0 and end != self.sure and not self._is_awaited(self.queue.order[end - 1], now):
            end -= 1
        self.sure = end
        return end

    def _is_awaited(self, record: int, now: int) -> bool:
        """Return whether the record may start."""
        self.kind = -1
        if not self._has_room(record) or not self.queue.is_ready(record, now):
            return False
        part = self.queue.part_start[record]
        if self.exact_slots:
            return True
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            kind, length = self.queue.kind[way], self.queue.least_s[way]
            needed = self.placer.layout.nodes_needed(kind, self.queue.size[way])
            if self.openings.is_open(kind, needed, length, now):
                self.kind = kind
                self.openings.open_nodes(self.nodes, kind)
                return True
        return False

    def _has_room(self, record: int) -> bool:
        """Return whether every part had enough nodes when the pass began."""
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            roomy = False
            for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
                if self.placer.search.room[self.queue.kind[way]] >= self.queue.size[way]:
                    roomy = True
            if not roomy:
                return False
        return True
