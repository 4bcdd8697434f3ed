"""One waiting job at one instant: what each predictor said of it then, and what became of it.

Instants are UTC epoch seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one predictor said at one instant of when one job starts."""

    likely_at: int | None = None
    """The most likely start; None: it said nothing."""
    low_at: int | None = None
    """The job starts from here on with 90 %; to `high_at` it is the 80 % window. None: not told."""
    high_at: int | None = None
    by_at: int | None = None
    """It starts by then with 95 %; None: not told."""
    quantiles: tuple[tuple[float, int], ...] = ()
    """Pairs of level, in (0, 1), and instant, both ascending; empty: no distribution was told."""
    why_not: str = ""
    """The reason of who said nothing, as one word of a fixed set; empty: it said something."""

    @property
    def answered(self) -> bool:
        """Whether a start was told."""
        return self.likely_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a job asked for, as far as results are told apart by it."""

    id: str
    """That of one job: a task of an array by its index, `70_3`."""
    user: str
    account: str
    partition: str
    """The one it started in, if it named several and did start; else the first it named."""
    qos: str
    nodes: int
    limit_s: int
    """As asked for at the instant of the case."""
    of_array: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A job that waits at `seen_at`, with all that was said of it at that instant."""

    job: Job
    seen_at: int
    submitted_at: int
    cause: str
    """Why it waits, by the batch system at that instant: `priority`, `resources`, `limit`, ..."""
    leads: bool
    """Whether it is the one of its waiting record that starts first: records count by it."""
    started_at: int | None
    """Its next start after `seen_at`; None: it left without, or the end of the story is unknown."""
    removed_at: int | None
    """When it left the queue without a start; None: it did not, as far as is known."""
    known_until: int
    """Up to when it is known what happened."""
    recording: str = ""
    """Where it was seen: of two recordings nothing has to do with the other."""
    said: Mapping[str, Said] = field(default_factory=dict)
    """By predictor: `ours`, `slurm`, `limits`, `persistence`, `class_median`, `qbets`, ..."""

    @property
    def seen(self) -> tuple[str, int]:
        """The snapshot that shows it: what others are shown in it too."""
        return self.recording, self.seen_at

    @property
    def open(self) -> bool:
        """Whether nobody knows yet how it went."""
        return self.started_at is None and self.removed_at is None
