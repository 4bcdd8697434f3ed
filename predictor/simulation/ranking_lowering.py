"""Tell the engine what priorities are made of."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from predictor.domain import FairshareFormula, JobSpec, PendingJob, Snapshot
from predictor.engine.ranking_tables import (
    CLASSIC,
    DEPTH_OBLIVIOUS,
    FAIR_TREE,
    NEVER,
    NOBODY,
    UNKNOWN,
    AccrualTables,
    RankingTables,
    RunTables,
    SlotTables,
    TreeTables,
)
from predictor.priority.fairshare import Shares
from predictor.priority.priorities import Priorities
from predictor.priority.sharetree import who_is
from predictor.priority.summands import Slot, Summands, slots
from predictor.priority.tariff import Tariff, is_charged
from predictor.priority.usagereset import resets
from predictor.simulation.accrual_lowering import Accruals
from predictor.simulation.listing import places

_FORMULAS: Mapping[FairshareFormula, int] = {
    FairshareFormula.FAIR_TREE: FAIR_TREE,
    FairshareFormula.CLASSIC: CLASSIC,
    FairshareFormula.DEPTH_OBLIVIOUS: DEPTH_OBLIVIOUS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweredRanking:
    """What a ranking is made from, and who has which number in it."""

    tables: RankingTables
    slots: Mapping[Slot, int]
    """By the id of a waiting job or an arrival, and its partition."""
    runs: Mapping[str, int]
    """By the id of a running job. Those missing have been charged for all their time already."""
    accruals: AccrualTables | None = None
    """Who keeps whom from growing old; None: nobody."""
    is_unsettled: bool = False
    """Whether the next recomputation counts with places of unknown size, found since the last."""

    def resized(self, cpus: Mapping[int, int]) -> Self:
        """Return the same, where sizes count with so many CPUs, by slot, from the next one on."""
        slots = [
            replace(one, size=one.size_tried + one.size_per_cpu * cpus[number])
            if number in cpus and one.size_per_cpu
            else one
            for number, one in enumerate(self.tables.slots)
        ]
        return replace(self, tables=replace(self.tables, slots=slots))


def lower_ranking(
    snapshot: Snapshot,
    arrivals: Sequence[PendingJob],
    until: int,
    most_begun: int,
    asleep: Sequence[PendingJob] = (),
    held: Container[str] = (),
) -> LoweredRanking:
    """Return the priorities at the snapshot, and what it takes to recompute them up to `until`.

    `arrivals` wait from their submission on, `asleep` once somebody sends them back; `most_begun`
    runs begin at most. `held` are ids of those that somebody holds, beside those that are shown so.
    n log n in the jobs.
    """
    now = snapshot.taken_at
    state = Priorities.of(snapshot, (*arrivals, *asleep))
    everybody = *snapshot.pending, *arrivals, *asleep
    place = places(snapshot, everybody)
    there = [job for job in arrivals if job.spec.submitted_at <= now]
    coming = [job for job in arrivals if job.spec.submitted_at > now]
    slots = dict(_slots(state, (*snapshot.pending, *there), place, held, waits=True))
    slots |= dict(_slots(state, (*coming, *asleep), place, held, waits=False))
    found = dict(sorted(slots.items(), key=lambda item: item[1].place))
    numbers = {slot: number for number, slot in enumerate(found)}
    accruals = Accruals.of(snapshot, everybody)
    if accruals is not None:
        bound = {job.spec.id for job in everybody if accruals.bound(job.spec) is not None}
        found = {
            slot: _not_yet(one, now) if slot[0] in bound else one for slot, one in found.items()
        }
    runs = sorted(_runs(snapshot, state.shares, place), key=lambda run: run[1].place)
    return LoweredRanking(
        tables=_tables(
            state, tuple(found.values()), tuple(run for _, run in runs), until, most_begun
        ),
        slots=numbers,
        runs={id_: number for number, (id_, _) in enumerate(runs)},
        accruals=None if accruals is None else accruals.tables_of(everybody, numbers),
        is_unsettled=_is_unsettled(snapshot, state, found.values()),
    )


def _is_unsettled(snapshot: Snapshot, state: Priorities, slots: Iterable[SlotTables]) -> bool:
    planned_at = snapshot.health.backfill_last_at if snapshot.health else None
    if planned_at is None or planned_at <= state.recomputed_at:
        return False
    return any(one.size_per_cpu for one in slots)


def _not_yet(slot: SlotTables, now: int) -> SlotTables:
    """Return the slot without its foreseen age: whether it grows old depends on others."""
    return slot if slot.since <= now else replace(slot, since=UNKNOWN)


def _tables(
    state: Priorities,
    slots: Sequence[SlotTables],
    runs: Sequence[RunTables],
    until: int,
    most_begun: int,
) -> RankingTables:
    snapshot, settings = state.rules.snapshot, state.rules.snapshot.settings
    since, period = state.recomputed_at, settings.priority_usage_reset
    found = resets(period, since, until, snapshot.utc_offset_s) if state.shares else ()
    return RankingTables(
        recomputed_at=since,
        period_s=_instant(max(1, settings.priority_period_s)),
        age_weight=float(settings.weights.age),
        max_age_s=_instant(settings.priority_max_age_s),
        fairshare_weight=float(settings.weights.fairshare),
        kept=state.shares.kept if state.shares else 1.0,
        formula=_FORMULAS[settings.fairshare_formula],
        dampening=max(1, settings.fairshare_dampening),
        rises_only=settings.priorities_only_rise,
        resets=sorted(found),
        tree=_tree(state) if state.shares else TreeTables(),
        slots=slots,
        runs=runs,
        most_runs=len(runs) + most_begun,
    )


def _tree(state: Priorities) -> TreeTables:
    shares, points = state.shares, state.fairshare_points()
    if shares is None:
        return TreeTables()
    tree = shares.tree
    places = range(len(tree.members))
    return TreeTables(
        above=[member.above for member in tree.members],
        rivals_under=[member.rivals_under for member in tree.members],
        rivals=[tree.rivals.get(place, ()) for place in places],
        is_user=[bool(member.who[1]) for member in tree.members],
        inherits=[member.shares is None for member in tree.members],
        level_share=tree.level_shares,
        share=tree.cluster_shares,
        usage=shares.usage,
        points=[points.get(member.who, 0.0) for member in tree.members],
    )


def _slots(
    state: Priorities,
    jobs: Sequence[PendingJob],
    place: Mapping[str, int],
    held: Container[str],
    *,
    waits: bool,
) -> Iterator[tuple[Slot, SlotTables]]:
    known = {one.slot: one for one in state.summands}
    for job in jobs:
        for slot in slots(job):
            number = state.numbers.get(slot)
            fixed = SlotTables(
                number=UNKNOWN if number is None else _instant(number),
                waits=waits,
                place=place[job.spec.id],
                held=number == 0 or job.spec.id in held,
                payer=_payer(state, job.spec, slot[1]),
            )
            yield slot, _moving(fixed, known[slot], state.shares) if slot in known else fixed


def _moving(fixed: SlotTables, summands: Summands, shares: Shares | None) -> SlotTables:
    association, size, partition, qos, tres, site, nice = summands.parts
    who = summands.who
    return replace(
        fixed,
        moves=True,
        since=UNKNOWN if summands.since is None else _instant(summands.since),
        age=summands.age,
        sharer=NOBODY if who is None or shares is None else shares.tree.places[who],
        fairshare=summands.fairshare,
        association=association,
        size=size,
        size_tried=summands.parts_tried[1],
        size_per_cpu=summands.size_per_cpu,
        partition=partition,
        qos=qos,
        tres=tres,
        rest=site - nice,
    )


def _payer(state: Priorities, spec: JobSpec, partition: str) -> int:
    association = state.rules.census.association(spec, partition)
    if association is None or state.shares is None:
        return NOBODY
    return state.shares.tree.places.get(who_is(association), NOBODY)


def _runs(
    snapshot: Snapshot, shares: Shares | None, place: Mapping[str, int]
) -> Iterator[tuple[str, RunTables]]:
    members = shares.tree.places if shares else {}
    charged = [job.spec.id for job in snapshot.running if is_charged(job)]
    for id_, run in zip(charged, Tariff.of(snapshot).running(snapshot), strict=True):
        yield (
            id_,
            RunTables(
                payer=members.get(run.who, NOBODY),
                rate=run.rate,
                started_at=_instant(run.started_at),
                place=place[id_],
            ),
        )


def _instant(value: int) -> int:
    """Return an instant, or another number from 0 on, within what the engine can count."""
    return max(0, min(value, NEVER))
