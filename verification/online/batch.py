"""What the batch system itself says: the start that it announces."""

from predictor.domain import PendingJob, Snapshot
from verification.judging.case import Said
from verification.online.predictor import Answers

NOTHING = Said(why_not="no_estimate")


class Announced:
    """The batch system's own estimates, as the snapshot learned last shows them."""

    name = "slurm"
    remembers = False

    def learn(self, snapshot: Snapshot) -> None:
        """Nothing: a snapshot holds all its estimates."""

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the estimate of each waiting record; of an array it means the next task."""
        return {job.spec.id: _said(job) for job in snapshot.pending}


def _said(job: PendingJob) -> Said:
    at = job.estimate.start_at
    return NOTHING if at is None else Said(likely_at=at)
