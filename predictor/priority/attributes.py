"""What a formula may ask about a waiting job in one of its partitions."""

from collections.abc import Callable
from dataclasses import dataclass

from predictor.domain import Partition, PendingJob, Tres
from predictor.domain.defaults import first_told_s
from predictor.errors import FormulaError
from predictor.priority.census import Census, tasks_of


@dataclass(frozen=True, slots=True)
class Subject:
    """A waiting job in one of its partitions, and all it is compared with."""

    job: PendingJob
    partition: str
    census: Census


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A name that formulas may use, and how its value is found.

    `value` raises FormulaError where the batch system does not tell what it would need: a guess
    would order the queue silently wrong.
    """

    meaning: str
    value: Callable[[Subject], float]


def batch_priority(job: PendingJob, partition: str) -> int | None:
    """Return the number by which the batch system orders the job there; None: not shown.

    With one partition that is the job's own: it may be older than what its factors add up to.
    Source: Slurm 22.05.8, a backfill pass that lets others at the locks while all priorities are
    recomputed gives those it looks at afterwards their former ones back, until the next time.
    """
    own, summed = job.spec.priority, summed_priority(job, partition)
    return summed if own is None or (len(job.spec.partitions) > 1 and summed is not None) else own


def summed_priority(job: PendingJob, partition: str) -> int | None:
    """Return what the job's factors add up to there; None: not shown."""
    for factors in job.priorities:
        if factors.partition == partition:
            return factors.priority
    return None


def limit_s(subject: Subject) -> float:
    """Return the job's wall-time limit, else its partition's default, maximum, or one year."""
    partition = _partition(subject)
    own = subject.job.spec.request.limit_s
    return first_told_s(own, partition.default_time_s, partition.max_time_s)


def _since(instant: int | None, subject: Subject) -> float:
    # An instant not known yet, or still to come, gives no merit so far.
    return 0 if instant is None else max(0, subject.census.taken_at - instant)


def _eligible_s(subject: Subject) -> float:
    return _since(subject.job.spec.eligible_at, subject)


def _xfactor(subject: Subject) -> float:
    return 1 + _eligible_s(subject) / max(1, limit_s(subject))


def _memory_mb(subject: Subject) -> float:
    request = subject.job.spec.request
    if request.memory_per_node_mb:
        return request.nodes * request.memory_per_node_mb
    return request.cpus * (request.memory_per_cpu_mb or 0)


def _gpus(subject: Subject) -> float:
    request = subject.job.spec.request
    return request.nodes * _gpus_in(request.gres_per_node) + _gpus_in(request.gres_total)


def _gpus_in(gres: Tres) -> int:
    return sum(amount for name, amount in gres if name.partition(":")[0] == "gpu")


def _own_priority(subject: Subject) -> float:
    return _told(batch_priority(subject.job, subject.partition), "the batch system's priority")


def _fairshare(subject: Subject) -> float:
    association = subject.census.association(subject.job.spec, subject.partition)
    standing = association.fairshare if association else None
    return _told(standing.factor if standing else None, "the fairshare")


def _qos_priority(subject: Subject) -> float:
    name = subject.job.spec.qos
    return _told(subject.census.qos_priorities.get(name) if name else 0, "the QOS")


def _told(value: float | None, what: str) -> float:
    if value is None:
        raise FormulaError(f"{what} of this job is not known")
    return value


def _user_priority(subject: Subject) -> float:
    association = subject.census.association(subject.job.spec, subject.partition)
    return association.priority if association else 0


def _account_priority(subject: Subject) -> float:
    return subject.census.account_priorities.get(subject.job.spec.account, 0)


def _partition(subject: Subject) -> Partition:
    return subject.census.partition(subject.partition)


def _attribute(meaning: str, value: Callable[[Subject], float]) -> Attribute:
    return Attribute(meaning=meaning, value=value)


ATTRIBUTES = {
    "submitted_at": _attribute(
        "when it was submitted, UTC epoch seconds", lambda s: s.job.spec.submitted_at
    ),
    "queued_s": _attribute(
        "seconds since it was submitted", lambda s: _since(s.job.spec.submitted_at, s)
    ),
    "eligible_s": _attribute(
        "seconds since it might have started; 0 while it may not", _eligible_s
    ),
    "age_s": _attribute(
        "seconds that count as its age; 0 while none do",
        lambda s: _since(s.job.spec.accrues_age_since, s),
    ),
    "limit_s": _attribute(
        "its wall-time limit in seconds, else its queue's; one year if there is none", limit_s
    ),
    "xfactor": _attribute("1 + eligible_s / limit_s", _xfactor),
    "nodes": _attribute("nodes it asks for", lambda s: s.job.spec.request.nodes),
    "cpus": _attribute("CPUs it asks for, over all nodes", lambda s: s.job.spec.request.cpus),
    "memory_mb": _attribute(
        "memory it asks for in MiB, over all nodes; 0: nothing said", _memory_mb
    ),
    "gpus": _attribute("GPUs it asks for, over all nodes", _gpus),
    "tasks": _attribute("waiting tasks of its array; 1 for other jobs", lambda s: tasks_of(s.job)),
    "restarts": _attribute("how often it was started before", lambda s: s.job.spec.restarts),
    "priority": _attribute("the batch system's own number", _own_priority),
    "nice": _attribute("by how much its user steps back", lambda s: s.job.spec.nice),
    "partition_tier": _attribute("the tier of its queue", lambda s: _partition(s).tier),
    "partition_job_factor": _attribute(
        "the job factor of its queue", lambda s: _partition(s).job_factor
    ),
    "partition_nodes": _attribute("nodes of its queue", lambda s: len(_partition(s).node_names)),
    "cluster_nodes": _attribute("nodes of the cluster", lambda s: s.census.nodes),
    "cluster_cpus": _attribute("CPUs of the cluster", lambda s: s.census.cpus),
    "qos_priority": _attribute("the priority of its QOS; 0 without one", _qos_priority),
    "user_priority": _attribute("the priority of its user; 0 if none is set", _user_priority),
    "account_priority": _attribute(
        "the priority of its account; 0 if none is set", _account_priority
    ),
    "fairshare": _attribute("its user's fairshare factor, 0 to 1", _fairshare),
    "user_running_jobs": _attribute(
        "running jobs of its user", lambda s: s.census.user_running[s.job.spec.user]
    ),
    "user_running_cpus": _attribute(
        "CPUs that its user holds", lambda s: s.census.user_cpus[s.job.spec.user]
    ),
    "user_queued_jobs": _attribute(
        "waiting jobs and array tasks of its user, this one too",
        lambda s: s.census.user_queued[s.job.spec.user],
    ),
    "account_running_jobs": _attribute(
        "running jobs of its account", lambda s: s.census.account_running[s.job.spec.account]
    ),
    "account_running_cpus": _attribute(
        "CPUs that its account holds", lambda s: s.census.account_cpus[s.job.spec.account]
    ),
    "account_queued_jobs": _attribute(
        "waiting jobs and array tasks of its account, this one too",
        lambda s: s.census.account_queued[s.job.spec.account],
    ),
}

NAMES = frozenset(ATTRIBUTES)
