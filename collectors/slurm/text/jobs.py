"""Jobs, out of squeue's table and scontrol's details, as records of the JSON dialect."""

from collections.abc import Mapping, Sequence
from functools import partial

from collectors.slurm.objects.jobs import JobList, jobs_of
from collectors.slurm.surroundings import Surroundings
from collectors.slurm.text.jobdetails import AllDetails, Details
from collectors.slurm.text.jobsapart import taken_apart
from collectors.slurm.text.jobshares import held
from collectors.slurm.text.jobtable import Row, rows_of
from collectors.slurm.words import units
from collectors.slurm.words.jobids import numbers
from collectors.slurm.words.quarantine import sorted_out
from collectors.slurm.words.reasons import word_of
from collectors.slurm.words.versions import EXCLUSIVE_APART
from predictor.domain import UNLIMITED, Fact, Quarantined, amount_of

Record = dict[str, object]

_SHARING: Mapping[str, list[str]] = {
    "NO": ["none"],
    "NODE": ["none"],
    "TOPO": ["topo"],
    "USER": ["user"],
    "MCS": ["mcs"],
    "YES": ["oversubscribe"],
}


def parse_jobs(
    text: str,
    around: Surroundings,
    details: AllDetails,
    *,
    apart: Sequence[str | Row] = (),
    version: tuple[int, int, int],
    offset_s: int = 0,
) -> tuple[JobList, tuple[Quarantined, ...]]:
    """Return the jobs of the table, each id once. Raises SourceFormatError.

    `details` are used of a job where they agree with its row; `apart` are rows of array tasks
    that the table may show in one row with their array. `version` is Slurm's; `offset_s` how far
    the clock that wrote the instants was ahead of UTC.
    """
    tells_exclusive = version >= EXCLUSIVE_APART
    record_of = partial(_record, around, details, offset_s, tells_exclusive)
    rows = taken_apart(rows_of(text), apart)
    records, bad = sorted_out(Fact.JOBS, rows, record_of)
    jobs, also_bad = jobs_of(list(records), around)
    return jobs, bad + also_bad


def _record(
    around: Surroundings, details: AllDetails, offset_s: int, apart: bool, row: str | Row
) -> Record:
    if isinstance(row, str):
        raise ValueError(f"a row with other fields than asked for: {row[:80]!r}")
    try:
        told = _about(row, details)
        return {
            "job_id": int(row["JobID"]),
            **numbers(_shown_id(row, told), row["ArrayJobID"]),
            **_spec(row),
            **_times(row, offset_s),
            **_request(row),
            **(_told(row, told, offset_s) if told else _guessed(row, apart)),
            **held(row, told.shares if told else (), around.cpus_per_core),
        }
    except ValueError as error:
        raise ValueError(f"job {row['JobID'][:40]}: {error}") from error


def _about(row: Row, details: AllDetails) -> Details | None:
    """Return the details that agree with the row; none where several do."""
    fitting = [
        told
        for told in details.get(int(row["JobID"]), ())
        if (told.submitted, told.cpus) == (row["SubmitTime"], row["NumCPUs"])
        and units.said(told.held) == units.said(row["NodeList"])
    ]
    return fitting[0] if len(fitting) == 1 else None


def _shown_id(row: Row, told: Details | None) -> str:
    """Return the id, with how many of its tasks may run where the table leaves that out."""
    shown = row["JobArrayID"]
    if told is None or not told.throttle or not shown.endswith("]") or "%" in shown:
        return shown
    return f"{shown[:-1]}%{told.throttle}]"


def _spec(row: Row) -> Record:
    return {
        "cluster": row["Cluster"],
        "user_id": units.count(row["UserID"]),
        "user_name": units.said(row["UserName"]),
        "group_name": units.said(row["GroupName"]),
        "account": units.said(row["Account"]),
        "qos": units.said(row["QOS"]),
        "partition": units.said(row["Partition"]),
        "resv_name": units.said(row["Reservation"]),
        "job_state": row["State"].split(","),
        "state_reason": word_of(row["Reason"]),
        "priority": units.count(row["PriorityLong"]),
        "nice": int(row["Nice"]),
        "dependency": units.said(row["Dependency"]),
        "requeue": row["Requeue"] == "1",
        "restart_cnt": units.count(row["RestartCnt"]),
        "exit_code": _exit_code(row["exit_code"]),
        "nodes": units.said(row["NodeList"]),
        "scheduled_nodes": units.said(row["SchedNodes"]),
        "name": _free(row["Name"]),
        "comment": _free(row["Comment"]),
    }


def _free(text: str) -> str:
    """Return what a user wrote; squeue writes `(null)` where nobody wrote anything."""
    return "" if text == "(null)" else text


def _exit_code(word: str) -> object:
    """Return `3:0` as a record, without a code where a signal ended it; `768` stays a number."""
    code, colon, signal = word.partition(":")
    if not colon:
        return units.count(code)
    return {"return_code": units.count(code) if signal == "0" else None}


def _times(row: Row, offset_s: int) -> Record:
    at = {
        key: units.instant(row[name], offset_s)
        for key, name in (
            ("submit_time", "SubmitTime"),
            ("eligible_time", "EligibleTime"),
            ("accrue_time", "AccrueTime"),
            ("start_time", "StartTime"),
            ("end_time", "EndTime"),
            ("last_sched_evaluation", "LastSchedEval"),
        )
    }
    return {**at, **_suspended(row, at["start_time"], at["end_time"])}


def _suspended(row: Row, start_at: int | None, end_at: int | None) -> Record:
    """Return how long it ran before it was stopped, and when; once it runs again, when that was.

    Slurm moves a job's end by the time it stood still, so that its limit does not count it; of one
    that stands still it does so when it goes on.
    """
    if start_at is None or end_at is None:
        return {}
    limit_s = units.seconds(row["TimeLimit"])
    if row["State"] == "SUSPENDED":
        ran_s = units.whole_seconds(row["TimeUsed"])
        stopped_at = end_at - limit_s + ran_s if isinstance(limit_s, int) else start_at + ran_s
        return {"suspend_time": stopped_at, "pre_sus_time": ran_s}
    if row["State"] != "RUNNING" or not isinstance(limit_s, int):
        return {}
    stood_s = end_at - start_at - limit_s
    return {"suspend_time": start_at + stood_s, "pre_sus_time": 0} if stood_s > 0 else {}


def _request(row: Row) -> Record:
    return {
        "cpus": units.count(row["NumCPUs"]),
        "node_count": units.count(row["NumNodes"]),
        "tasks": units.count(row["NumTasks"]),
        "tasks_per_node": units.count(row["NTPerNode"]),
        "sockets_per_node": units.count(row["Sockets"].replace("*", "")),
        "minimum_cpus_per_node": units.count(row["MinCPUs"]),
        "time_limit": _minutes(row["TimeLimit"]),
        "time_minimum": _minutes(row["MinTime"]),
        "tres_per_job": units.said(row["tres-per-job"]),
        "tres_per_node": units.said(row["tres-per-node"]),
        "tres_per_socket": units.said(row["tres-per-socket"]),
        "tres_per_task": units.said(row["tres-per-task"]),
        "licenses": units.said(row["Licenses"]),
        "features": units.said(row["Feature"]),
        "required_nodes": row["ReqNodes"],
        "contiguous": row["Contiguous"] == "1",
        "required_switches": units.count(row["ReqSwitch"]),
        "maximum_switch_wait_time": _number(units.seconds(row["Wait4Switch"])),
    }


def _minutes(word: str) -> object:
    limit_s = units.seconds("" if word == "NOT_SET" else word)
    return _number(limit_s // 60 if isinstance(limit_s, int) else limit_s)


def _number(limit: object) -> object:
    return {"set": False, "infinite": True, "number": 0} if limit is UNLIMITED else limit


def _told(row: Row, told: Details, offset_s: int) -> Record:
    """Return what scontrol tells of the request."""
    by_cpu = told.memory_per_cpu_mb is not None
    return {
        "array_max_tasks": told.throttle,
        "deadline": units.instant(told.deadline, offset_s),
        "max_nodes": told.nodes_max,
        "licenses_allocated": told.licenses_held,
        "cpus_per_tres": told.cpus_per_gres,
        "memory_per_tres": told.memory_per_gres,
        "job_size_str": list(told.sizes),
        "segment_size": told.segment,
        "cores_per_socket": told.cores_per_socket,
        "threads_per_core": told.threads_per_core,
        "tasks_per_core": told.tasks_per_core,
        "tasks_per_socket": told.tasks_per_socket,
        "minimum_tmp_disk_per_node": told.disk_mb,
        "flags": [
            *(["SPREAD_JOB"] if told.scattered else []),
            *(["GRES_BINDING_ENFORCED"] if told.binds_gres else []),
        ],
        "excluded_nodes": told.excluded_nodes,
        "shared": _sharing(
            row["OverSubscribe"] if told.exclusive in ("", "NO") else told.exclusive,
            bool(told.exclusive),
        ),
        "tres_req_str": told.requested or _requested(row),
        **_memory(by_cpu, told.memory_per_cpu_mb if by_cpu else told.memory_per_node_mb),
    }


def _sharing(word: str, apart: bool) -> list[str]:
    """Return whom it tolerates. `NO` is no when asked for exclusive use, else means just that."""
    return [] if apart and word == "NO" else _SHARING.get(word, [])


def _guessed(row: Row, apart: bool) -> Record:
    """Return what can be concluded of that from the table alone."""
    asked, memory_mb = units.tres(units.said(row["tres-alloc"])), units.megabytes(row["MinMemory"])
    cpus, nodes = amount_of(asked, "cpu"), amount_of(asked, "node")
    all_mb = amount_of(asked, "mem")
    by_cpu = memory_mb is not None and cpus != nodes and 0 < memory_mb * cpus == all_mb
    return {
        "max_nodes": units.count(row["MaxNodes"]),
        "shared": _sharing(row["OverSubscribe"], apart),
        "tres_req_str": _requested(row),
        **_memory(by_cpu, memory_mb),
    }


def _memory(by_cpu: bool, memory_mb: int | None) -> Record:
    return {"memory_per_cpu" if by_cpu else "memory_per_node": memory_mb}


def _requested(row: Row) -> str:
    """Return the TRES asked for: those of a waiting job, of others what they got at most.

    CPUs are rounded up when a job starts; it asked for no more than its tasks need.
    """
    shown = units.said(row["tres-alloc"])
    if row["State"] == "PENDING" or not shown:
        return shown
    got = dict(units.tres(shown))
    needed = units.count(row["NumTasks"]) * units.count(row["cpus-per-task"])
    got["cpu"] = min(needed or got.get("cpu", 0), got.get("cpu", 0))
    return ",".join(f"{name}={amount}" for name, amount in got.items() if name in {"cpu", "node"})
