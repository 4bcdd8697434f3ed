"""Which limit holds a job back now, and whose end lifts it."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from predictor.domain import Snapshot
from predictor.explain.occupants import Occupant
from predictor.limits import Blocked, Scope
from predictor.limits.tables import Sort, Tables
from predictor.scheduling.machine import Machine
from predictor.simulation.entrants import Entrant
from predictor.simulation.gate import LimitGate


def blocked_now(
    snapshot: Snapshot, machine: Machine, entrants: Iterable[Entrant]
) -> Mapping[str, Blocked]:
    """Return the limits that keep entrants from starting at the snapshot's instant, by id."""
    if not snapshot.settings.limits_enforced:
        return {}
    gate, now = LimitGate(snapshot, machine), snapshot.taken_at
    found = {entrant.id: gate.blocks(entrant.ask, now) for entrant in entrants}
    return {id_: blocked for id_, blocked in found.items() if blocked is not None}


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
        qos=spec.qos if spec else "",
    )
