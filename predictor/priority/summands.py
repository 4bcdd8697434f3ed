"""What the priority of each waiting job is made of, as far as it can be told from a snapshot."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from predictor.domain import Hold, PendingJob, PriorityFactors
from predictor.priority.multifactor import Multifactor, Parts, settled, total
from predictor.priority.sharetree import Who, who_is

Slot = tuple[str, str]
"""A waiting job's id and one of its partitions, empty for a job without any."""

ROUNDING = 8.0
"""So far may a priority be from the sum of its summands, each of which is rounded."""


class Summands(NamedTuple):
    """What a job's priority in one partition is made of; the age and the fairshare may change."""

    slot: Slot
    since: int | None
    """From when on it ages; None: not yet, and its age stays worth `age` points."""
    age: float
    who: Who | None
    """Whose fairshare counts; None: it stays at `fairshare` points."""
    fairshare: float
    parts: tuple[float, ...]
    parts_tried: tuple[float, ...]
    """The parts once the scheduler has found the job a place; `parts` if it had already."""
    size_per_cpu: float = 0.0
    """What each CPU of that place is worth; the size in `parts_tried` goes without, then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A look at waiting jobs: those of a snapshot, and others that arrive later."""

    rules: Multifactor
    recomputed_at: int
    fairshare: Mapping[Who, float] | None
    """What everybody's fairshare was worth then, in points; None: that is not visible."""

    def summands(self, jobs: Iterable[PendingJob]) -> tuple[Summands, ...]:
        """Return one for each of the jobs and its partitions whose priority can be recomputed.

        Left out: held jobs, those whose priority somebody set by hand, and those of which
        neither the fairshare nor what it takes to compute it is visible.
        """
        told = any(job.priorities for job in self.rules.snapshot.pending)
        found = (
            self._of(job, partition)
            for job in jobs
            if not held(job)
            and not is_set_by_hand(job)
            and not (told and self._lacks_summands(job))
            for _, partition in slots(job)
        )
        return tuple(one for one in found if one is not None)

    def tried(self, job: PendingJob, partition: str) -> bool:
        """Return whether the scheduler had found the job a place when this priority was computed.

        The points shown for its size tell; if none are, as of an array whose tasks are throttled,
        the priority shown. Where neither does, it is taken to have, if the job was eligible at the
        last recomputation.
        """
        asked, planned = self._sized(job, partition)
        return self._tried(job, _shown(job, partition), asked, planned)

    def _of(self, job: PendingJob, partition: str) -> Summands | None:
        shown = _shown(job, partition)
        settings = self.rules.snapshot.settings
        who = self._who(job, partition)
        if who is None and shown.fairshare is None and settings.weights.fairshare:
            return None
        parts, parts_tried = self._parts(job, partition, shown)
        size_per_cpu = self.rules.size_per_cpu(job, partition)
        if size_per_cpu:
            without = self.rules.parts(job, partition, 0)
            parts_tried = settled(without, replace(shown, job_size=None))
        return Summands(
            slot=(job.spec.id, partition),
            since=self._ages_since(job),
            age=shown.age or 0.0,
            who=who,
            fairshare=shown.fairshare or 0.0,
            parts=parts,
            parts_tried=parts_tried,
            size_per_cpu=size_per_cpu,
        )

    def _who(self, job: PendingJob, partition: str) -> Who | None:
        """Return whose fairshare counts; None: it is not visible, or nobody's."""
        association = self.rules.census.association(job.spec, partition)
        return who_is(association) if association and self.fairshare is not None else None

    def _parts(
        self, job: PendingJob, partition: str, shown: PriorityFactors
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the parts in force, and those once the scheduler has found the job a place."""
        asked, planned = self._sized(job, partition)
        if self._is_to_come(job):
            # What is shown of it was found out later.
            unsized = replace(shown, job_size=None)
            return settled(asked, unsized), settled(planned, unsized)
        alike = asked is planned and shown.job_size is None
        if alike or self._tried(job, shown, asked, planned):
            parts = settled(planned, shown)
            return parts, parts
        return settled(asked, shown), settled(planned, replace(shown, job_size=None))

    def _sized(self, job: PendingJob, partition: str) -> tuple[Parts, Parts]:
        """Return the parts by the CPUs the job asks for, and by those planned for it."""
        cpus = self.rules.planned_cpus(job, partition)
        planned = self.rules.parts(job, partition, cpus)
        if cpus == job.spec.request.cpus:
            return planned, planned
        return self.rules.parts(job, partition, job.spec.request.cpus), planned

    def _tried(self, job: PendingJob, shown: PriorityFactors, asked: Parts, planned: Parts) -> bool:
        if None in (asked.job_size, planned.job_size):
            return self._eligible(job)
        if shown.job_size is None:
            return self._tried_by_number(job, shown, asked, planned)
        off_asked, off_planned = (
            abs((parts.job_size or 0.0) - shown.job_size) for parts in (asked, planned)
        )
        # Points that are neither come of other nodes that were planned for it.
        return off_asked >= 1 or off_planned <= off_asked

    def _tried_by_number(
        self, job: PendingJob, shown: PriorityFactors, asked: Parts, planned: Parts
    ) -> bool:
        """Return what the priority as a whole tells, if it was recomputed since submission."""
        number, who = job.spec.priority, self._who(job, shown.partition)
        if (
            number is None
            or job.spec.submitted_at > self.recomputed_at
            or len(job.spec.partitions) > 1
        ):
            return self._eligible(job)
        since = self._ages_since(job)
        age = 0.0 if since is None else self.rules.age_points(since, self.recomputed_at)
        fairshare = (self.fairshare or {}).get(who, 0.0) if who is not None else 0.0
        off_asked, off_planned = (
            abs(number - total(age, fairshare, settled(parts, shown))) for parts in (asked, planned)
        )
        return off_planned < off_asked or (off_planned == off_asked and self._eligible(job))

    def _is_to_come(self, job: PendingJob) -> bool:
        return job.spec.submitted_at > self.rules.snapshot.taken_at

    def _eligible(self, job: PendingJob) -> bool:
        eligible_at = job.spec.eligible_at
        return eligible_at is not None and eligible_at <= self.recomputed_at

    def _ages_since(self, job: PendingJob) -> int | None:
        """Return from when on the job ages, which may be to come; None: nobody knows yet."""
        snapshot, spec = self.rules.snapshot, job.spec
        if snapshot.settings.ages_from_submission:
            return spec.submitted_at
        if spec.accrues_age_since is not None:
            return spec.accrues_age_since
        later = spec.eligible_at is not None and spec.eligible_at > snapshot.taken_at
        return spec.eligible_at if later else None

    def _lacks_summands(self, job: PendingJob) -> bool:
        """Return whether the job should have summands by now, and has none."""
        return not job.priorities and self._eligible(job) and job.spec.priority is not None


def slots(job: PendingJob) -> Iterator[Slot]:
    """Yield the job with each of its partitions."""
    for partition in job.spec.partitions or ("",):
        yield job.spec.id, partition


def held(job: PendingJob) -> bool:
    """Return whether somebody keeps the job from being considered."""
    return job.hold is not Hold.NONE or job.spec.priority == 0


def _shown(job: PendingJob, partition: str) -> PriorityFactors:
    nothing = PriorityFactors(partition=partition, priority=0)
    return next((one for one in job.priorities if one.partition == partition), nothing)


def is_set_by_hand(job: PendingJob) -> bool:
    """Return whether somebody set the job's priority: the summands shown do not make it."""
    return any(_does_not_add_up(shown) for shown in job.priorities)


def _does_not_add_up(shown: PriorityFactors) -> bool:
    summands = (
        shown.age,
        shown.association,
        shown.fairshare,
        shown.job_size,
        shown.partition_points,
        shown.qos,
        shown.site,
        None if shown.nice is None else -shown.nice,
        *(points for _, points in shown.tres),
    )
    known = [one for one in summands if one is not None]
    return bool(known) and not _near(shown.priority, max(1, sum(known)), ROUNDING)


def _near(one: float, other: float, tolerance: float) -> bool:
    return math.isclose(one, other, rel_tol=0, abs_tol=tolerance)
