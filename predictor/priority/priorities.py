"""The priorities of all waiting jobs at a snapshot, and what they are made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from predictor.domain import PendingJob, Snapshot
from predictor.priority.attributes import batch_priority, summed_priority
from predictor.priority.fairshare import Shares
from predictor.priority.multifactor import HIGHEST, Multifactor, total
from predictor.priority.order import id_key
from predictor.priority.phase import last_recomputed
from predictor.priority.sharetree import Who
from predictor.priority.summands import Reading, Slot, Summands, held, slots


@dataclass(frozen=True, slots=True, kw_only=True)
class Priorities:
    """Everybody's priority as of `recomputed_at`, and what it takes to recompute it.

    Numbers that cannot be recomputed have no summands: those that an administrator set, those
    whose inputs are hidden, and all of them where jobs come in order of arrival.
    """

    recomputed_at: int
    numbers: Mapping[Slot, int]
    """0 for held jobs; jobs of which nothing is known are missing."""
    summands: tuple[Summands, ...]
    shares: Shares | None
    """None: not visible, or nothing depends on them."""
    rules: Multifactor

    @classmethod
    def of(cls, snapshot: Snapshot, arrivals: Sequence[PendingJob] = ()) -> Self:
        """Return the priorities at the snapshot: as shown, or computed where none is shown.

        `arrivals` are jobs that are submitted later; theirs are computed wherever that is
        possible, whatever is shown. The next recomputation comes one period after the last one
        that the jobs' ages tell of; where none tells, one period after the snapshot. n log n in
        the waiting jobs.
        """
        last = last_recomputed(snapshot)
        jobs = (*snapshot.pending, *arrivals)
        arrival = cls(
            recomputed_at=snapshot.taken_at if last is None else last,
            numbers={**_in_order_of_arrival(jobs), **_shown(jobs, torn=False)},
            summands=(),
            shares=None,
            rules=Multifactor.of(snapshot),
        )
        return arrival._multifactor(arrivals) if snapshot.settings.multifactor else arrival

    def fairshare_points(self) -> Mapping[Who, float]:
        """Return what everybody's fairshare is worth; empty if the shares are not visible."""
        if self.shares is None:
            return {}
        weight = self.rules.snapshot.settings.weights.fairshare
        return {who: weight * factor for who, factor in self.shares.factors().items()}

    def _multifactor(self, arrivals: Sequence[PendingJob]) -> Self:
        """Return the state with what can be recomputed, and numbers for whom none is shown."""
        snapshot = self.rules.snapshot
        shares = Shares.of(snapshot) if snapshot.settings.weights.fairshare else None
        state = replace(self, numbers={}, shares=shares)
        reading = Reading(
            rules=self.rules,
            recomputed_at=self.recomputed_at,
            fairshare=None if shares is None else state.fairshare_points(),
        )
        state = replace(state, summands=reading.summands((*snapshot.pending, *arrivals)))
        # Factors are read after the jobs; what was computed in between holds for a whole period.
        torn = self.recomputed_at > snapshot.taken_at
        return replace(
            state,
            numbers={
                **_shown(arrivals, torn=torn),
                **state._recomputed(),
                **_shown(snapshot.pending, torn=torn),
            },
        )

    def _recomputed(self) -> dict[Slot, int]:
        fairshare = self.fairshare_points()
        age_points, instant = self.rules.age_points, self.recomputed_at
        return {
            one.slot: total(
                one.age if one.since is None else age_points(one.since, instant),
                one.fairshare if one.who is None else fairshare[one.who],
                one.parts,
            )
            for one in self.summands
        }


def _shown(jobs: Iterable[PendingJob], *, torn: bool) -> dict[Slot, int]:
    """Return the batch system's own numbers, 0 for held jobs."""
    return {
        slot: number
        for job in jobs
        for slot in slots(job)
        if (number := _number(job, slot[1], torn=torn)) is not None
    }


def _number(job: PendingJob, partition: str, *, torn: bool) -> int | None:
    if held(job):
        return 0
    summed = summed_priority(job, partition) if torn else None
    return batch_priority(job, partition) if summed is None else summed


def _in_order_of_arrival(jobs: Iterable[PendingJob]) -> dict[Slot, int]:
    """Return numbers that fall with the instant of submission."""
    ordered = sorted(jobs, key=lambda job: (job.spec.submitted_at, id_key(job.spec)))
    return {slot: HIGHEST - place for place, job in enumerate(ordered) for slot in slots(job)}
