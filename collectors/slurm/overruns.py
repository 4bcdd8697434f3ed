"""Limits that are refuted by what runs: more of it than they admit."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from predictor.domain import (
    UNLIMITED,
    Association,
    Limit,
    Limits,
    Qos,
    QosFlag,
    RunningJob,
    RunState,
    Snapshot,
    amounts_by_name,
)

_JOBS = ""
"""In the place of a resource where jobs are counted."""
_GROUP = ("group_jobs", "group_tres")
_USER = ("max_jobs", "max_tres")
_ACCOUNT = ("max_jobs_per_account", "max_tres_per_account")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A limit on what runs at a time."""

    whose: tuple[str, ...]
    field: str
    """Of `Limits`."""
    resource: str
    cap: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sort:
    """Jobs of equal sort are bound by the same limits."""

    user: str
    account: str
    partition: str
    qos: str


@dataclass(slots=True)
class _Sum:
    """What some jobs take together."""

    amounts: Counter[str] = field(default_factory=Counter)
    nodes: set[str] = field(default_factory=set)

    def add(self, other: "_Sum") -> None:
        self.amounts.update(other.amounts)
        self.nodes |= other.nodes

    def of(self, resource: str) -> int:
        return len(self.nodes) if resource == "node" else self.amounts[resource]


def overruns(snapshot: Snapshot) -> frozenset[Rule]:
    """Return the limits of which those that they bind take more than they admit.

    Either they were changed since these started, or since we asked for them. Who is bound by
    another limit instead does not count here, as he may have started for that reason.
    """
    if not snapshot.settings.limits_enforced:
        return frozenset()
    tables, taken = _Tables(snapshot), dict[Rule, _Sum]()
    for sort, its in _running(snapshot).items():
        for rule in tables.rules(sort):
            taken.setdefault(rule, _Sum()).add(its)
    return frozenset(rule for rule, all_ in taken.items() if all_.of(rule.resource) > rule.cap)


def _running(snapshot: Snapshot) -> Mapping[_Sort, _Sum]:
    """Return what jobs of each sort take; who is completing has given back its part of limits."""
    found: dict[_Sort, _Sum] = {}
    for job in {job.spec.id: job for job in snapshot.running}.values():
        if job.state is not RunState.COMPLETING:
            spec = job.spec
            sort = _Sort(
                user=spec.user,
                account=spec.account,
                partition=spec.first_partition,
                qos=spec.qos,
            )
            found.setdefault(sort, _Sum()).add(_taken(job))
    return found


def _taken(job: RunningJob) -> _Sum:
    shares = job.allocation
    amounts = amounts_by_name(
        nodes=0,
        cpus=sum(share.cpus for share in shares),
        memory_mb=sum(share.memory_mb for share in shares),
        gres=[each for share in shares for each in share.gres],
        licenses=job.spec.request.licenses,
    )
    return _Sum(Counter({_JOBS: 1} | amounts), {share.node for share in shares})


class _Tables:
    """Whose limits bind a sort of job.

    Source of the order: slurm.schedmd.com/resource_limits.html, "Hierarchy".
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._qos = {qos.name: qos for qos in snapshot.qos}
        self._partition_qos = {p.name: p.qos for p in snapshot.partitions}
        self._associations = {(a.account, a.user, a.partition): a for a in snapshot.associations}

    def rules(self, sort: _Sort) -> Iterator[Rule]:
        """Yield what binds it; what one table sets hides the same in those after it."""
        order = self._in_order(sort)
        hidden: set[tuple[str, str]] = set()
        for qos in order:
            members = ((_GROUP, ""), (_USER, sort.user), (_ACCOUNT, sort.account))
            for fields, member in members:
                yield from _set_by(qos.limits, fields, ("qos", qos.name, member), hidden)
            hidden |= {(name, resource) for name, resource, _ in _settings(qos.limits)}
            if ("max_jobs_per_account", _JOBS) in hidden:
                hidden.add(("max_jobs", _JOBS))
        # They may be larger then, by the factor.
        stretched = any(qos.limit_factor != 1.0 for qos in order)
        own, chain = self._chain(sort)
        for one in chain:
            binding = _GROUP[:1] if stretched else _GROUP
            whose = ("association", one.account, one.user, one.partition)
            yield from _set_by(one.limits, binding, whose, hidden)
        setting = next((one for one in chain if one.limits.max_jobs is not None), None)
        if own is not None and setting is not None:
            whose = ("user", own.account, own.user, own.partition)
            yield from _set_by(setting.limits, _USER[:1], whose, hidden)

    def _in_order(self, sort: _Sort) -> list[Qos]:
        """Return the partition's QOS and the job's, the one that counts first."""
        names = [self._partition_qos.get(sort.partition, ""), sort.qos]
        own = self._qos.get(sort.qos)
        if own is not None and QosFlag.OVER_PARTITION in own.flags:
            names.reverse()
        return [self._qos[name] for name in dict.fromkeys(names) if name in self._qos]

    def _chain(self, sort: _Sort) -> tuple[Association | None, list[Association]]:
        """Return the user's association, and it with all accounts above, upwards."""
        keys = [(sort.account, sort.user, p) for p in (sort.partition, "")] if sort.user else []
        own = next((self._associations[key] for key in keys if key in self._associations), None)
        chain, account = ([] if own is None else [own]), sort.account
        while (above := self._associations.get((account, "", ""))) and above not in chain:
            chain.append(above)
            account = above.parent
        return own, chain


def _set_by(
    limits: Limits,
    fields: tuple[str, ...],
    whose: tuple[str, ...],
    hidden: set[tuple[str, str]],
) -> Iterator[Rule]:
    for name, resource, cap in _settings(limits):
        if name in fields and (name, resource) not in hidden and isinstance(cap, int):
            yield Rule(whose=whose, field=name, resource=resource, cap=cap)


def _settings(limits: Limits) -> Iterator[tuple[str, str, Limit]]:
    """Yield the limits on what runs at a time that are set: field, resource, cap."""
    for name in (*_GROUP, *_USER, *_ACCOUNT):
        value = getattr(limits, name)
        for resource, cap in value if isinstance(value, tuple) else ((_JOBS, value),):
            if cap is UNLIMITED or (cap is not None and cap >= 0):
                yield name, resource, cap
