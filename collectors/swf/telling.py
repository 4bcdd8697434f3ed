"""A trace's jobs in the domain's words, dated as if the trace were played just now."""

from collectors.swf.jobs import UNKNOWN, TraceJob
from predictor.domain import (
    FinishedJob,
    JobSpec,
    NodeShare,
    Request,
    RunningJob,
    Untrusted,
)

EVERYBODY = "all"
"""The queue of jobs whose queue the trace does not know."""


def queue_of(job: TraceJob) -> str:
    """Return the name of the job's queue: of the trace's queue and partition, as far as known."""
    parts = (("q", job.queue), ("p", job.partition))
    return "".join(f"{sign}{number}" for sign, number in parts if number >= 0) or EVERYBODY


def spec_of(job: TraceJob, queue: str, cpus_per_node: int, delta_s: int) -> JobSpec:
    """Return what is true of the job from its submission on; `delta_s` is added to instants."""
    return JobSpec(
        id=str(job.number),
        user=_named("u", job.user),
        account=_named("g", job.group),
        name=Untrusted(_named("x", job.program)),
        partitions=(queue,),
        request=Request(nodes=-(-job.cpus // cpus_per_node), cpus=job.cpus, limit_s=job.limit_s),
        submitted_at=job.submit_s + delta_s,
        eligible_at=job.submit_s + delta_s,
    )


def _named(sign: str, number: int) -> str:
    return "" if number == UNKNOWN else f"{sign}{number}"


def running(
    job: TraceJob, spec: JobSpec, shares: tuple[NodeShare, ...], delta_s: int
) -> RunningJob:
    """Return the job as it runs."""
    started_at = (job.submit_s if job.start_s is None else job.start_s) + delta_s
    return RunningJob(spec=spec, started_at=started_at, allocation=shares)


def finished(job: TraceJob, spec: JobSpec, nodes: tuple[str, ...], delta_s: int) -> FinishedJob:
    """Return the job when it is over."""
    return FinishedJob(
        spec=spec,
        started_at=None if job.start_s is None else job.start_s + delta_s,
        ended_at=job.end_s + delta_s,
        outcome=job.outcome,
        node_names=nodes,
    )
