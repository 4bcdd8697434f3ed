"""Jobs, out of `qstat -t -f -F json`: waiting, holding hosts, and over.

Ids are written as everywhere here: without the server, `123[4]` as `123_4`. A job of several kinds
of chunks is one of several components, `123+0` and `123+1`, that start together.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from collectors.pbs.answers import LONGEST_TEXT, Attributes, read
from collectors.pbs.depend import dependencies
from collectors.pbs.ids import array_of, job_id, stem
from collectors.pbs.requests import Part, Surroundings, parts_of, routed
from collectors.pbs.shares import added, hosts_in, shares
from collectors.pbs.words import instant, person, seconds, short, truth
from collectors.slurm.words.quarantine import sorted_out
from collectors.untrusted import untrusted
from predictor.domain import (
    BatchEstimate,
    Fact,
    FinishedJob,
    HetComponent,
    Hold,
    JobSpec,
    Obstacle,
    Outcome,
    PendingJob,
    Quarantined,
    RunningJob,
    RunState,
)

QSTAT = "qstat -t -f -F json"
NO_PROJECT = "_pbs_project_default"
LONGEST_REASON = 200

_WAITING = frozenset("QTWH")
_RUNNING = {
    "R": RunState.RUNNING,
    "E": RunState.COMPLETING,
    "S": RunState.SUSPENDED,
    "U": RunState.SUSPENDED,
}
_OVER = frozenset("FX")
_DELETED = "91"
"""The substate of a job that somebody deleted."""
_OVER_ITS_TIME = -29
_LIMIT = re.compile(r"\blimits?\b")

Job = PendingJob | RunningJob | FinishedJob


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """All jobs of an answer, and whose it is."""

    server: str = ""
    version: str = ""
    ids: frozenset[str] = frozenset()
    """As the server writes them: those that wait or run, but no arrays."""
    pending: tuple[PendingJob, ...] = ()
    running: tuple[RunningJob, ...] = ()
    finished: tuple[FinishedJob, ...] = ()


def parse_jobs(text: str, around: Surroundings) -> tuple[Jobs, tuple[Quarantined, ...]]:
    """Return the jobs of an answer. Raises SourceError.

    Jobs that were moved elsewhere are no more ours, and waiting tasks stand in their array.
    """
    answer = read(text, "Jobs", QSTAT)
    records = answer.records
    groups, bad = sorted_out(
        Fact.JOBS, records.items(), lambda item: tuple(_jobs(*item, records, around))
    )
    jobs = [job for group in groups for job in group]
    return Jobs(
        server=answer.server,
        version=answer.version,
        ids=frozenset(id_ for id_, record in records.items() if _is_there(id_, record)),
        pending=tuple(job for job in jobs if isinstance(job, PendingJob)),
        running=tuple(job for job in jobs if isinstance(job, RunningJob)),
        finished=tuple(job for job in jobs if isinstance(job, FinishedJob)),
    ), bad


def _is_there(id_: str, record: object) -> bool:
    """Whether a job waits or runs, and may be asked for by that id."""
    state = str(record.get("job_state")) if isinstance(record, dict) else ""
    plain = id_[:1].isalnum() and len(id_) < LONGEST_TEXT and "[]" not in id_
    return plain and state in _WAITING | _RUNNING.keys()


def _jobs(
    id_: str, record: object, records: Mapping[str, object], around: Surroundings
) -> Iterator[Job]:
    told = Attributes(record)
    state = told.text("job_state")
    try:
        if truth(told.text("array")):
            yield from _array(id_, told, state, around)
        elif state in _WAITING:
            if told.text("array_id") not in records:
                yield from _pending(id_, told, around)
        elif state in _RUNNING:
            yield from _running(id_, told, _RUNNING[state], around)
        elif state in _OVER:
            yield from _finished(id_, told, around)
        elif state != "M":
            raise ValueError(f"unknown state {state[:20]!r}")
    except ValueError as error:
        raise ValueError(f"job {id_[:LONGEST_TEXT]!r}: {error}") from error


def _array(id_: str, told: Attributes, state: str, around: Surroundings) -> Iterator[Job]:
    """Yield what waits of an array: those that run have records of their own."""
    if state in _WAITING | {"B"} and array_of(id_, told) is not None:
        yield from _pending(id_, told, around)


def _pending(id_: str, told: Attributes, around: Surroundings) -> Iterator[PendingJob]:
    conditions = dependencies(told.long_text("depend"))
    reason = told.long_text("comment")[:LONGEST_REASON]
    estimated = told.part("estimated")
    estimate = BatchEstimate(
        start_at=instant(estimated.text("start_time")),
        node_names=hosts_in(shares(estimated.long_text("exec_vnode"), around)),
    )
    for _, spec in _components(id_, told, around):
        yield PendingJob(
            spec=spec,
            hold=_hold(told, bool(conditions)),
            reason=reason,
            obstacle=_obstacle(reason),
            begin_at=instant(told.text("Execution_Time")),
            dependencies=conditions,
            estimate=estimate,
        )


def _hold(told: Attributes, waits_for_others: bool) -> Hold:
    """Return who holds the job. While it waits for others, the server itself does."""
    if told.text("job_state") != "H":
        return Hold.NONE
    kinds = set(told.text("Hold_Types")) - {"n"}
    if waits_for_others and kinds <= {"s"}:
        return Hold.NONE
    return Hold.USER if "u" in kinds else Hold.ADMIN


def _obstacle(reason: str) -> Obstacle:
    if reason.startswith("Can Never Run"):
        return Obstacle.NEVER
    limited = reason.startswith("Not Running") and _LIMIT.search(reason)
    return Obstacle.LIMIT if limited else Obstacle.NONE


def _running(
    id_: str, told: Attributes, state: RunState, around: Surroundings
) -> Iterator[RunningJob]:
    started_at = instant(told.text("stime"))
    if started_at is None:
        raise ValueError("it runs, but since when is not told")
    chunks = shares(told.long_text("exec_vnode"), around)
    suspended_s = 0
    if state is RunState.SUSPENDED:
        used_s = seconds(told.part("resources_used").text("walltime")) or 0
        suspended_s = max(0, around.taken_at - started_at - used_s)
    for part, spec in _components(id_, told, around):
        # The chunks it was given stand in the order of those it asked for.
        own, chunks = chunks[: part.chunks], chunks[part.chunks :]
        yield RunningJob(
            spec=spec,
            started_at=started_at,
            allocation=added(own),
            state=state,
            suspended_s=suspended_s,
        )


def _finished(id_: str, told: Attributes, around: Surroundings) -> Iterator[FinishedJob]:
    ended_at = next(filter(None, map(instant, _endings(told))), None)
    if ended_at is None:
        raise ValueError("it is over, but since when is not told")
    status = told.text("Exit_status")
    code = int(status) if status.lstrip("-").isdecimal() and len(status) < 10 else None
    started_at = instant(told.text("stime"))
    held = hosts_in(shares(told.long_text("exec_vnode"), around))
    for _, spec in _components(id_, told, around):
        yield FinishedJob(
            spec=spec,
            ended_at=max(ended_at, started_at or 0),
            outcome=_outcome(told.text("substate"), code, started_at),
            started_at=started_at,
            node_names=held,
            exit_code=code,
        )


def _endings(told: Attributes) -> Iterator[str]:
    yield from (told.text(key) for key in ("obittime", "history_timestamp", "mtime"))


def _outcome(substate: str, code: int | None, started_at: int | None) -> Outcome:
    if substate == _DELETED or started_at is None:
        return Outcome.CANCELLED
    if code is None:
        return Outcome.OTHER
    if code == _OVER_ITS_TIME:
        return Outcome.TIMEOUT
    return Outcome.FAILED if code else Outcome.COMPLETED


def _components(id_: str, told: Attributes, around: Surroundings) -> Iterator[tuple[Part, JobSpec]]:
    """Yield the job, or its components."""
    parts = parts_of(told, around)
    for number, part in enumerate(parts):
        yield part, _spec(id_, told, part, number if len(parts) > 1 else None, around)


def _spec(
    id_: str, told: Attributes, part: Part, offset: int | None, around: Surroundings
) -> JobSpec:
    submitted_at = instant(told.text("ctime")) or instant(told.text("qtime"))
    if submitted_at is None:
        raise ValueError("it does not tell when it was submitted")
    since = _eligible_since(told, submitted_at, around)
    array = array_of(id_, told)
    whole = job_id(id_, array)
    return JobSpec(
        id=whole if offset is None else f"{whole}+{offset}",
        user=told.text("euser") or person(told.text("Job_Owner")),
        request=part.request,
        partitions=routed(told, around),
        submitted_at=submitted_at,
        account=_account(told),
        group=told.text("egroup") or _first_group(told),
        qos=around.qos,
        name=untrusted(told.long_text("Job_Name")),
        reservation=_reservation(told, around),
        eligible_at=since,
        accrues_age_since=since,
        nice=-_signed(told.text("Priority")),
        array=array,
        het=None if offset is None else HetComponent(job_id=stem(id_, array), offset=offset),
        restarts=_restarts(told),
        can_restart=truth(told.text("Rerunable", "True")) is not False,
    )


def _eligible_since(told: Attributes, submitted_at: int, around: Surroundings) -> int | None:
    """Return since when its eligible time would have grown without a break; None: not now."""
    if told.text("job_state") in ("H", "W"):
        return None
    until = instant(told.text("stime")) or around.taken_at
    waited_s = seconds(told.text("eligible_time"))
    if waited_s is None:
        return instant(told.text("etime"))
    return max(submitted_at, until - waited_s)


def _first_group(told: Attributes) -> str:
    return person(told.long_text("group_list").partition(",")[0])[:LONGEST_TEXT]


def _account(told: Attributes) -> str:
    project = told.text("project")
    return told.text("Account_Name") if project in ("", NO_PROJECT) else project


def _reservation(told: Attributes, around: Surroundings) -> str:
    name = short(told.text("reserve_ID")) or told.text("queue")
    return name if name in around.reservations else ""


def _signed(text: str) -> int:
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 10 else 0


def _restarts(told: Attributes) -> int:
    runs = _signed(told.text("run_count"))
    return max(0, runs - (told.text("job_state") not in _WAITING))
