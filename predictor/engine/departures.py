"""How somebody leaves who ends: whether that calls for a pass at once, and whose its nodes were.

Source: Slurm 22.05, slurmd's _rpc_terminate_job. A node where nothing is left of the job, and no
epilog is to run, says so in its answer, which makes the background call for a pass in its turn. A
node that must first kill or clear up tells later, and that calls for a pass directly.
"""

from predictor.engine import store
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.rule_tables import Rules
from predictor.engine.tables import QueueTables
from predictor.engine.victims import Victims


class Departures:
    """Is asked of somebody who ends while what it held can still be seen; told when it has left."""

    def __init__(
        self, placer: Placer, held: Held, victims: Victims | None, tables: QueueTables, rules: Rules
    ) -> None:
        self.placer = placer
        self.held = held
        self.queue: Queue = placer.queue
        self.layout: Layout = placer.layout
        self.victims = victims
        self.sent_back = store.filled([int(runner.sent_back) for runner in tables.running])
        self.ends_wait = rules.ends_wait

    def is_uncleared(self, person: int) -> bool:
        """Return whether any of the nodes of somebody who ends are still being cleared."""
        if person < self.queue.jobs:
            return self.placer.is_on_uncleared(self.queue.started_record[person])
        return self.held.touches(person - self.queue.jobs, self.placer.clearing.nodes)

    def waits(self, person: int) -> bool:
        """Return whether the pass that somebody's end calls for waits for a turn."""
        return self.ends_wait and not self._is_killed(person)

    def _is_killed(self, person: int) -> bool:
        """Return whether it has to go for others, or has run for as long as it may."""
        if self.victims is not None and self.victims.is_cut(person):
            return True
        if person < self.queue.jobs:
            record = self.queue.started_record[person]
            part = self.queue.part_start[record]
            return self.placer.run_s(person, record) >= self.placer.length_s[part]
        runner = person - self.queue.jobs
        i = self.held.start[runner]
        return i < self.held.start[runner + 1] and self.queue.ends_at[runner] >= self.held.until[i]

    def begin(self, now: int) -> None:
        """Note what those left who have ended before the beginning, as far as that is not over."""
        for runner in range(self.queue.people - self.queue.jobs):
            if self.queue.ends_at[runner] <= now:
                self.note(self.queue.jobs + runner, now)

    def note(self, person: int, now: int) -> None:
        """Note since when the nodes are idle of somebody who has left them, and whose they were."""
        if person >= self.queue.jobs:
            runner = person - self.queue.jobs
            for i in range(self.held.start[runner], self.held.start[runner + 1]):
                self._note(person, self.held.nodes, i, self.held.shape[i], now)
            return
        record = self.queue.started_record[person]
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            kind = self.queue.kind[self.placer.way[part]]
            self._note(person, self.placer.nodes, part, self.layout.shape[kind], now)

    def _note(self, person: int, nodes: store.Words, row: int, shape: int, now: int) -> None:
        offset = row * self.layout.words
        self.placer.waking.note_idle(nodes, offset, now)
        if self.layout.owners:
            back = self._waits_again(person)
            self.placer.clearing.leave(person, nodes, offset, shape, back)

    def _waits_again(self, person: int) -> bool:
        """Return whether somebody who leaves waits anew, or has done so since before."""
        if self.victims is not None and self.victims.is_cut(person):
            return self.victims.returns_as(person) >= 0
        if person >= self.queue.jobs:
            return self.sent_back[person - self.queue.jobs] > 0
        return self.queue.is_sent_back(person)
