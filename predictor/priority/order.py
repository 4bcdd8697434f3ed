"""Put the waiting jobs of a snapshot into the order in which they are looked at."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from predictor.domain import JobSpec, PendingJob, Snapshot
from predictor.errors import FormulaError
from predictor.priority.attributes import ATTRIBUTES, Subject, batch_priority
from predictor.priority.census import Census, take_census
from predictor.priority.formula import Formula
from predictor.priority.past import Past

PriorityRule = Formula | None
"""How priorities come about; None: they are the batch system's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueEntry:
    """A waiting job's place in the queue of one of its partitions."""

    job: PendingJob
    partition: str
    """Empty for a job of which no partition is known."""
    priority: float | None
    """None: nobody tells one, so only its age counts; or there is an `error`."""
    error: str = ""
    """Why the formula gives no value; empty: it does."""


def queue_order(
    snapshot: Snapshot, priority: PriorityRule = None, *, as_submitted: bool = False
) -> tuple[QueueEntry, ...]:
    """Return one entry for each waiting job and each of its partitions, who comes first first.

    Jobs of advance reservations come before all others; then a higher partition tier, a higher
    priority (none comes after any), an earlier submission and a lower id decide. Jobs on which
    the formula fails come last. `as_submitted`: the formula is worked out for the instant at
    which each job was submitted, and not for that of the snapshot. n log n in the entries.
    Source: Slurm, job_queue_rec_t and its sort, `sort_job_queue2`.
    """
    census = take_census(snapshot)
    past = Past(snapshot, census) if as_submitted else None
    ranked = [
        (rank(entry, census), place, entry.partition, entry)
        for job in snapshot.pending
        for place, entry in enumerate(_entries(job, priority, census, past))
    ]
    ranked.sort(key=lambda item: item[:3])
    return tuple(item[3] for item in ranked)


def _entries(
    job: PendingJob, rule: PriorityRule, census: Census, past: Past | None
) -> Iterator[QueueEntry]:
    for partition in job.spec.partitions or ("",):
        if rule is None:
            number = batch_priority(job, partition)
            yield QueueEntry(job=job, partition=partition, priority=number)
        else:
            seen = past.when_submitted(job.spec) if past else census
            yield _by_formula(Subject(job, partition, seen), rule)


def _by_formula(subject: Subject, formula: Formula) -> QueueEntry:
    number, error = None, ""
    try:
        number = formula({name: ATTRIBUTES[name].value(subject) for name in formula.names})
    except FormulaError as cause:
        error = str(cause)
    return QueueEntry(job=subject.job, partition=subject.partition, priority=number, error=error)


Rank = tuple[bool, bool, int, float, int, "IdKey"]
"""Sorts entries: who has the lower rank comes first."""


def rank(entry: QueueEntry, census: Census) -> Rank:
    """Return the entry's rank; entries that differ in it have a fixed order."""
    spec = entry.job.spec
    return (
        bool(entry.error),
        not spec.reservation,
        -census.partition(entry.partition).tier,
        math.inf if entry.priority is None else -entry.priority,
        spec.submitted_at,
        id_key(spec),
    )


Serial = tuple[tuple[int, str], ...]
"""Sorts words with numbers in them."""
IdKey = tuple[Serial, int]
"""Sorts ids."""


def id_key(spec: JobSpec) -> IdKey:
    """Return what puts ids in numeric order: that of the whole array or set, then the part."""
    if spec.array is not None:
        return serial(spec.array.job_id), spec.array.tasks[0] if spec.array.tasks else 0
    if spec.het is not None:
        return serial(spec.het.job_id), spec.het.offset
    return serial(spec.id), 0


def serial(text: str) -> Serial:
    """Return what puts ids into the order in which they were given out."""
    # Most ids are nothing but digits.
    if text.isascii() and text.isdigit():
        digits = text.lstrip("0") or "0"
        return ((len(digits), digits),)
    # A longer row of digits is a greater number; converting it would cost more and has a limit.
    return tuple(
        (len(digits), digits) if digits else (0, word)
        for digits, word in re.findall(r"0*([0-9]+)|([^0-9]+)", text)
    )
