"""Scores decide the order, anew at each instant."""

from verification.experiments.course import Queued, Running
from verification.experiments.machine import Machine
from verification.experiments.schedulers.outlook import outlook
from verification.experiments.schedulers.protocol import Floor, Scheduler


class Scored(Scheduler):
    """Who has the highest score is first; whoever does not delay the first blocked may pass it.

    The score is the machine's formula: by default the expansion factor, which grows while a job
    waits, faster for short ones. Costs grow with the number of jobs that wait.
    Source of the default: Maui Administrator's Guide, 5.1.2.3, `XFACTOR`.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._formula = machine.score_formula
        self._outlook = outlook(machine)()
        self._waiting: dict[int, Queued] = {}

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._waiting[queued.rank] = queued
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start the first as long as it fits, then whoever may pass the one that does not."""
        if not any(map(floor.fits, self._waiting.values())):
            return
        ranked = sorted(
            self._waiting.values(), key=lambda one: (-self._score(one, floor), one.rank)
        )
        blocked = False
        for queued in ranked:
            if not blocked and not floor.fits(queued):
                blocked = True
                self._outlook.reserve(queued, floor)
            elif blocked:
                if self._outlook.starts(queued, floor):
                    del self._waiting[queued.rank]
            else:
                self._outlook.started(floor.start(queued))
                del self._waiting[queued.rank]

    def _score(self, queued: Queued, floor: Floor) -> float:
        """Return the score. Raises FormulaError where there is none."""
        job = queued.job
        queue = self._machine.queue(job.queue)
        return self._formula(
            {
                "waited_s": floor.now_s - job.submit_s,
                "planned_s": queued.planned_s,
                "procs": job.procs,
                "machine_procs": self._machine.cores,
                "queue_priority": queue.priority,
                "expected_wait_s": queue.expected_wait_s,
            }
        )

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._waiting)

    def ended(self, running: Running, floor: Floor) -> None:
        """Take note that a job has ended."""
        self._outlook.ended(running)

    def expects(self, running: Running, before_s: int, floor: Floor) -> None:
        """Take note that a running job is now expected to end at another instant."""
        self._outlook.expects(running, before_s)
