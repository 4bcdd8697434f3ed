"""Jobs, out of JSON: of `squeue --json` and slurmrestd, of Slurm 22.05 and newer."""

from dataclasses import dataclass, replace

from collectors.slurm.objects.allocations import allocation_of
from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.objects.jobids import array_of, het_of, job_id, split_off_ids
from collectors.slurm.objects.requests import request_of
from collectors.slurm.surroundings import Surroundings, full_name
from collectors.slurm.words import states
from collectors.slurm.words.dependencies import dependencies
from collectors.slurm.words.hostlists import expanded
from collectors.slurm.words.quarantine import sorted_out
from collectors.slurm.words.reasons import obstacle
from collectors.untrusted import untrusted
from predictor.domain import (
    BatchEstimate,
    Fact,
    FinishedJob,
    Hold,
    JobSpec,
    Limit,
    Outcome,
    PendingJob,
    PriorityFactors,
    Quarantined,
    Request,
    RunningJob,
    RunState,
    choices,
)

SQUEUE = "squeue --json"

Job = PendingJob | RunningJob | FinishedJob


@dataclass(frozen=True, slots=True, kw_only=True)
class JobList:
    """All jobs of one answer, by the stage they are in."""

    cluster: str
    pending: tuple[PendingJob, ...] = ()
    running: tuple[RunningJob, ...] = ()
    finished: tuple[FinishedJob, ...] = ()


def parse_jobs(text: str, around: Surroundings) -> tuple[JobList, tuple[Quarantined, ...]]:
    """Return the jobs of `squeue --json`, each id once. Raises SourceError."""
    return jobs_of(record_list(decoded(text, SQUEUE), "jobs", SQUEUE), around)


def jobs_of(found: list[object], around: Surroundings) -> tuple[JobList, tuple[Quarantined, ...]]:
    """Return the jobs of such records, each id once."""
    around = replace(around, ids=split_off_ids(found))
    seen: set[str] = set()

    def parse(record: object) -> Job:
        job = parse_job(record, around)
        if job.spec.id in seen:
            raise ValueError(f"job {job.spec.id}: it stands twice in the answer")
        seen.add(job.spec.id)
        return job

    jobs, bad = sorted_out(Fact.JOBS, found, parse)
    return JobList(
        cluster=_cluster(found),
        pending=tuple(job for job in jobs if isinstance(job, PendingJob)),
        running=tuple(job for job in jobs if isinstance(job, RunningJob)),
        finished=tuple(job for job in jobs if isinstance(job, FinishedJob)),
    ), bad


def _cluster(found: list[object]) -> str:
    """Return the cluster's name by its jobs' records; `unknown` if none says it."""
    names = (job.get("cluster") for job in found if isinstance(job, dict))
    return next((name for name in names if isinstance(name, str) and name), "unknown")


def parse_job(record: object, around: Surroundings) -> Job:
    """Read one job record. Raises ValueError, naming the job."""
    job = Fields(record)
    try:
        words = tuple(word.upper() for word in job.words("job_state"))
        stage = states.stage(words)
        if stage is states.Stage.PENDING:
            return _pending(job, words, around)
        if stage is states.Stage.HOLDING:
            return _running(job, words, around)
        return _finished(job, words, around)
    except ValueError as error:
        raise ValueError(f"job {job.shown('job_id')}: {error}") from error


def _spec(job: Fields, around: Surroundings) -> JobSpec:
    array, het = array_of(job), het_of(job)
    submitted_at = job.instant("submit_time")
    if submitted_at is None:
        raise ValueError("no submit_time")
    return JobSpec(
        id=job_id(job, array, het),
        user=job.text("user_name") or str(job.count("user_id")),
        request=_request(job, around),
        partitions=tuple(part for part in job.text("partition").split(",") if part),
        submitted_at=submitted_at,
        account=job.text("account"),
        group=job.text("group_name"),
        qos=job.text("qos"),
        name=untrusted(job.text("name")),
        comment=untrusted(job.text("comment")),
        reservation=job.text("resv_name"),
        eligible_at=job.instant("eligible_time"),
        accrues_age_since=job.instant("accrue_time"),
        priority=_priority(job),
        nice=_nice(job),
        array=array,
        het=het,
        restarts=job.count("restart_cnt"),
        can_restart=not job.has("requeue") or job.flag("requeue"),
    )


def _request(job: Fields, around: Surroundings) -> Request:
    request = request_of(job, around.widest, around.threads, around.sockets)
    wish = around.switches.get(job.count("job_id"))
    if wish is None:
        return request
    return replace(request, switches=wish.switches, switches_wait_s=wish.wait_s)


def _pending(job: Fields, words: tuple[str, ...], around: Surroundings) -> PendingJob:
    spec = _spec(job, around)
    reason = job.text("state_reason")
    eligible_at = spec.eligible_at
    waits = eligible_at is not None and eligible_at > around.taken_at
    return PendingJob(
        spec=spec,
        hold=_hold(job, words, reason),
        obstacle=obstacle(
            reason,
            len(spec.partitions) * max(1, len(choices(spec.qos))),
            spec.priority,
            may_shrink=spec.request.limit_min_s is not None,
        ),
        reason="" if reason == "None" else reason,
        begin_at=eligible_at if waits else None,
        start_by=_start_by(job, spec.request.limit_s),
        dependencies=dependencies(job.text("dependency"), around.ids),
        priorities=_priorities(job, spec, around),
        estimate=BatchEstimate(
            start_at=job.instant("start_time"),
            node_names=expanded(_planned(job, around)),
            evaluated_at=job.instant("last_sched_evaluation"),
        ),
    )


def _start_by(job: Fields, limit: Limit) -> int | None:
    """Return when it must start at the latest to be over by its deadline.

    It may be cut short to the least limit it names. Who names no limit at all is given a least one
    of a minute by Slurm.
    """
    deadline_at = job.instant("deadline")
    if deadline_at is None:
        return None
    least_s = 60 * job.count("time_minimum") or (limit if isinstance(limit, int) else 0)
    return deadline_at - least_s


def _planned(job: Fields, around: Surroundings) -> str:
    return job.text("scheduled_nodes") or around.planned.get(job.count("job_id"), "")


def _running(job: Fields, words: tuple[str, ...], around: Surroundings) -> RunningJob:
    started_at, state = job.instant("start_time"), states.run_state(words)
    if started_at is None and state is RunState.COMPLETING:
        # It was sent back, which takes its start from it, and its nodes are still being cleared.
        started_at = around.taken_at
    if started_at is None:
        raise ValueError("it holds nodes but has no start_time")
    return RunningJob(
        spec=_spec(job, around),
        started_at=started_at,
        allocation=allocation_of(job, around.cpus_per_core),
        state=state,
        suspended_s=_suspended_s(job, state, started_at, around.taken_at),
        stopped_since=_stopped_since(job, state),
        spared_until=_spared_until(job, state),
    )


def _finished(job: Fields, words: tuple[str, ...], around: Surroundings) -> FinishedJob:
    ended_at = job.instant("end_time")
    if ended_at is None:
        raise ValueError("it is over but has no end_time")
    nodes = expanded(job.text("nodes"))
    outcome = states.outcome(words)
    return FinishedJob(
        spec=_spec(job, around),
        ended_at=ended_at,
        outcome=outcome,
        # One that never had nodes never started, whatever its start_time says.
        started_at=job.instant("start_time") if nodes else None,
        node_names=nodes,
        exit_code=_exit_code(job) if outcome is not Outcome.CANCELLED else None,
    )


def _hold(job: Fields, words: tuple[str, ...], reason: str) -> Hold:
    priority = _priority(job)
    # Reason and state may be stale after a release (22.05 never ends RESV_DEL_HOLD); the priority
    # never is.
    told = "Held" in reason or states.held_by_state(words)
    if not (job.flag("hold") or (told if priority is None else priority == 0)):
        return Hold.NONE
    return Hold.USER if reason == "JobHeldUser" else Hold.ADMIN


def _priority(job: Fields) -> int | None:
    return job.count("priority") if isinstance(job.number("priority"), int) else None


def _nice(job: Fields) -> int:
    nice = job.number("nice")
    return nice if isinstance(nice, int) else 0


def _priorities(job: Fields, spec: JobSpec, around: Surroundings) -> tuple[PriorityFactors, ...]:
    shown = around.priorities.get(job.count("job_id"), ())
    if shown:
        return tuple(
            replace(factors, partition=full_name(factors.partition, spec.partitions))
            for factors in shown
        )
    return tuple(
        PriorityFactors(partition=part.text("partition"), priority=part.count("priority"))
        for part in job.parts("priority_by_partition")
    )


def _spared_until(job: Fields, state: RunState) -> int | None:
    """Return the `end_time` of who goes on though it was to make room at `preempt_time`."""
    goes_on = state is RunState.RUNNING and job.instant("preempt_time") is not None
    return job.instant("end_time") if goes_on else None


def _suspended_s(job: Fields, state: RunState, started_at: int, now: int) -> int:
    """`suspend_time` is when it was last suspended or resumed, `pre_sus_time` how long it ran."""
    changed_at = job.instant("suspend_time")
    if changed_at is None:
        return 0
    until = now if state is RunState.SUSPENDED else changed_at
    return max(0, until - started_at - job.count("pre_sus_time"))


def _stopped_since(job: Fields, state: RunState) -> int | None:
    """Return `suspend_time` if `scontrol suspend` was said: that alone takes its priority away."""
    by_order = state is RunState.SUSPENDED and job.count("priority") == 0
    return job.instant("suspend_time") if by_order else None


def _exit_code(job: Fields) -> int | None:
    """Return the exit code; None for a job ended by a signal."""
    if job.is_nested("exit_code"):
        code = job.part("exit_code").number("return_code")
        return code if isinstance(code, int) else None
    status = job.count("exit_code")  # a plain number is what wait(2) gives
    return None if status & 0x7F else status >> 8
