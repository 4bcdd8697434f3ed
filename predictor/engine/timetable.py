"""When passes that look ahead are due: as is known beforehand, then at even intervals."""

from predictor.engine import store
from predictor.engine.tables import Rules


class Timetable:
    """Is asked for ever later instants."""

    def __init__(self, rules: Rules) -> None:
        self.period_s = max(1, rules.period_s)
        self.told_at = store.filled(rules.told_at)
        self.told = 0

    def after(self, at: int) -> int:
        """Return when the next pass is due after one at that instant."""
        while self.told < len(self.told_at) and self.told_at[self.told] <= at:
            self.told += 1
        if self.told < len(self.told_at):
            return self.told_at[self.told]
        return at + self.period_s
