"""Another program's job: waiting, holding nodes or over, by LML_da's words and LLview's."""

import re
from collections.abc import Mapping

from predictor.domain import (
    ArrayTasks,
    BatchEstimate,
    Dependency,
    DependencyKind,
    FinishedJob,
    HetComponent,
    Hold,
    JobSpec,
    Outcome,
    PendingJob,
    Request,
    RunningJob,
    RunState,
    Untrusted,
)
from predictor.lml.foreign.instant import Instants
from predictor.lml.foreign.texts import names, shares, task_numbers, told, wall_s, whole
from predictor.lml.records import Record

_WAITING = frozenset({"idle", "pending", "not queued", "user hold", "system hold", "submitted"})
_HOLDING = frozenset({"running", "suspended"})
_OVER = frozenset({"completed", "removed", "cancelled", "canceled", "failed"})

_HOLDS = {
    "USER_ON_HOLD": Hold.USER,
    "SYSTEM_ON_HOLD": Hold.ADMIN,
    "USER_SYSTEM_ON_HOLD": Hold.ADMIN,
    "user hold": Hold.USER,
    "system hold": Hold.ADMIN,
}
_OUTCOMES = {
    "CANCELED": Outcome.CANCELLED,
    "CANCELLED": Outcome.CANCELLED,
    "removed": Outcome.CANCELLED,
    "cancelled": Outcome.CANCELLED,
    "FAILED": Outcome.FAILED,
    "failed": Outcome.FAILED,
}
_DEPENDENCY = re.compile(r"([a-z]+)((?::[0-9_]+)*)(?:\([a-z]+\))?")

Job = PendingJob | RunningJob | FinishedJob


def job_of(record: Record, instants: Instants, widest: int) -> Job:
    """Return the job; `widest` are the most CPUs that a node has, 0 if no nodes are told.

    Raises ValueError if it lacks what every job has.
    """
    texts = record.texts
    state = told(texts, "state").lower()
    kind = state if state in _WAITING | _HOLDING | _OVER else told(texts, "status").lower()
    spec = _spec(record, instants, widest)
    if kind in _HOLDING or _is_configuring(texts, kind):
        return _running(spec, texts, instants, kind)
    if kind in _OVER and not _is_completing(texts, instants):
        return _finished(spec, texts, instants, state)
    if kind in _OVER:
        return _running(spec, texts, instants, kind)
    if kind in _WAITING:
        return _pending(spec, texts, instants, state)
    raise ValueError(f"neither its state {state!r} nor its status tells what it does")


def _is_configuring(texts: Mapping[str, str], kind: str) -> bool:
    """Whether its nodes are being set up: LLview then writes Pending, and that it has nodes."""
    undetermined = told(texts, "status") == "UNDETERMINED"
    return kind == "pending" and undetermined and bool(shares(told(texts, "nodelist")))


def _is_completing(texts: Mapping[str, str], instants: Instants) -> bool:
    """Whether it still holds its nodes: LLview then writes Completed, with an end to come."""
    ended_at = instants.at(texts, "enddate", "endtime")
    return (
        ended_at is not None
        and ended_at > instants.taken_at
        and bool(shares(told(texts, "nodelist")))
    )


def _pending(spec: JobSpec, texts: Mapping[str, str], instants: Instants, state: str) -> PendingJob:
    held = _HOLDS.get(told(texts, "detailedstatus"), _HOLDS.get(state, Hold.NONE))
    # What stands as the start of a waiting job is somebody's estimate.
    estimate = BatchEstimate(
        start_at=instants.at(texts, "starttime", "dispatchdate"),
        node_names=names(told(texts, "prenodelist")),
    )
    return PendingJob(
        spec=spec,
        hold=held,
        reason=told(texts, "reason"),
        dependencies=_dependencies(told(texts, "dependency")),
        estimate=estimate,
    )


def _running(spec: JobSpec, texts: Mapping[str, str], instants: Instants, kind: str) -> RunningJob:
    started_at = instants.at(texts, "dispatchdate", "starttime")
    if started_at is None:
        raise ValueError("it runs, but since when is not told")
    states = {
        "suspended": RunState.SUSPENDED,
        "pending": RunState.CONFIGURING,
        **dict.fromkeys(_OVER, RunState.COMPLETING),
    }
    return RunningJob(
        spec=spec,
        started_at=started_at,
        allocation=shares(told(texts, "nodelist", "vnodelist")),
        state=states.get(kind, RunState.RUNNING),
    )


def _finished(
    spec: JobSpec, texts: Mapping[str, str], instants: Instants, state: str
) -> FinishedJob:
    ended_at = instants.at(texts, "enddate", "endtime")
    if ended_at is None:
        raise ValueError("it is over, but since when is not told")
    detail = told(texts, "detailedstatus")
    return FinishedJob(
        spec=spec,
        ended_at=ended_at,
        outcome=_OUTCOMES.get(detail, _OUTCOMES.get(state, Outcome.COMPLETED)),
        started_at=instants.at(texts, "dispatchdate", "starttime"),
        node_names=names(told(texts, "nodelist")),
    )


def _spec(record: Record, instants: Instants, widest: int) -> JobSpec:
    texts = record.texts
    submitted_at = instants.at(texts, "queuedate")
    if submitted_at is None:
        raise ValueError("queuedate: missing")
    return JobSpec(
        id=told(texts, "step") or record.name or record.oid,
        user=told(texts, "owner"),
        request=_request(texts, widest),
        partitions=names(told(texts, "queue")),
        submitted_at=submitted_at,
        account=told(texts, "account"),
        group=told(texts, "group"),
        qos=told(texts, "qos"),
        name=Untrusted(told(texts, "name")),
        comment=Untrusted(told(texts, "comment")),
        reservation=told(texts, "reservation"),
        eligible_at=instants.at(texts, "eligdate"),
        priority=whole(texts, "userprio"),
        array=_array(texts),
        het=_het(texts),
        restarts=whole(texts, "restart") or 0,
    )


def _request(texts: Mapping[str, str], widest: int) -> Request:
    held = shares(told(texts, "nodelist"))
    cpus = whole(texts, "totalcores", "totaltasks") or sum(share.cpus for share in held)
    # Where the number of nodes is not told, it is the least that can hold the CPUs.
    least = -(-cpus // widest) if widest else 1
    nodes = whole(texts, "numnodes") or len(held) or max(least, 1)
    gpus = whole(texts, "totalgpus")
    return Request(
        nodes=nodes,
        cpus=cpus or nodes,
        limit_s=wall_s(texts),
        gres_total=(("gpu", gpus),) if gpus else (),
    )


def _array(texts: Mapping[str, str]) -> ArrayTasks | None:
    base, tasks = told(texts, "ArrayJobId"), told(texts, "ArrayTaskId")
    if not base or not tasks:
        return None
    numbers, _, most = tasks.partition("%")
    return ArrayTasks(
        job_id=base, tasks=task_numbers(numbers), max_running=int(most) if most else None
    )


def _het(texts: Mapping[str, str]) -> HetComponent | None:
    leader, offset = told(texts, "HetJobId"), whole(texts, "HetJobOffset")
    return HetComponent(job_id=leader, offset=offset) if leader and offset is not None else None


def _dependencies(text: str) -> tuple[Dependency, ...]:
    """Return the conditions of `afterok:12:13,singleton`; a `?` between them means any of them."""
    if not text:
        return ()
    found: list[Dependency] = []
    for part in re.split(r"[,?]", text):
        known = _DEPENDENCY.fullmatch(part)
        kinds = {kind.value: kind for kind in DependencyKind}
        kind = kinds.get(known[1] if known else "", DependencyKind.OTHER)
        ids = known[2].split(":")[1:] if known else []
        found += (
            Dependency(kind=kind, job_id=job_id, any_of="?" in text) for job_id in ids or [""]
        )
    return tuple(found)
