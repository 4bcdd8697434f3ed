"""What we say: the forecast that serves users, and how its answers are read job by job."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from predictor.clock import Clock
from predictor.domain import FinishedJob, PendingJob, Snapshot
from predictor.experience import Experience
from predictor.outlooks import likely, with_outlooks
from predictor.simulation.dependencies import single_ids
from predictor.site import Site, overlay
from predictor.storage import Answer, answers
from verification.judging.case import Said
from verification.online.predictor import Answers


class Ours:
    """Our forecasts, as the service makes them if it has all the time that it wants."""

    name = "ours"
    remembers = True

    def __init__(self, site: Site, clock: Clock) -> None:
        self._site = site
        self._clock = clock
        self._experience = Experience.of(site)
        self._seen: Snapshot | None = None

    def learn(self, snapshot: Snapshot) -> None:
        """Take in who came, started, ended and left."""
        self._seen = overlay(self._site, snapshot)
        self._experience.learn(self._seen)

    def told(self, ended: Sequence[FinishedJob]) -> None:
        """Take in who ended unseen, as accounting told it."""
        if self._seen is not None:
            self._experience.told(ended, self._seen)

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the forecast's answers, and its abstentions with their causes.

        They are remembered, and judged by what is learned later.
        """
        made = likely(snapshot, self._site, self._experience)
        told = with_outlooks(
            made, snapshot, self._site, self._experience, clock=self._clock, budget_s=inf
        )
        self._experience.heard(told.sayings)
        return as_told(answers(told.forecast), snapshot)


def as_told(given: Iterable[Answer], snapshot: Snapshot) -> Answers:
    """Return what the answers say of each job of the snapshot."""
    records = {job.spec.id: job for job in snapshot.pending}
    told: dict[str, Said] = {}
    for answer in given:
        if answer.start_at is None:
            told[answer.job_id] = Said(why_not=answer.cause)
        else:
            told[answer.job_id] = _said(answer)
            told.update(_later_tasks(answer.start_at, answer, records.get(answer.job_id)))
    return told


def _said(answer: Answer) -> Said:
    return Said(
        likely_at=answer.start_at,
        low_at=answer.low_at,
        high_at=answer.high_at,
        by_at=answer.by_at,
        quantiles=answer.quantiles,
    )


def _later_tasks(
    first_at: int, answer: Answer, job: PendingJob | None
) -> Iterator[tuple[str, Said]]:
    """Yield the tasks after an array's next one.

    Told are the starts of the first and of the last: those between are taken to be evenly spread.
    """
    if answer.last_start_at is None or job is None:
        return
    ids = single_ids(job.spec)
    span_s = answer.last_start_at - first_at
    for number, id_ in enumerate(ids[1:], start=1):
        yield id_, Said(likely_at=first_at + round(span_s * number / (len(ids) - 1)))
