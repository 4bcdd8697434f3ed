"""Count once what the priorities of all jobs of a snapshot are computed from."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from predictor.domain import Association, JobSpec, Partition, PendingJob, RunState, Snapshot

UNKNOWN = Partition(name="", node_names=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """A snapshot's totals, and its values by name."""

    taken_at: int
    nodes: int
    cpus: int
    partitions: Mapping[str, Partition]
    qos_priorities: Mapping[str, int]
    associations: Mapping[tuple[str, str, str], Association]
    """By account, user and partition; an empty user means the account itself."""
    account_priorities: Mapping[str, int]
    user_running: Counter[str]
    user_cpus: Counter[str]
    user_queued: Counter[str]
    account_running: Counter[str]
    account_cpus: Counter[str]
    account_queued: Counter[str]

    def partition(self, name: str) -> Partition:
        """Return the named partition; one with all defaults and no nodes if it is unknown."""
        return self.partitions.get(name, UNKNOWN)

    def association(self, spec: JobSpec, partition: str) -> Association | None:
        """Return the job's user in its account: there if told for `partition`, else anywhere."""
        found = self.associations.get((spec.account, spec.user, partition))
        return found or self.associations.get((spec.account, spec.user, ""))


def tasks_of(job: PendingJob) -> int:
    """Return how many jobs will come of a waiting record: its array's tasks, else one."""
    return len(job.spec.array.tasks) if job.spec.array else 1


def take_census(snapshot: Snapshot) -> Census:
    """Return the census of `snapshot`. Linear in its records."""
    associations = {(a.account, a.user, a.partition): a for a in snapshot.associations}
    census = Census(
        taken_at=snapshot.taken_at,
        nodes=len(snapshot.nodes),
        cpus=sum(node.cpus for node in snapshot.nodes),
        partitions={partition.name: partition for partition in snapshot.partitions},
        qos_priorities={qos.name: qos.priority for qos in snapshot.qos},
        associations=associations,
        account_priorities={a.account: a.priority for a in associations.values() if not a.user},
        user_running=Counter(),
        user_cpus=Counter(),
        user_queued=Counter(),
        account_running=Counter(),
        account_cpus=Counter(),
        account_queued=Counter(),
    )
    _count_running(census, snapshot)
    _count_waiting(census, snapshot)
    return census


def _count_running(census: Census, snapshot: Snapshot) -> None:
    for job in snapshot.running:
        if job.state is RunState.COMPLETING:
            continue
        cpus = sum(share.cpus for share in job.allocation)
        census.user_running[job.spec.user] += 1
        census.user_cpus[job.spec.user] += cpus
        census.account_running[job.spec.account] += 1
        census.account_cpus[job.spec.account] += cpus


def _count_waiting(census: Census, snapshot: Snapshot) -> None:
    for job in snapshot.pending:
        tasks = tasks_of(job)
        census.user_queued[job.spec.user] += tasks
        census.account_queued[job.spec.account] += tasks
