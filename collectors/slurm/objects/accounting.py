"""Jobs that are over, out of slurmrestd's `/slurmdb/V/jobs` and `sacct --json`.

A record is brought into the words of sacct's columns, which one parser reads.
"""

from collections.abc import Iterator

from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.text.accounting import ended_job
from collectors.slurm.words import states, units
from collectors.slurm.words.quarantine import sorted_out
from collectors.slurm.words.tasks import task_ranges
from predictor.domain import UNLIMITED, Fact, FinishedJob, Quarantined

SENT_BACK = "REQUEUED"
LONGEST_MASK = 1_000_000
"""Hexadecimal digits of an array's waiting tasks."""


def parse_ended(text: str, place: str) -> tuple[tuple[FinishedJob, ...], tuple[Quarantined, ...]]:
    """Return the jobs that had ended when that was answered; others are left out.

    A run that was sent back into the queue has ended. Raises SourceError.
    """
    records = record_list(decoded(text, place), "jobs", place)
    jobs, bad = sorted_out(Fact.JOBS, records, _ended)
    return tuple(job for job in jobs if job is not None), bad


def _ended(record: object) -> FinishedJob | None:
    job = Fields(record)
    words = tuple(word.upper() for word in job.part("state").words("current"))
    # Who waits or runs has an end, too: the instant of the answer.
    if SENT_BACK not in words and states.stage(words) is not states.Stage.FINISHED:
        return None
    return ended_job(0, dict(_columns(job, words)))


def _columns(job: Fields, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield sacct's columns of a record. Raises ValueError."""
    time = job.part("time")
    asked = job.part("tres").parts("requested")
    yield "JobID", _id(job)
    yield "State", SENT_BACK if SENT_BACK in words else words[0]
    yield "Timelimit", _limit(time)
    yield "ReqTRES", ",".join(_tres(asked))
    yield "NNodes", str(job.count("allocation_nodes"))
    yield "ExitCode", _exit_code(job.part("exit_code"))
    yield "Priority", str(job.count("priority"))
    yield "Reservation", _reservation(job.part("reservation"))
    for column, key in (
        *(("User", "user"), ("Account", "account"), ("Partition", "partition")),
        *(("QOS", "qos"), ("JobName", "name"), ("NodeList", "nodes")),
    ):
        yield column, job.text(key)
    for column, key in (
        *(("Submit", "submission"), ("Eligible", "eligible")),
        *(("Start", "start"), ("End", "end")),
    ):
        at = time.instant(key)
        yield column, "" if at is None else units.written(at)


def _id(job: Fields) -> str:
    number, array, het = job.count("job_id"), job.part("array"), job.part("het")
    if not number:
        raise ValueError("a job without job_id")
    if leader := het.count("job_id"):
        return f"{leader}+{het.count('job_offset')}"
    if not (base := array.count("job_id")):
        return str(number)
    if waiting := array.text("task"):
        most = array.part("limits").part("max").part("running").count("tasks")
        return f"{base}_[{_tasks(waiting)}{f'%{most}' if most else ''}]"
    task = array.number("task_id")
    return f"{base}_{task}" if isinstance(task, int) else str(number)


def _tasks(waiting: str) -> str:
    """Return the tasks in a mask, `0x3FE`, as `1-9`."""
    if not waiting.startswith("0x"):
        return waiting
    if len(waiting) > LONGEST_MASK:
        raise ValueError("an array of too many tasks")
    mask = int(waiting, 16)
    return task_ranges(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _limit(time: Fields) -> str:
    minutes = time.number("limit")
    return "UNLIMITED" if minutes is UNLIMITED else "" if minutes is None else str(minutes)


def _tres(asked: list[Fields]) -> Iterator[str]:
    for one in asked:
        amount, name = one.number("count"), one.text("name")
        if isinstance(amount, int) and amount >= 0:
            yield f"{one.text('type')}{f'/{name}' if name else ''}={amount}"


def _reservation(reservation: Fields) -> str:
    # In 22.05 the name is the number 0.
    asked = reservation.text("requested")
    return asked or ("" if reservation.shown("name") == "0" else reservation.text("name"))


def _exit_code(code: Fields) -> str:
    ended = code.number("return_code")
    signalled = "SIGNALED" in code.words("status")
    return f"{ended if isinstance(ended, int) else ''}:{int(signalled)}"
