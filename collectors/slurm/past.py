"""Jobs that ended before we looked, or while we did not: by the accounting database."""

from collections.abc import Iterator
from dataclasses import replace

from collectors.slurm.questions import Question
from collectors.slurm.text.accounting import parse_accounting
from predictor.domain import Fact, FinishedJob, Snapshot

COLUMNS = (
    "JobID",
    "User",
    "Account",
    "Partition",
    "QOS",
    "State",
    "ExitCode",
    "Submit",
    "Eligible",
    "Start",
    "End",
    "Timelimit",
    "NNodes",
    "NCPUS",
    "ReqTRES",
    "NodeList",
    "Priority",
    "Reservation",
    "JobName",
)
MOST = 10_000
"""Of more, those that ended last are taken."""


def ended_within(seconds: int) -> Question:
    """Return the question for the jobs that were there within so many seconds."""
    wanted = ",".join(COLUMNS)
    argv = ("sacct", "-a", "-X", "-P", "-S", f"now-{seconds}", "-E", "now", "-o", wanted)
    return Question(name="sacct", argv=argv, fact=Fact.JOBS)


def with_past(snapshot: Snapshot, printed: str) -> Snapshot:
    """Return the snapshot with those that have ended by the answer and are not shown any more.

    Instants in the answer are in UTC, as `collectors.commands` has all of them printed.
    """
    jobs, bad = parse_accounting(printed)
    found = sorted(_unseen(jobs, snapshot), key=lambda job: (job.ended_at, job.spec.id))
    provenance = snapshot.provenance
    return replace(
        snapshot,
        finished=(*snapshot.finished, *found[-MOST:]),
        provenance=replace(provenance, quarantined=(*provenance.quarantined, *bad)),
    )


def _unseen(jobs: tuple[FinishedJob, ...], snapshot: Snapshot) -> Iterator[FinishedJob]:
    shown = {job.spec.id for job in snapshot.finished}
    for job in jobs:
        if job.spec.id not in shown and job.ended_at <= snapshot.taken_at:
            yield job
