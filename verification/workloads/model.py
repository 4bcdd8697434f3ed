"""A workload as it was learned."""

from dataclasses import dataclass

from verification.workloads.cycle import Cycle
from verification.workloads.habits import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """All that a workload is generated from."""

    source: str
    """What it was learned from, in words."""
    procs: int
    """Of the machine."""
    begins_at: int
    """A midnight of the site, in UTC epoch seconds: what second 0 of a generated trace is."""
    time_zone_s: int
    """So many seconds the site's clocks are ahead of UTC."""
    cycle: Cycle
    users: tuple[User, ...]

    def __post_init__(self) -> None:
        if not self.users:
            raise ValueError("a workload needs a user")
        if not any(user.sessions.values[-1] > 0 for user in self.users):
            raise ValueError("nobody ever brings a job")
        if any(habit.procs > self.procs for user in self.users for habit in user.habits):
            raise ValueError(f"jobs wider than the {self.procs} processors of the machine")
