"""Who runs on beyond its planned end: nobody who plans sees that before that end has come.

Source: Slurm 22.05, plans made of the limits of running jobs, as the log of its passes tells.
"""

from predictor.engine import codes, store
from predictor.engine.held import Held
from predictor.engine.placer import Placer


class Overdue:
    """Lets what is held be held for longer, once that shows."""

    def __init__(self, placer: Placer, held: Held, foreseen: bool) -> None:
        self.placer = placer
        self.queue = placer.queue
        self.held = held
        self.foreseen = foreseen
        """Whether everybody sees it from the start."""
        self.ends_at = store.numbers(self.queue.parts)
        """By part: when it really ends, if nobody sees yet that this is beyond its plan."""

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

    def show(self, person: int) -> None:
        """Let everybody see until when somebody who runs holds what it holds."""
        if person >= self.queue.jobs:
            self._show_runner(person - self.queue.jobs)
            return
        record = self.queue.started_record[person]
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if self.ends_at[part] > self.placer.planned_end(part):
                self.placer.overrun(part, self.ends_at[part], True)
            self.ends_at[part] = 0

    def _show_runner(self, runner: int) -> None:
        ends_at = self.queue.ends_at[runner]
        parts, words = self.queue.parts, self.placer.words
        for i in range(self.held.start[runner], self.held.start[runner + 1]):
            if ends_at > self.held.until[i]:
                self.held.extend(i, ends_at)
                self.placer.groups.drop(parts + i)
                self.placer.groups.add(parts + i, self.held.nodes, i * words, ends_at)
