"""What we say: the forecast that serves users, and how its answers are read job by job."""

from collections.abc import Iterator

from predictor.domain import Forecast, PendingJob, Prediction, Snapshot
from predictor.forecast import forecast
from predictor.simulation.dependencies import single_ids
from predictor.site import Site
from verification.judging.case import Said
from verification.online.predictor import Answers


class Ours:
    """Our forecast of the snapshot learned last, as the service makes it."""

    name = "ours"
    remembers = False

    def __init__(self, site: Site) -> None:
        self._site = site

    def learn(self, snapshot: Snapshot) -> None:
        """Nothing: it is made of one snapshot."""

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the forecast's answers, and its abstentions with their causes."""
        return answers_of(forecast(snapshot, self._site), snapshot)


def answers_of(made: Forecast, snapshot: Snapshot) -> Answers:
    """Return what a forecast of the snapshot says."""
    records = {job.spec.id: job for job in snapshot.pending}
    told: dict[str, Said] = {}
    for prediction in made.predictions:
        told[prediction.job_id] = Said(likely_at=prediction.start_at)
        told.update(_later_tasks(prediction, records[prediction.job_id]))
    for abstention in made.abstentions:
        told[abstention.job_id] = Said(why_not=abstention.cause.value)
    return told


def _later_tasks(prediction: Prediction, job: PendingJob) -> Iterator[tuple[str, Said]]:
    """Yield the tasks after an array's next one.

    Told are the starts of the first and of the last: those between are taken to be evenly spread.
    """
    if prediction.last_start_at is None:
        return
    ids = single_ids(job.spec)
    span_s = prediction.last_start_at - prediction.start_at
    for number, id_ in enumerate(ids[1:], start=1):
        at = prediction.start_at + round(span_s * number / (len(ids) - 1))
        yield id_, Said(likely_at=at)
