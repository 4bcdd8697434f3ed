"""The priorities of all waiting jobs, moved forward in time."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self

from predictor.domain import PendingJob, Snapshot
from predictor.priority.attributes import batch_priority
from predictor.priority.fairshare import Shares
from predictor.priority.multifactor import HIGHEST, Multifactor, total
from predictor.priority.order import id_key
from predictor.priority.phase import last_recomputed
from predictor.priority.sharetree import Who
from predictor.priority.summands import Reading, Slot, Summands, held, slots
from predictor.priority.tariff import Run
from predictor.priority.usagereset import last_reset

NOBODY: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Priorities:
    """Everybody's priority as of `recomputed_at`, and what it takes to recompute it.

    Between recomputations nothing changes. Numbers that cannot be recomputed stay as shown:
    those that an administrator set, those whose inputs are hidden, and all of them where jobs
    come in order of arrival.
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
            numbers={**_in_order_of_arrival(jobs), **_shown(jobs)},
            summands=(),
            shares=None,
            rules=Multifactor.of(snapshot),
        )
        return arrival._multifactor(arrivals) if snapshot.settings.multifactor else arrival

    def at(
        self,
        instant: int,
        runs: Iterable[Run] = (),
        accruing: Mapping[str, int] = NOBODY,
        tried: Collection[str] = (),
    ) -> Self:
        """Return the priorities of the last recomputation that is not after `instant`.

        `runs` are all jobs that ran since this state's recomputation, less those that had ended
        at the snapshot. `accruing` tells of jobs that did not age at the snapshot from when on
        they do, by id; `tried` of those that the scheduler has since found a place, now or later.
        Linear in jobs and runs, n log n in the share tree, per recomputation.
        """
        state = self._accruing(accruing)._tried(tried)
        settings = self.rules.snapshot.settings
        period_s = max(1, settings.priority_period_s)
        ticks = range(self.recomputed_at + period_s, instant + 1, period_s)
        if not ticks or not settings.multifactor:
            return state
        shares, known, last = self.shares, tuple(runs), self.recomputed_at
        for tick in ticks:
            shares = shares and self._charged(shares, known, last, tick)
            last = tick
        state = replace(state, recomputed_at=last, shares=shares)
        return replace(state, numbers={**self.numbers, **state._recomputed()})

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
        reading = Reading(
            rules=self.rules, recomputed_at=self.recomputed_at, shares_visible=shares is not None
        )
        summands = reading.summands((*snapshot.pending, *arrivals))
        state = replace(self, numbers={}, shares=shares, summands=summands)
        return replace(
            state, numbers={**_shown(arrivals), **state._recomputed(), **_shown(snapshot.pending)}
        )

    def _charged(self, shares: Shares, runs: Iterable[Run], since: int, until: int) -> Shares:
        charges = [charge for run in runs if (charge := run.charge(since, until))]
        snapshot = self.rules.snapshot
        reset = snapshot.settings.priority_usage_reset
        reset_at = last_reset(reset, until, snapshot.utc_offset_s)
        if reset_at is not None and reset_at > since:
            # The reset comes with the recomputation; what is over had been charged before.
            shares = shares.emptied()
            charges = [charge for charge in charges if not charge.over]
        return shares.charged(until - since, charges)

    def _accruing(self, accruing: Mapping[str, int]) -> Self:
        if not any(one.since is None and one.slot[0] in accruing for one in self.summands):
            return self
        summands = tuple(
            one._replace(since=accruing.get(one.slot[0])) if one.since is None else one
            for one in self.summands
        )
        return replace(self, summands=summands)

    def _tried(self, tried: Collection[str]) -> Self:
        if not tried:
            return self
        summands = tuple(
            one._replace(parts=one.parts_tried) if one.slot[0] in tried else one
            for one in self.summands
        )
        return replace(self, summands=summands)

    def _recomputed(self) -> dict[Slot, int]:
        fairshare = self.fairshare_points()
        age_points, instant = self.rules.age_points, self.recomputed_at
        numbers = {
            slot: total(
                age if since is None else age_points(since, instant),
                points if who is None else fairshare[who],
                parts,
            )
            for slot, since, age, who, points, parts, _ in self.summands
        }
        if "INCR_ONLY" not in self.rules.snapshot.settings.priority_flags:
            return numbers
        return {slot: max(number, self.numbers.get(slot, 0)) for slot, number in numbers.items()}


def _shown(jobs: Iterable[PendingJob]) -> dict[Slot, int]:
    """Return the batch system's own numbers, 0 for held jobs."""
    return {
        slot: number
        for job in jobs
        for slot in slots(job)
        if (number := 0 if held(job) else batch_priority(job, slot[1])) is not None
    }


def _in_order_of_arrival(jobs: Iterable[PendingJob]) -> dict[Slot, int]:
    """Return numbers that fall with the instant of submission."""
    ordered = sorted(jobs, key=lambda job: (job.spec.submitted_at, id_key(job.spec)))
    return {slot: HIGHEST - place for place, job in enumerate(ordered) for slot in slots(job)}
