"""When passes that look ahead are due: as is known beforehand, then at even intervals."""

from predictor.engine import store
from predictor.engine.rule_tables import Rules


class Timetable:
    """Is asked for ever later instants."""

    def __init__(self, rules: Rules) -> None:
        self.period_s = max(1, rules.period_s)
        self.told_at = store.filled(rules.told_at)
        self.told_holds = rules.told_holds
        self.told = 0
        self.late_s = 0
        """So much later passes are made than was known beforehand."""

    def put_off(self, at: int, until: int) -> int:
        """Let the pass due at an instant be due at `until` at the soonest; return when it is.

        Those behind it follow as they would have: each begins a pause after the one before.
        """
        if until <= at:
            return at
        if not self.told_holds:
            self.late_s += until - at
        return until

    def after(self, at: int) -> int:
        """Return when the next pass is due after one at that instant."""
        while self.told < len(self.told_at) and self.told_at[self.told] + self.late_s <= at:
            self.told += 1
        if self.told < len(self.told_at):
            return self.told_at[self.told] + self.late_s
        return at + self.period_s
