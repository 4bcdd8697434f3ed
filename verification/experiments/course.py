"""A job on its way through a replay: waiting, then running."""

from verification.experiments.jobs import Job
from verification.experiments.state import Places, Shape


class Queued:
    """A job that waits."""

    __slots__ = ("job", "planned_s", "rank", "shape", "units")

    def __init__(self, rank: int, job: Job, shape: Shape, units: int, planned_s: int) -> None:
        self.rank = rank
        """Counts all jobs in order of submission."""
        self.job = job
        self.shape = shape
        self.units = units
        self.planned_s = planned_s
        """How long the scheduler expects it to run, at least 1."""


class Running:
    """A job that runs. Names ending in `_s` are seconds from the first submission."""

    __slots__ = (
        "done_s",
        "end_s",
        "expected_end_s",
        "places",
        "planned_s",
        "queued",
        "since_s",
        "speed",
        "start_s",
    )

    def __init__(self, queued: Queued, start_s: int, places: Places) -> None:
        self.queued = queued
        self.start_s = start_s
        self.places = places
        self.planned_s = queued.planned_s
        """What its work is expected to last at full speed."""
        self.end_s = start_s + queued.job.run_s
        """When it will really end; no scheduler looks at it."""
        self.expected_end_s = start_s + queued.planned_s
        self.speed = 1.0
        self.done_s = 0.0
        """What was done of its work until `since_s`, in seconds at full speed."""
        self.since_s = start_s
