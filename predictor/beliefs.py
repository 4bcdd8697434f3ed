"""What is believed of a snapshot's future: how long everybody runs, who comes, and who gives up."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from predictor.domain import JobSpec, PendingJob, Snapshot
from predictor.domain.defaults import longest_s
from predictor.experience import Experience
from predictor.runtimes.drawing import draws_s, uniform
from predictor.runtimes.estimate import Estimate
from predictor.simulation.courses import Course
from predictor.simulation.dependencies import single_ids
from predictor.site import Site

MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class _Run:
    """Somebody who waits or runs, by single id, and how long that one may run in all."""

    id: str
    estimate: Estimate
    began_at: int = 0
    """When it would have begun, had it never stood still. Of who waits nothing is meant."""


class Beliefs:
    """What experience makes of one snapshot, which is the one that the site's words overlay.

    All chance is a hash of a draw's number and of what it is for: in the next minute a draw tells
    the same fortune.
    """

    def __init__(self, seen: Snapshot, site: Site, experience: Experience) -> None:
        self._now = seen.taken_at
        self._tasks_max = site.forecast.array_tasks_max
        self._experience = experience
        self._partitions = {partition.name: partition for partition in seen.partitions}
        self._pending = seen.pending
        self._waiting = self._runs_of(seen.pending)
        self._running = [
            _Run(id_, self._estimate(job.spec, elapsed_s), self._now - elapsed_s)
            for job in seen.running
            for elapsed_s in [max(0, self._now - job.started_at - job.suspended_s)]
            for id_ in self._ids(job.spec)
        ]
        self._gives_up = site.forecast.cancellations

    def basis(self, spec: JobSpec) -> str:
        """Return a sentence on how long a waiting job is believed to run, and why."""
        return self._estimate(spec).because

    def middle(self) -> Course:
        """Return the course in which all run in the middle of what is believed; nobody comes."""
        return Course(
            run_s={one.id: one.estimate.law.quantile(MIDDLE) for one in self._waiting},
            ends_at={
                one.id: one.began_at + one.estimate.law.quantile(MIDDLE) for one in self._running
            },
            boots_s=self._experience.boots.takes_s(MIDDLE),
        )

    def courses(self, scenarios: Sequence[Sequence[PendingJob]]) -> Iterator[Course]:
        """Yield one course after the other, without an end; they share the newcomers in turn."""
        waiting, running = _fortunes(self._waiting), _fortunes(self._running)
        coming = [
            _fortunes(self._runs_of(newcomers), number, len(scenarios))
            for number, newcomers in enumerate(scenarios)
        ]
        for draw in count():
            scenario = draw % len(scenarios)
            yield Course(
                run_s={one.id: next(told) for one, told in (*waiting, *coming[scenario])},
                ends_at={one.id: one.began_at + next(told) for one, told in running},
                leaves_at=dict(self._leavers(draw)) if self._gives_up else {},
                boots_s=self._experience.boots.takes_s(uniform("boots", draw)),
                scenario=scenario,
            )

    def _runs_of(self, jobs: Iterable[PendingJob]) -> list[_Run]:
        return [
            _Run(id_, estimate)
            for job in jobs
            for estimate in [self._estimate(job.spec)]
            for id_ in self._ids(job.spec)
        ]

    def _ids(self, spec: JobSpec) -> Sequence[str]:
        return single_ids(spec, self._tasks_max)

    def _estimate(self, spec: JobSpec, elapsed_s: int = 0) -> Estimate:
        partition = self._partitions.get(spec.first_partition)
        limit_s = longest_s(spec.request, partition)
        return self._experience.run_times.estimate(spec, limit_s, elapsed_s)

    def _leavers(self, draw: int) -> Iterator[tuple[str, int]]:
        for job in self._pending:
            luck = uniform(f"leaves {job.spec.id}", draw)
            waited_s = self._now - job.spec.submitted_at
            in_s = self._experience.departures.leaves_s(job, waited_s, luck)
            if in_s is not None:
                for id_ in self._ids(job.spec):
                    yield id_, self._now + in_s


def _fortunes(
    runs: Iterable[_Run], first: int = 0, step: int = 1
) -> list[tuple[_Run, Iterator[int]]]:
    """Return how long each runs in one draw after the other: the first, and each so many on."""
    return [(one, draws_s(one.estimate, one.id, count(first, step))) for one in runs]
