"""The queue's order, kept up with priorities as they move."""

from collections.abc import Iterable, Sequence

from predictor.domain import Snapshot
from predictor.priority.census import take_census
from predictor.priority.forward import Priorities
from predictor.priority.order import QueueEntry, rank
from predictor.priority.tariff import Run, Tariff
from predictor.scheduling.allocation import shares
from predictor.scheduling.machine import Machine
from predictor.scheduling.planner import Placement
from predictor.simulation.dependencies import single_ids
from predictor.simulation.entrants import Entrant
from predictor.simulation.lives import Lives


class Ranking:
    """Recomputes priorities at the site's period, by who ran meanwhile, and sorts by them."""

    def __init__(self, snapshot: Snapshot, machine: Machine, lives: Lives) -> None:
        self._machine = machine
        self._lives = lives
        self._jobs = {job.spec.id: job for job in snapshot.pending}
        self._census = take_census(snapshot)
        self._tariff = Tariff.of(snapshot)
        self._priorities = Priorities.of(snapshot)
        self._period_s = max(1, snapshot.settings.priority_period_s)
        self._runs: list[Run] = list(
            self._tariff.running(snapshot, lambda job: lives.end_of(single_ids(job.spec)[0]))
        )

    @property
    def due_at(self) -> int:
        """When priorities are recomputed next."""
        return self._priorities.recomputed_at + self._period_s

    def started(self, placement: Placement, end_at: int) -> None:
        """Charge a job from its start to its end."""
        for placed in placement.placed:
            holding = placed.holding
            run = self._tariff.run(
                self._jobs[placed.part.job_id].spec,
                placed.need.partition,
                shares(self._machine, holding.shape, holding.nodes),
                holding.start_at,
                end_at,
            )
            self._runs.append(run)

    def order(self, entrants: Iterable[Entrant], at: int) -> Sequence[Entrant]:
        """Return the entrants in the order of the last recomputation before `at`."""
        entrants = tuple(entrants)
        ages = {
            entrant.job_ids[0]: eligible_at
            for entrant in entrants
            if (eligible_at := self._lives.eligible_at(entrant)) is not None and eligible_at <= at
        }
        since = self._priorities.recomputed_at
        self._runs = [run for run in self._runs if run.ended_at is None or run.ended_at > since]
        # It takes the scheduler a pass or two to find a place for who has become eligible.
        self._priorities = self._priorities.at(at, self._runs, ages, ages.keys())
        return sorted(entrants, key=self._key)

    def _key(self, entrant: Entrant) -> tuple[object, ...]:
        job_id, partition = entrant.job_ids[0], entrant.ask.partition
        number = self._priorities.numbers.get((job_id, partition))
        entry = QueueEntry(job=self._jobs[job_id], partition=partition, priority=number)
        # Tasks of an array keep their order.
        return (*rank(entry, self._census), entrant.rank)
