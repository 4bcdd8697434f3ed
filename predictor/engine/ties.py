"""Running jobs that end in the same second as a group of ends, but are counted with the next group.

Source: Slurm's search for the first start of a job, which then sees what they hold as still held.
"""

from predictor.engine import sets, store
from predictor.engine.groups import Groups
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.placer import Placer
from predictor.engine.search import Search


class Ties:
    """Leaves what they give back aside, while what the group gives back is looked at."""

    def __init__(self, placer: Placer, held: Held) -> None:
        self.placer = placer
        self.held = held
        self.groups: Groups = placer.groups
        self.search: Search = placer.search
        self.layout: Layout = placer.layout
        self.words = placer.words
        self.tied = store.words(self.words)
        """The nodes that only they give back, where nobody shares nodes."""
        self.found = store.words(self.words)
        """The nodes found with those that they give back."""

    def leave(self, kind: int, size: int, before: int) -> bool:
        """Return whether the group leaves so much, `before` being the slot before it."""
        if not self.groups.ties:
            return True
        if self.layout.exact:
            return self._leave_nodes(kind, size, before)
        ends_at = self.groups.end_at[self.groups.last]
        self.hold(True)
        enough = self.search.room_then(kind, size, ends_at)
        self.hold(False)
        if not enough:
            # The next group may end in the same second.
            self.search.room_then(kind, size, ends_at)
        return enough

    def _leave_nodes(self, kind: int, size: int, before: int) -> bool:
        """Return whether those of the nodes found that are not tied will do."""
        sets.remove(self.tied, 0, self.tied, 0, self.words)
        i = self.groups.last + 1
        while self._is_tied(i):
            row = self.groups.alive[i] * self.words
            sets.add(self.tied, 0, self.groups.nodes, row, self.words)
            i += 1
        row = self.search.room_row(kind, before)
        sets.remove(self.tied, 0, self.search.timeline.room, row, self.words)
        sets.copy(self.found, 0, self.search.common, 0, self.words)
        enough = self.search.keep_off(self.tied, kind, size)
        sets.copy(self.search.common, 0, self.found, 0, self.words)
        return enough

    def _is_tied(self, i: int) -> bool:
        return i < self.groups.count and (
            self.groups.end_at[i] == self.groups.end_at[self.groups.last]
        )

    def find(self, kind: int, size: int, ended_at: int, found_at: int) -> None:
        """Find the nodes that the group leaves room on, of which those at `found_at` are found.

        What they would give back is held from now on, if nodes are shared, until `hold` ends it.
        """
        self.hold(True)
        if ended_at > found_at or (self.groups.ties and not self.layout.exact):
            self.search.room_then(kind, size, ended_at)
        if self.groups.ties and self.layout.exact:
            sets.remove(self.search.common, 0, self.tied, 0, self.words)

    def hold(self, take: bool) -> None:
        """Let those hold what they hold for a second more, or no more, where nodes are shared."""
        if self.layout.exact or not self.groups.ties:
            return
        parts, at = self.placer.queue.parts, self.groups.end_at[self.groups.last]
        i = self.groups.last + 1
        while self._is_tied(i):
            lead = self.groups.alive[i]
            if lead < parts:
                self.placer.lay(lead, at, at + 1, take)
            else:
                self.held.linger(lead - parts, at, take)
            i += 1
