"""Jobs that are over, out of the accounting database: `sacct -X -P`."""

import re
from functools import partial

from collectors.slurm.text.records import Record, needed, table
from collectors.slurm.words import states, units
from collectors.slurm.words.hostlists import expanded
from collectors.slurm.words.quarantine import sorted_out
from collectors.slurm.words.tasks import task_numbers
from collectors.untrusted import untrusted
from predictor.domain import (
    ArrayTasks,
    Fact,
    FinishedJob,
    HetComponent,
    JobSpec,
    Outcome,
    Quarantined,
    Request,
    amount_of,
)

_ARRAY = re.compile(r"(\d+)_(?:(\d+)|\[([^\]%]*)(?:%(\d+))?\])")
_HET = re.compile(r"(\d+)\+(\d+)")


def parse_accounting(
    text: str, offset_s: int = 0
) -> tuple[tuple[FinishedJob, ...], tuple[Quarantined, ...]]:
    """Return the jobs that had ended when the table was made; others are left out.

    `offset_s` is how far the clock that wrote it was ahead of UTC.
    """
    over = [row for row in table(text, "JobID") if not row or units.said(row.get("End", ""))]
    return sorted_out(Fact.JOBS, over, partial(ended_job, offset_s))


def ended_job(offset_s: int, row: Record) -> FinishedJob:
    """Return the job of a row by the names of sacct's columns. Raises ValueError."""
    ended_at = units.instant(needed(row, "End"), offset_s)
    if ended_at is None:
        raise ValueError("it has no end")
    nodes = expanded(row.get("NodeList", ""))
    outcome = states.outcome(needed(row, "State").split()[:1])
    return FinishedJob(
        spec=_spec(offset_s, row),
        ended_at=ended_at,
        outcome=outcome,
        started_at=units.instant(row.get("Start", ""), offset_s) if nodes else None,
        node_names=nodes,
        exit_code=_exit_code(row.get("ExitCode", "")) if outcome is not Outcome.CANCELLED else None,
    )


def _spec(offset_s: int, row: Record) -> JobSpec:
    job_id = needed(row, "JobID")
    submitted_at = units.instant(needed(row, "Submit"), offset_s)
    if submitted_at is None:
        raise ValueError(f"job {job_id}: it has no submit time")
    return JobSpec(
        id=job_id,
        user=needed(row, "User"),
        request=_request(row),
        partitions=units.listed(needed(row, "Partition")),
        submitted_at=submitted_at,
        account=row.get("Account", ""),
        qos=row.get("QOS", ""),
        name=untrusted(row.get("JobName", "")),
        reservation=row.get("Reservation", ""),
        eligible_at=units.instant(row.get("Eligible", ""), offset_s),
        priority=units.count(row.get("Priority", "")),
        array=_array(job_id),
        het=_het(job_id),
    )


def _request(row: Record) -> Request:
    asked = units.tres(row.get("ReqTRES", ""))
    limit = row.get("Timelimit", "")
    return Request(
        nodes=max(1, amount_of(asked, "node") or units.count(row.get("NNodes", ""))),
        cpus=max(1, amount_of(asked, "cpu") or units.count(row.get("NCPUS", ""))),
        limit_s=None if limit == "Partition_Limit" else units.seconds(limit),
    )


def _array(job_id: str) -> ArrayTasks | None:
    match = _ARRAY.fullmatch(job_id)
    if match is None:
        return None
    return ArrayTasks(
        job_id=match[1],
        tasks=task_numbers(match[2] or match[3]),
        max_running=int(match[4]) if match[4] else None,
    )


def _het(job_id: str) -> HetComponent | None:
    match = _HET.fullmatch(job_id)
    return HetComponent(job_id=match[1], offset=int(match[2])) if match else None


def _exit_code(word: str) -> int | None:
    """`3:0` is exit code 3; None for `0:9`, a signal."""
    code, _, signal = word.partition(":")
    return int(code) if code.isdecimal() and len(code) < 10 and signal in {"", "0"} else None
