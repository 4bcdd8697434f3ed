"""When passes in strict order are due: regularly, and when something calls for one.

Source: Slurm 22.05, the scheduler's thread (_sched_agent) and the one in the background.
"""

from predictor.engine.tables import Rules


class Calls:
    """Is told what calls for a pass, and when one is made; asked for ever later instants.

    However many call, the passes keep a pause between them.
    """

    def __init__(self, rules: Rules, now: int) -> None:
        self.period_s = max(1, rules.main_period_s)
        self.submissions_apart_s = rules.arrival_delay_s
        self.pause_s = rules.main_pause_s
        self.regular_at = now + self.period_s if rules.main_first_at < 0 else rules.main_first_at
        """When the next regular one is due;"""
        self.regular_waits = False
        """whether one is due and waits for the pause to end."""
        self.called_at = now
        """When one is due that something has called for; behind two regular ones: nothing has."""
        self.rested_at = now
        """When the pause ends."""
        self.turn_at = now
        """From when on submissions are served."""
        self.submitted = False

    def see(self, now: int) -> None:
        """Take note of the time: regular passes until now found nothing to do if none was made."""
        while self.regular_at < now:
            self.turn_at = max(self.turn_at, self.regular_at + self.submissions_apart_s)
            self.regular_at += self.period_s

    def call(self, at: int) -> None:
        """Call for a pass, not before `at`."""
        if at < self.called_at:
            self.called_at = at

    def submit(self) -> None:
        """Call for a pass for the sake of a submission: those are served some time apart."""
        self.submitted = True
        self.call(self.turn_at)

    def forget(self, now: int) -> None:
        """Let what has called for a pass by now have called in vain."""
        if now >= self.called_at:
            self.called_at = self.regular_at + self.period_s

    def is_due(self, now: int) -> bool:
        """Return whether a pass is to be made; one that is due in a pause is put off to its end."""
        if now < self.next_at():
            return False
        if now >= self.rested_at:
            return True
        self.regular_waits = self.regular_waits or self.is_regular(now)
        self.called_at = self.rested_at
        return False

    def is_regular(self, now: int) -> bool:
        """Return whether the pass that is due is a regular one."""
        return self.regular_waits or now >= self.regular_at

    def note(self, now: int) -> None:
        """Take note that a pass is made."""
        if self.is_regular(now) or (self.submitted and now >= self.turn_at):
            self.turn_at = now + self.submissions_apart_s
            self.submitted = False
        self.regular_waits = False
        self.called_at = self.regular_at + self.period_s
        self.rested_at = now + self.pause_s

    def next_at(self) -> int:
        """Return when the next pass is due, pauses left aside."""
        return self.called_at if self.called_at < self.regular_at else self.regular_at
