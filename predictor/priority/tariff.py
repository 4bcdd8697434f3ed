"""What jobs are charged for the time they run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from predictor.domain import JobSpec, NodeShare, RunningJob, RunState, Snapshot
from predictor.domain.billing import BillingRule, billing
from predictor.priority.amounts import held
from predictor.priority.census import Census, take_census
from predictor.priority.sharetree import Who, who_is


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A job's time on its nodes."""

    who: Who
    rate: float
    """Usage per second."""
    started_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """How much the jobs of a cluster are charged per second."""

    census: Census
    usage_factors: Mapping[str, float]
    """By QOS."""
    rule: BillingRule

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """Return the tariff in force at the snapshot."""
        return cls(
            census=take_census(snapshot),
            usage_factors={qos.name: qos.usage_factor for qos in snapshot.qos},
            rule=snapshot.settings.billing_rule,
        )

    def run(
        self, spec: JobSpec, partition: str, allocation: Sequence[NodeShare], started_at: int
    ) -> Run:
        """Return how a job that holds these parts of nodes is charged."""
        association = self.census.association(spec, partition)
        amounts = held(allocation, spec.request.licenses)
        weights = self.census.partition(partition).billing_weights
        units = billing(amounts, weights, self.rule)
        return Run(
            who=who_is(association) if association else (spec.account, spec.user, ""),
            rate=units * max(0.0, self.usage_factors.get(spec.qos, 1.0)),
            started_at=started_at,
        )

    def running(self, snapshot: Snapshot) -> tuple[Run, ...]:
        """Return the runs of the snapshot's jobs that are to be charged."""
        return tuple(
            self.run(job.spec, job.spec.partitions[0], job.allocation, job.started_at)
            for job in snapshot.running
            if is_charged(job)
        )


def is_charged(job: RunningJob) -> bool:
    """Return whether a job is still to be charged; a completing one has been, at its end."""
    return job.state is not RunState.COMPLETING and bool(job.spec.partitions)
