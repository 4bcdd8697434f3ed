"""When those who wait start, by EASY, if all run so long."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from verification.traces.easy import Easy
from verification.traces.ladder.looks import Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A job that is submitted later."""

    submitted_at: int
    procs: int
    limit_s: int
    run_s: int


class Course:
    """One look, made ready to be continued again and again."""

    def __init__(self, look: Look) -> None:
        jobs = look.jobs
        self._at, self._machine = look.at, look.machine
        self._first, self._last = len(look.running), len(jobs)
        self._procs = [job.spec.request.nodes for job in jobs]
        self.left_s = [
            *(job.limit_s - (look.at - job.started_at) for job in look.running),
            *(job.limit_s for job in look.waiting),
        ]
        """What the limits leave to those who run and to those who wait, in the look's order."""

    def starts(self, left_s: Sequence[int], newcomers: Sequence[Newcomer] = ()) -> list[int]:
        """Return when those who wait start, in the order of the look.

        `left_s`: how long those who run and those who wait run from then on, at least 1 each.
        Newcomers come in order of submission.
        """
        limits = list(map(max, self.left_s, left_s))
        easy = Easy(
            _packed([*[0] * self._last, *(one.submitted_at - self._at for one in newcomers)]),
            _packed([*left_s, *(one.run_s for one in newcomers)]),
            _packed([*self._procs, *(one.procs for one in newcomers)]),
            _packed([*limits, *(one.limit_s for one in newcomers)]),
            self._machine,
        )
        easy.replay(True, True, False)
        found = easy.result()
        return [self._at + found[place] for place in range(self._first, self._last)]


def _packed(values: Sequence[int]) -> memoryview:
    return memoryview(array("q", values))
