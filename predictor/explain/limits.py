"""Which limit holds a job back, and whose end lifts it."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from predictor.domain import Snapshot
from predictor.explain.occupants import Occupant
from predictor.limits import Blocked, Scope
from predictor.limits.tables import Sort, Tables
from predictor.scheduling.machine import Machine
from predictor.simulation.entrants import Entrant
from predictor.simulation.future import Future
from predictor.simulation.limit_watch import LimitWatch


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """A limit that holds a job back."""

    by: Blocked
    later: bool = False
    """Whether it binds only when others have started, and until the job starts."""


def held_back(
    snapshot: Snapshot,
    machine: Machine,
    asked: Iterable[Entrant],
    occupants: Sequence[Occupant],
    future: Future,
    notice_s: int,
) -> Mapping[str, HeldBack]:
    """Return the limits that hold back those asked for who start later, by id.

    One that binds now; else one that was still full `notice_s` before the start: so long it may
    take until a scheduler sees that somebody ended.
    """
    if not snapshot.settings.limits_enforced:
        return {}
    now = future.from_at
    wanted = {e.id: e for e in asked if future.placements[e.id].start_at > now}
    asks = (entrant.ask for entrant in wanted.values())
    watch = LimitWatch(snapshot, machine, asks, future.placements.values())
    found = {
        id_: HeldBack(by=blocked)
        for id_, entrant in wanted.items()
        if (blocked := watch.blocked(entrant.ask, now)) is not None
    }
    ends = deque((one.end_at + notice_s, one.id) for one in occupants)
    order = sorted(future.placements.values(), key=lambda placement: placement.start_at)
    for placement in order:
        id_, at = placement.ask.id, placement.start_at
        while ends and ends[0][0] <= at:
            seen_at, ended = ends.popleft()
            watch.end(ended, seen_at)
        if id_ in wanted and id_ not in found:
            blocked = watch.blocked_there(placement, at)
            if blocked is not None:
                found[id_] = HeldBack(by=blocked, later=True)
        watch.start(placement, at)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The occupants that count against each limited group, in the order in which they end."""

    of: Mapping[Scope, tuple[Occupant, ...]]

    @classmethod
    def among(
        cls, occupants: Iterable[Occupant], snapshot: Snapshot, wanted: Iterable[Scope]
    ) -> "Members":
        """Return the members of the groups wanted. The occupants are in the order of their ends."""
        found: dict[Scope, list[Occupant]] = {scope: [] for scope in wanted}
        tables = Tables(snapshot)
        known: dict[Sort, list[Scope]] = {}
        for occupant in occupants if found else ():
            sort = _sort(occupant)
            if sort not in known:
                groups = (*tables.of_qos(sort), *tables.of_associations(sort))
                scopes = {scope for table in groups for scope in table.scopes.values()}
                known[sort] = [scope for scope in scopes if scope in found]
            for scope in known[sort]:
                found[scope].append(occupant)
        return cls(of={scope: tuple(members) for scope, members in found.items()})

    def last_before(self, scope: Scope, at: int, now: int) -> Occupant | None:
        """Return who of the group ends last by `at`; None if nobody does after `now`."""
        members = self.of.get(scope, ())
        place = bisect_right(members, at, key=lambda one: one.end_at) - 1
        return members[place] if place >= 0 and members[place].end_at > now else None


def _sort(occupant: Occupant) -> Sort:
    spec = occupant.spec
    return Sort(
        user=spec.user if spec else "",
        account=spec.account if spec else "",
        partition=occupant.partition,
        qos=occupant.qos,
    )
