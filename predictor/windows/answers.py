"""Which answers are still to be judged: few of each waiting job, so that all jobs count alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from predictor.domain.durations import DAY_S
from predictor.windows.raw import BY, HIGH, MIDDLE, Marks
from predictor.windows.steady import DrawnAt

MOST_JOBS = 20_000
"""So many waiting jobs are followed; those beyond are not learned from."""
FORGOTTEN_S = 2 * DAY_S
"""A job that nobody spoke of for so long is followed no more."""


class Answer(NamedTuple):
    """What was said of one job at one instant."""

    seen_at: int
    bin: int
    guesses_s: tuple[float, ...]
    """The leads that were at hand, that of the simulation first."""
    marks: Marks
    """What was made of them, before it was corrected."""
    classes: tuple[str, ...]
    """What the job was like, from special to general."""
    told_s: tuple[int, ...]
    """The leads that were told, at LEVELS."""
    passed: int = 0
    """How many of the ends of its window and of its promise have passed while the job waited."""

    def passed_at(self, now: int) -> int:
        """Return how many of these ends lie before `now`."""
        lead_s = now - self.seen_at
        return (lead_s > self.told_s[HIGH]) + (lead_s > self.told_s[BY])


class Sample(NamedTuple):
    """One of a job's answers of one bin, each with the same chance to be the one."""

    answer: Answer
    of: int
    """From among so many."""


@dataclass(slots=True, kw_only=True)
class Followed:
    """A job that waits: its first answer, one of each bin, and the last."""

    first: Answer
    since_at: int
    """When it may have started first."""
    last_said_at: int
    told_at: int
    """The likely start that was told last."""
    drawn_at: DrawnAt
    samples: dict[int, Sample] = field(default_factory=dict)

    def shares(self) -> Iterator[tuple[float, Answer]]:
        """Yield what stands for its answers of each bin, with the share of those."""
        answers = sum(one.of for one in self.samples.values())
        for sample in self.samples.values():
            yield sample.of / answers, sample.answer


class Waiting:
    """The jobs that are followed, by id. At most MOST_JOBS."""

    def __init__(self, jobs: Mapping[str, Followed]) -> None:
        self.jobs = dict(jobs)

    def said(self, job_id: str, answer: Answer, since_at: int, drawn_at: DrawnAt) -> None:
        """Note an answer, and what it rests on."""
        job = self.jobs.get(job_id)
        told_at = answer.seen_at + answer.told_s[MIDDLE]
        if job is None:
            if len(self.jobs) >= MOST_JOBS:
                return
            job = Followed(
                first=answer,
                since_at=since_at,
                last_said_at=answer.seen_at,
                told_at=told_at,
                drawn_at=drawn_at,
            )
            self.jobs[job_id] = job
        job.last_said_at, job.told_at, job.drawn_at = answer.seen_at, told_at, drawn_at
        before = job.samples.get(answer.bin)
        of = 1 if before is None else before.of + 1
        taken = before is None or _chance(job_id, answer.bin, of) < 1 / of
        chosen = answer if taken or before is None else before.answer
        job.samples[answer.bin] = Sample(answer=chosen, of=of)

    def gone(self, job_id: str) -> Followed | None:
        """Follow a job no more; return what was noted of it, if it was followed."""
        return self.jobs.pop(job_id, None)

    def forget(self, now: int) -> None:
        """Follow nobody any more of whom nothing was said for FORGOTTEN_S."""
        for job_id in [
            job_id for job_id, job in self.jobs.items() if job.last_said_at < now - FORGOTTEN_S
        ]:
            del self.jobs[job_id]

    def open_in(self, number: int) -> Iterator[tuple[float, Answer]]:
        """Yield the answers of a bin that are still open, each with its share of its job's."""
        for job in self.jobs.values():
            if number in job.samples:
                yield from ((share, one) for share, one in job.shares() if one.bin == number)


def _chance(job_id: str, *numbers: int) -> float:
    """Return a number in [0, 1) that is the same for the same arguments."""
    key = "\0".join([job_id, *map(str, numbers)]).encode(errors="surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big") / 2**64


def named(classes: Sequence[str]) -> tuple[str, ...]:
    """Return the classes as they are kept: few and short, whatever they are made of."""
    return tuple(one[:100] for one in classes[:6])
