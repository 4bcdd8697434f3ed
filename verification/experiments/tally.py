"""What a replay comes to: its measures, added up as jobs end."""

from array import array
from typing import TYPE_CHECKING, Any, Final

from predictor.hashing import sha256
from verification.experiments.course import Running
from verification.experiments.jobs import Complaints, Job
from verification.experiments.state import State
from verification.measures.streamed import Levels, Waits

if TYPE_CHECKING:
    from verification.experiments.written import Written

MOST_POINTS: Final = 200
"""So many points has the curve of waits."""
PACK: Final = 4096
WAITING, BUSY, OPENED, LOST = range(4)


class Tally:
    """Adds up what it is told by a replay."""

    def __init__(
        self, cores: int, complaints: Complaints, written: "Written | None" = None
    ) -> None:
        """`written`: is told of all jobs, too."""
        self.written = written
        self.cores = cores
        self.complaints = complaints
        self.waits = Waits()
        self.levels = Levels(4)
        self.too_large = 0
        self.rejected = 0
        self._now: tuple[int, ...] = (0, 0, 0, 0)
        self._asked: dict[int, list[int]] = {}
        self._decided = array("q")
        self._hash = sha256()

    def refused(self, rank: int, job: Job, too_large: bool) -> None:
        """Count a job that will not run, and name it if the machine is too small for it."""
        if too_large:
            self.too_large += 1
            self.complaints.say(
                f"job {job.number}: {job.procs} processors are more than the machine has for it: "
                "refused"
            )
        else:
            self.rejected += 1
        if self.written is not None:
            self.written.refused(rank)

    def dispatched(self, waiting: int, cpu_ns: int) -> None:
        """Add what it took to ask the scheduler while so many waited."""
        asked = self._asked.get(waiting.bit_length())
        if asked is None:
            asked = self._asked[waiting.bit_length()] = [0, 0]
        asked[0] += 1
        asked[1] += cpu_ns

    def settled(self, now_s: int, waiting: int, wanted_cores: int, state: State) -> None:
        """Let what held until now hold no longer."""
        if now_s > self.levels.until_s:
            self.levels.hold(now_s, self._now)
        busy = state.busy_cores
        lost = min(wanted_cores, self.cores - busy)
        self._now = (waiting, busy, state.opened_cores, lost)

    def ended(self, rank: int, running: Running) -> None:
        """Add a job that is over."""
        job, start_s, end_s = running.queued.job, running.start_s, running.end_s
        self.waits.add(start_s - job.submit_s, end_s - start_s, job.user)
        self._decided.extend((rank, start_s, end_s))
        if len(self._decided) >= PACK:
            self._pack()
        if self.written is not None:
            self.written.ended(rank, running)

    def _pack(self) -> None:
        self._hash.update(self._decided.tobytes())
        del self._decided[:]

    @property
    def sha256(self) -> str:
        """A hash over who started and ended when."""
        self._pack()
        return self._hash.hexdigest()

    def figures(self) -> dict[str, float | int | None]:
        """Return the measures by the names of `MEASURES`, from the first submission to the end."""
        waits, levels, jobs = self.waits, self.levels, self.waits.jobs
        span_s = levels.until_s
        opened = levels.areas[OPENED]
        return {
            "mean_wait_s": waits.wait_s / jobs if jobs else None,
            "median_wait_s": waits.quantile_s(0.5),
            "p90_wait_s": waits.quantile_s(0.9),
            "most_wait_s": waits.most_wait_s if jobs else None,
            "mean_slowdown": waits.slowdown / jobs if jobs else None,
            "mean_turnaround_s": waits.turnaround_s / jobs if jobs else None,
            "utilisation": levels.mean(BUSY) / self.cores,
            "throughput_per_h": 3600 * jobs / span_s if span_s else None,
            "makespan_s": span_s,
            "mean_queue": levels.mean(WAITING),
            "most_waiting": levels.most[WAITING],
            "fragmentation": levels.mean(LOST) / self.cores,
            "allocation_efficiency": levels.areas[BUSY] / opened if opened else None,
            "fairness": waits.fairness,
            "jobs": jobs,
        }

    def curves(self) -> dict[str, Any]:
        """Return what is drawn."""
        return {
            "span_s": self.levels.span_s,
            "queue": [round(one, 2) for one in self.levels.series(WAITING)],
            "utilisation": [round(one / self.cores, 4) for one in self.levels.series(BUSY)],
            "waits": _thinned(list(self.waits.shares())),
            "dispatch": [
                {"waiting": (1 << bits) - 1, "asked": asked, "cpu_us": cpu_ns / asked / 1000}
                for bits, (asked, cpu_ns) in sorted(self._asked.items())
            ],
        }


def _thinned(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return few enough points of a curve that rises to 1, the first and the last among them."""
    if len(points) <= MOST_POINTS:
        return points
    step = (len(points) - 1) / (MOST_POINTS - 1)
    return [points[round(at * step)] for at in range(MOST_POINTS)]
