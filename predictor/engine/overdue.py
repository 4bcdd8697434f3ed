"""Who runs on beyond its planned end: nobody who plans sees that before that end has come.

Source: Slurm 22.05, plans made of the limits of running jobs, as the log of its passes tells.
"""

from predictor.engine import codes, store
from predictor.engine.held import Held
from predictor.engine.placer import Placer
from predictor.engine.tables import QueueTables


class Overdue:
    """Lets what is held be held for longer, once that shows."""

    def __init__(self, placer: Placer, held: Held, tables: QueueTables, foreseen: bool) -> None:
        self.placer = placer
        self.queue = placer.queue
        self.held = held
        self.foreseen = foreseen
        """Whether everybody sees from the start who runs on."""
        self.ends_at = store.numbers(self.queue.parts)
        """By part: when it really ends, if nobody sees yet that this is beyond its plan."""
        self.due_at = store.filled([runner.due_at for runner in tables.running])
        """By runner: when its limit is over; -1: when its plan is."""
        self.grace_s = store.filled([runner.grace_s for runner in tables.running])
        """By runner: how long after that it is taken to end if it runs on."""
        self.ahead_s = store.filled([runner.ahead_s for runner in tables.running])
        """By runner: how long from now it is taken to end if that is later."""

    def begin(self, runner: int) -> None:
        """Let one who ran at the beginning hold what it holds."""
        person, ends_at = self.queue.jobs + runner, self.queue.ends_at[runner]
        parts, words = self.queue.parts, self.placer.words
        for i in range(self.held.start[runner], self.held.start[runner + 1]):
            until = self.held.until[i]
            if ends_at > until and self.foreseen:
                self.held.until[i] = ends_at
            elif ends_at > until:
                self.queue.events.push(until, codes.OVERDUE, person)
            self.held.hold(i, True)
            if 0 <= self.due_at[runner] < until:
                self.placer.groups.due_at[parts + i] = self.due_at[runner]
            # Whose end is only being completed counts in no group any more.
            if until > self.held.begun_at:
                self.placer.groups.add(parts + i, self.held.nodes, i * words, self.held.until[i])

    def note(self, part: int, job: int, ends_at: int) -> None:
        """Take note of when a part of somebody really ends that has just started."""
        planned_end_at = self.placer.planned_end(part)
        if ends_at <= planned_end_at:
            return
        if self.foreseen:
            self.placer.overrun(part, ends_at, True)
        else:
            self.ends_at[part] = ends_at
            self.queue.events.push(planned_end_at, codes.OVERDUE, job)

    def lay(self, part: int, ends_at: int, take: bool) -> None:
        """Take or give back what a part holds beyond its planned end, as far as anybody sees it."""
        if self.ends_at[part] == 0:
            self.placer.overrun(part, ends_at, take)

    def show(self, person: int, now: int) -> None:
        """Let everybody see now that somebody runs on.

        Of who has begun since: until when, too.
        """
        if person >= self.queue.jobs:
            self._show_runner(person - self.queue.jobs, now)
            return
        record = self.queue.started_record[person]
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if self.ends_at[part] > self.placer.planned_end(part):
                self.placer.overrun(part, self.ends_at[part], True)
            self.ends_at[part] = 0

    def lingers(self, runner: int, now: int) -> bool:
        """Return whether somebody who ran at the beginning runs on, and nobody sees how long."""
        return not self.foreseen and self.due_at[runner] <= now

    def _show_runner(self, runner: int, now: int) -> None:
        if self.due_at[runner] < 0:
            self.due_at[runner] = self._planned_end(runner)
        due_at, ends_at = self.due_at[runner], self.queue.ends_at[runner]
        until = max(due_at + self.grace_s[runner], now + self.ahead_s[runner])
        if self.foreseen:
            until = ends_at
        elif due_at > now:
            return
        parts, words, nodes = self.queue.parts, self.placer.words, self.held.nodes
        for i in range(self.held.start[runner], self.held.start[runner + 1]):
            if self.held.until[i] < min(until, ends_at):
                self.held.extend(i, until, now)
                self.placer.groups.put_off(parts + i, nodes, i * words, due_at, until)

    def _planned_end(self, runner: int) -> int:
        """Return when the last ends, by plan, of what somebody holds who ran at the beginning."""
        latest = 0
        for i in range(self.held.start[runner], self.held.start[runner + 1]):
            latest = max(latest, self.held.until[i])
        return latest
