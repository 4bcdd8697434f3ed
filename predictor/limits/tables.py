"""Whose limits bind a job: its partition's QOS, its QOS, its user and the accounts above.

Source of the order: slurm.schedmd.com/resource_limits.html, "Hierarchy".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from predictor.domain import Association, JobSpec, Limits, Qos, QosFlag, Snapshot, Usage
from predictor.domain.amounts import amount_of
from predictor.limits.blocked import Scope, Whose
from predictor.limits.families import FAMILIES, Reach, settings_of
from predictor.limits.groups import BILLING

MOST_FACTOR = 1e6
"""Larger limits are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """What decides which limits bind a job: jobs of equal sort are bound by the same."""

    user: str
    account: str
    partition: str
    qos: str

    @classmethod
    def of(cls, spec: JobSpec, partition: str, qos: str | None = None) -> Self:
        """Return the sort of the job in one of its partitions, with its QOS or the one named."""
        asked = spec.qos if qos is None else qos
        return cls(user=spec.user, account=spec.account, partition=partition, qos=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Limits, and whose jobs they count for jobs of one sort."""

    limits: Limits
    scopes: Mapping[Reach, Scope]
    """Limits of another reach are not meant: a user or an account that is not known has none."""
    usage: Usage | None = None
    decays: bool = True
    factor: float = 1.0
    """By which a QOS multiplies those of them that it may."""


class Tables:
    """All tables of limits of a cluster."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._qos = {qos.name: qos for qos in snapshot.qos}
        self._partition_qos = {p.name: p.qos for p in snapshot.partitions if p.qos}
        self._associations = {(a.account, a.user, a.partition): a for a in snapshot.associations}

    def qos(self, name: str) -> Qos | None:
        """Return the QOS of that name; None if it is not known, and binds nobody."""
        return self._qos.get(name)

    def of_qos(self, sort: Sort) -> list[Table]:
        """Return the tables of the partition's QOS and the job's, the one that counts first."""
        return [_qos_table(qos, sort) for qos in self.in_order(sort)]

    def of_associations(self, sort: Sort) -> list[Table]:
        """Return the tables of the user's association and of each account above, upwards.

        What binds a group binds it at each level; the rest is inherited, so that one table,
        after the user's own, holds it all.
        """
        own, chain = self.chain(sort)
        user, factor = _user_scope(sort, own), self._factor(sort)
        tables = [_group_table(one, user if one is own else None, factor) for one in chain]
        if chain:
            scopes = {Reach.JOB: user or _account_scope(chain[0])}
            if user is not None:
                scopes[Reach.USER] = user
            inherited = Table(limits=_inherited(chain), scopes=scopes, factor=factor)
            tables.insert(1 if own else 0, inherited)
        return tables

    def chain(self, sort: Sort) -> tuple[Association | None, list[Association]]:
        """Return the user's association, and it with all accounts above, upwards."""
        own = self._own(sort)
        above = list(self._above(sort.account))
        return own, [own, *above] if own else above

    def in_order(self, sort: Sort) -> list[Qos]:
        """Return the partition's QOS and the job's, the one that counts first."""
        own = self._qos.get(sort.qos)
        order = [self._qos.get(self._partition_qos.get(sort.partition, "")), own]
        if own is not None and QosFlag.OVER_PARTITION in own.flags:
            order.reverse()
        return list({qos.name: qos for qos in order if qos is not None}.values())

    def _factor(self, sort: Sort) -> float:
        """Return the first factor that a QOS sets; those that make no sense set none."""
        factors = (qos.limit_factor for qos in self.in_order(sort))
        return next((one for one in factors if one != 1.0 and 0 < one <= MOST_FACTOR), 1.0)

    def _own(self, sort: Sort) -> Association | None:
        """Return the user's association; one for the job's partition goes before."""
        keys = [(sort.account, sort.user, p) for p in (sort.partition, "")] if sort.user else []
        return next((self._associations[key] for key in keys if key in self._associations), None)

    def _above(self, account: str) -> Iterator[Association]:
        seen: set[str] = set()
        while account not in seen and (found := self._associations.get((account, "", ""))):
            yield found
            seen.add(account)
            account = found.parent


def _qos_table(qos: Qos, sort: Sort) -> Table:
    group = Scope(whose=Whose.QOS, name=qos.name)
    scopes = {Reach.GROUP: group, Reach.JOB: group}
    for reach, whose, member in (
        (Reach.USER, Whose.USER_OF_QOS, sort.user),
        (Reach.ACCOUNT, Whose.ACCOUNT_OF_QOS, sort.account),
    ):
        if member:
            scopes[reach] = Scope(whose=whose, name=qos.name, member=member)
    decays = QosFlag.NO_DECAY not in qos.flags
    return Table(limits=qos.limits, scopes=scopes, usage=qos.usage, decays=decays)


def _group_table(association: Association, user: Scope | None, factor: float) -> Table:
    return Table(
        factor=factor,
        limits=association.limits,
        scopes={Reach.GROUP: user or _account_scope(association)},
        usage=_up_to_date(association),
    )


def _up_to_date(association: Association) -> Usage | None:
    """Return what is used up, as of when it was told how much that is for fair share.

    The one is mostly asked for less often than the other. They are told of the same: what a job
    uses for fair share are its seconds of billing. Source: Slurm 22.05, priority/multifactor.
    """
    usage, standing = association.usage, association.fairshare
    billed = 0 if usage is None else amount_of(usage.tres_minutes, BILLING)
    if usage is None or standing is None or billed <= 0 or standing.usage_raw <= 0:
        return usage
    passed = standing.usage_raw / 60 / billed
    minutes = tuple((name, round(amount * passed)) for name, amount in usage.tres_minutes)
    return replace(usage, wall_minutes=usage.wall_minutes * passed, tres_minutes=minutes)


def _account_scope(association: Association) -> Scope:
    return Scope(whose=Whose.ACCOUNT, name=association.account)


def _user_scope(sort: Sort, own: Association | None) -> Scope | None:
    if not sort.user:
        return None
    return Scope(
        whose=Whose.USER_OF_ACCOUNT,
        name=sort.account,
        member=sort.user,
        partition=own.partition if own else "",
    )


def _inherited(chain: Sequence[Association]) -> Limits:
    """Return the limits that do not bind groups, each from the first that sets it."""
    found: dict[str, Any] = {}
    for family in FAMILIES:
        if family.reach is Reach.GROUP:
            continue
        bounds = {
            resource: cap
            for association in reversed(chain)
            for resource, cap in settings_of(association.limits, family)
        }
        if bounds:
            found[family.field] = bounds[""] if "" in bounds else tuple(bounds.items())
    return Limits(**found)
