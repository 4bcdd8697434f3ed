"""What is learned of users: when they work, how much at a time, and what they do again and again.

That jobs come in sessions, and that a profile returns with nearly the same run time until it
changes, is known of many sites; see Zilber, Amit and Talby, What is worth learning from parallel
workloads? (2005), and Galleguillos et al., Data-driven job dispatching in HPC systems (2017).
"""

from dataclasses import dataclass
from typing import Final

from verification.workloads.spread import Spread

SESSION_S: Final = 1200
"""Who submits nothing for longer than this begins anew; 20 minutes, as Zilber et al. have it."""
NEARLY: Final = 0.1
"""Run times that differ by no larger part are nearly the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A kind of job that somebody submits. Names ending in `_s` are seconds."""

    share: float
    """Of the user's jobs."""
    procs: int
    limit_s: int | None
    """None: the trace does not say."""
    queue: int
    partition: int
    """As the trace counts them; -1: it does not say."""
    memory_kib: int
    """Per processor, as asked for; -1: the trace does not say."""
    runs_s: Spread

    def __post_init__(self) -> None:
        if self.procs < 1 or (self.limit_s is not None and self.limit_s < 1):
            raise ValueError(f"jobs on {self.procs} processors with a limit of {self.limit_s} s")


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Somebody who submits jobs."""

    number: int
    """As the trace counts its users; -1: it does not tell them apart."""
    active: float
    """The share of weeks with work, in (0, 1]."""
    weeks: float
    """So many weeks on end, on average, at least 1."""
    sessions: Spread
    """In a week with work."""
    jobs: Spread
    """In a session."""
    gaps_s: Spread
    """Between a job and the next in a session."""
    stay: float
    """How often the next job is of the same kind whatever the shares say, in [0, 1)."""
    repeat: float
    """How often a kind of job runs nearly as long as the last time, in [0, 1)."""
    habits: tuple[Habit, ...]

    def __post_init__(self) -> None:
        if not self.habits or not 0 < self.active <= 1 or self.weeks < 1:
            raise ValueError(f"user {self.number}: no habits, or never there")
        if not (0 <= self.stay <= 1 and 0 <= self.repeat <= 1):
            raise ValueError(f"user {self.number}: stay and repeat are shares")
        if sum(habit.share for habit in self.habits) <= 0:
            raise ValueError(f"user {self.number}: no habit has a share")
