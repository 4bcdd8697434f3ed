"""When passes in strict order are due: regularly, and when something calls for one.

Source: Slurm 22.05, the scheduler's thread (_sched_agent) and the one in the background. The former
makes a pass whenever it is asked for one. Some ask it directly; all others ask the background,
which lets some time pass between one time it asks and the next, its regular ones included.
"""

from predictor.engine.rule_tables import Rules


class Calls:
    """Is told what calls for a pass, and when one is made; asked for ever later instants.

    However many call, the passes keep a pause between them.
    """

    def __init__(self, rules: Rules, now: int) -> None:
        self.period_s = max(1, rules.main_period_s)
        self.turns_apart_s = rules.arrival_delay_s
        self.pause_s = rules.main_pause_s
        self.regular_at = now + self.period_s if rules.main_first_at < 0 else rules.main_first_at
        """When the next regular pass is due."""
        self.is_called = True
        """Whether a pass is to be made as soon as the pause is over."""
        self.looks_at_all = False
        """Whether the pass to be made is a regular one."""
        self.bounded = rules.main_depth > 0
        """Whether only regular passes look at all jobs."""
        self.owes = False
        """Whether none has looked at all jobs since a pass ahead saw that something happened."""
        self.rested_at = now
        """When the pause ends."""
        self.waits = False
        """Whether somebody waits for a turn."""
        self.turn_at = self.regular_at - self.period_s + self.turns_apart_s
        """When the next turn is at the soonest."""

    def see(self, now: int) -> None:
        """Take note of the time: what was due until now found nothing to do if no pass was made."""
        while self._served_at() < now:
            self._serve(self._served_at())

    def call(self) -> None:
        """Call for a pass at once."""
        self.is_called = True

    def queue(self) -> None:
        """Call for a pass when it is the turn of those who wait for one."""
        self.waits = True

    def end(self, waits: bool) -> None:
        """Call for a pass for the sake of an end, which may wait for a turn as well."""
        if waits:
            self.queue()
        else:
            self.call()

    def forget(self, now: int) -> None:
        """Let what has called for a pass by now have called in vain."""
        self._take_turn(now)
        self.is_called = self.looks_at_all = False

    def owe(self) -> None:
        """Take note that a pass that looks ahead has seen what happened; it may pass over jobs."""
        self.owes = self.bounded

    def is_due(self, now: int, stirred: bool) -> bool:
        """Return whether a pass is to be made; one that is due in a pause is put off to its end.

        `stirred`: something has happened since a pass last looked ahead. Else only a regular one
        is, and only if it is owed.
        """
        if not stirred and not (self.owes and (self.looks_at_all or now >= self.regular_at)):
            return False
        self._take_turn(now)
        return self.is_called and now >= self.rested_at

    def is_regular(self) -> bool:
        """Return whether the pass that is due is a regular one."""
        return self.looks_at_all

    def note(self, now: int) -> None:
        """Take note that a pass is made."""
        self.owes = self.owes and not self.looks_at_all
        self.is_called = self.looks_at_all = False
        self.rested_at = now + self.pause_s

    def next_at(self, stirred: bool) -> int:
        """Return when the next pass is due, if nothing happens by then; -1: none is."""
        if not stirred and not self.owes:
            return -1
        if not stirred:
            return self.rested_at if self.looks_at_all else self.regular_at
        served_at = self._served_at()
        return self.rested_at if self.is_called and self.rested_at < served_at else served_at

    def _served_at(self) -> int:
        """Return when the background asks for a pass next."""
        return self.turn_at if self.waits and self.turn_at < self.regular_at else self.regular_at

    def _take_turn(self, now: int) -> None:
        """Let the background ask for a pass, if it is to do so now."""
        if self._served_at() <= now:
            self.is_called = True
            self.looks_at_all = self.looks_at_all or now >= self.regular_at
            self._serve(now)

    def _serve(self, at: int) -> None:
        """Let nobody wait for a turn any more, as a pass was asked for."""
        if at >= self.regular_at:
            self.regular_at += self.period_s
        self.waits = False
        self.turn_at = at + self.turns_apart_s
