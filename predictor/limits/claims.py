"""What a job counts as while it runs."""

from dataclasses import dataclass, field

from predictor.domain import JobSpec, Partition, RunningJob, SchedulerSettings, Tres

NO_LIMIT_S = 365 * 24 * 3600
"""What a job without any limit counts as. Source: Slurm, a year."""

HIGHEST = 1e15
"""A billing weight from here on is taken for a mistake, and for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one job takes of the limits that bind it. Empty names: not known, and not bound.

    Amounts are over all its nodes and, once it has been placed, the real ones.
    """

    user: str
    account: str = ""
    partition: str = ""
    qos: str = ""
    nodes: int
    cpus: int
    memory_mb: int = 0
    gres: Tres = ()
    """Named as nodes have them: `(("gpu:a100", 8),)`."""
    licenses: Tres = ()
    billing: int = 0
    limit_s: int
    amounts: dict[str, int] = field(init=False, repr=False, compare=False)
    """By the names that limits use; what it takes nothing of is left out."""

    def __post_init__(self) -> None:
        amounts = {"node": self.nodes, "billing": self.billing} | _amounts(
            self.cpus, self.memory_mb, self.gres, self.licenses
        )
        if self.limit_s < 0 or min(amounts.values()) < 0:
            raise ValueError(f"a job cannot claim less than nothing: {self}")
        kept = {name: amount for name, amount in amounts.items() if amount}
        object.__setattr__(self, "amounts", kept)


def claim(
    spec: JobSpec,
    partition: Partition | None,
    settings: SchedulerSettings,
    *,
    nodes: int,
    cpus: int,
    memory_mb: int,
    limit_s: int,
    gres: Tres = (),
) -> Claim:
    """Return what the job counts as in `partition` with these amounts over all nodes."""
    licenses = tuple((name, max(0, amount)) for name, amount in spec.request.licenses)
    amounts = {"node": nodes} | _amounts(cpus, memory_mb, gres, licenses)
    return Claim(
        user=spec.user,
        account=spec.account,
        partition=partition.name if partition else "",
        qos=spec.qos,
        nodes=nodes,
        cpus=cpus,
        memory_mb=memory_mb,
        gres=gres,
        licenses=licenses,
        billing=_billing(amounts, partition, settings.priority_flags),
        limit_s=limit_s,
    )


def running_claim(
    job: RunningJob, partition: Partition | None, settings: SchedulerSettings
) -> Claim:
    """Return what a running job counts as, by what it holds. Amounts below zero count as none."""
    gres: dict[str, int] = {}
    for share in job.allocation:
        for name, amount in share.gres:
            gres[name] = gres.get(name, 0) + max(0, amount)
    return claim(
        job.spec,
        partition,
        settings,
        nodes=len({share.node for share in job.allocation}),
        cpus=sum(max(0, share.cpus) for share in job.allocation),
        memory_mb=sum(max(0, share.memory_mb) for share in job.allocation),
        limit_s=_limit_s(job, partition),
        gres=tuple(sorted(gres.items())),
    )


def _billing(amounts: dict[str, int], partition: Partition | None, flags: tuple[str, ...]) -> int:
    """Return the units billed for amounts by TRES name; without weights, the CPUs.

    MAX_TRES: of what lies on nodes only the dearest counts; MAX_TRES_GRES: the same, but generic
    resources are added. Source: slurm.conf(5), `TRESBillingWeights` and `PriorityFlags`.
    """
    weights = dict(partition.billing_weights) if partition else {}
    prices = {name: price for name, price in weights.items() if 0 <= price < HIGHEST}
    if not prices:
        return amounts.get("cpu", 0)
    costs = {name: price * amounts.get(name, 0) for name, price in prices.items()}
    if "MAX_TRES_GRES" in flags:
        added: tuple[str, ...] = ("license/", "gres/")
    elif "MAX_TRES" in flags:
        added = ("license/",)
    else:
        return int(sum(costs.values()))
    dearest = max((cost for name, cost in costs.items() if not name.startswith(added)), default=0)
    return int(dearest + sum(cost for name, cost in costs.items() if name.startswith(added)))


def _amounts(cpus: int, memory_mb: int, gres: Tres, licenses: Tres) -> dict[str, int]:
    """Return the amounts by TRES name; one of a typed resource counts as its plain kind too."""
    found = {"cpu": cpus, "mem": memory_mb}
    for name, amount in gres:
        for key in {name, name.partition(":")[0]}:
            found[f"gres/{key}"] = found.get(f"gres/{key}", 0) + amount
    for name, amount in licenses:
        found[f"license/{name}"] = found.get(f"license/{name}", 0) + amount
    return found


def _limit_s(job: RunningJob, partition: Partition | None) -> int:
    for limit in (job.spec.request.limit_s, partition.max_time_s if partition else None):
        if limit is not None:
            return max(0, limit) if isinstance(limit, int) else NO_LIMIT_S
    return NO_LIMIT_S
