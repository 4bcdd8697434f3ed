"""How many wait, through time."""

from collections.abc import Iterable, Iterator

from verification.measures.course import Ran, Watch
from verification.measures.steps import Step, held, mean


def queue_size(jobs: Iterable[Ran], watch: Watch) -> Iterator[Step]:
    """Yield from when until when how many jobs waited, over the time watched."""
    return held(((job.submit_at, _end_of_wait(job), 1) for job in jobs), watch.since, watch.until)


def waiting_cpus(jobs: Iterable[Ran], watch: Watch) -> Iterator[Step]:
    """Yield from when until when how many CPUs those who waited asked for in all."""
    return held(
        ((job.submit_at, _end_of_wait(job), job.cpus) for job in jobs), watch.since, watch.until
    )


def mean_queue(jobs: Iterable[Ran], watch: Watch) -> float:
    """Return how many jobs waited on average over the time watched."""
    return mean(queue_size(jobs, watch))


def most_waiting(jobs: Iterable[Ran], watch: Watch) -> int:
    """Return how many jobs waited at a time at most."""
    return max(height for _, _, height in queue_size(jobs, watch))


def _end_of_wait(job: Ran) -> int | None:
    return job.left_at if job.start_at is None else job.start_at
