"""What a job counts as while it runs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from predictor.domain import (
    Partition,
    RunningJob,
    RunState,
    SchedulerSettings,
    Snapshot,
    Tres,
    amounts_by_name,
)
from predictor.domain.billing import billing
from predictor.domain.defaults import planned_s
from predictor.limits.groups import BILLING


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
        amounts = {BILLING: self.billing} | amounts_by_name(
            nodes=self.nodes,
            cpus=self.cpus,
            memory_mb=self.memory_mb,
            gres=self.gres,
            licenses=self.licenses,
        )
        if self.limit_s < 0 or min(amounts.values()) < 0:
            raise ValueError(f"a job cannot claim less than nothing: {self}")
        kept = {name: amount for name, amount in amounts.items() if amount}
        object.__setattr__(self, "amounts", kept)


def running_claim(
    job: RunningJob, partition: Partition | None, settings: SchedulerSettings
) -> Claim:
    """Return what a running job counts as, by what it holds. Amounts below zero count as none."""
    gres: dict[str, int] = {}
    for share in job.allocation:
        for name, amount in share.gres:
            gres[name] = gres.get(name, 0) + max(0, amount)
    nodes = len({share.node for share in job.allocation})
    cpus = sum(max(0, share.cpus) for share in job.allocation)
    memory_mb = sum(max(0, share.memory_mb) for share in job.allocation)
    bundle = tuple(sorted(gres.items()))
    licenses = tuple((name, max(0, amount)) for name, amount in job.spec.request.licenses)
    amounts = amounts_by_name(
        nodes=nodes, cpus=cpus, memory_mb=memory_mb, gres=bundle, licenses=licenses
    )
    weights = partition.billing_weights if partition else ()
    return Claim(
        user=job.spec.user,
        account=job.spec.account,
        partition=partition.name if partition else "",
        qos=job.spec.qos,
        nodes=nodes,
        cpus=cpus,
        memory_mb=memory_mb,
        gres=bundle,
        licenses=licenses,
        billing=int(billing(amounts, weights, settings.billing_rule)),
        limit_s=planned_s(job.spec.request, partition),
    )


def counted_jobs(snapshot: Snapshot) -> Iterator[tuple[RunningJob, Claim, int]]:
    """Yield the running jobs that count against limits, as what, and from when on.

    A job that is completing has given back what it had of its limits. What a job has before it is
    never less than nothing: one past its limit counts as if it had started later.
    """
    partitions = {partition.name: partition for partition in snapshot.partitions}
    seen: set[str] = set()
    for job in snapshot.running:
        if job.state is RunState.COMPLETING or job.spec.id in seen:
            continue
        seen.add(job.spec.id)
        name = job.spec.first_partition
        claim = running_claim(job, partitions.get(name), snapshot.settings)
        started_at = job.started_at + job.suspended_s
        yield job, claim, max(started_at, snapshot.taken_at - claim.limit_s)


def bitmap(job: RunningJob, number: Callable[[str], int | None]) -> int:
    """Return the set of the job's nodes; `number` gives a node's bit, None if it has none."""
    numbers = (number(share.node) for share in job.allocation)
    return sum({1 << i for i in numbers if i is not None})
