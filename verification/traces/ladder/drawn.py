"""Forecasts from many drawn courses of the same look, and what earlier ones teach of them."""

from collections.abc import Sequence

from predictor.domain.durations import HOUR_S
from predictor.windows.calibration import Calibration
from predictor.windows.raw import LEVELS, Raw
from verification.judging.case import Said
from verification.judging.classes import size_class
from verification.traces.ladder.beliefs import Beliefs
from verification.traces.ladder.courses import Course
from verification.traces.ladder.looks import Look, Waiter

Starts = Sequence[Sequence[int]]
"""When each of those who wait starts, in each draw."""
SPARE_S = HOUR_S


class Drawn:
    """Draws run times, and newcomers too, as the predictor believes in them."""

    def __init__(self, beliefs: Beliefs, draws: int) -> None:
        self._beliefs = beliefs
        self._draws = draws

    def left_s(self, look: Look) -> Sequence[Sequence[int]]:
        """Return how long those who run and those who wait run from now on, in each draw."""
        return self._beliefs.drawn_s(look, self._draws)

    def starts(self, look: Look, course: Course) -> tuple[Starts, Starts]:
        """Return the starts if nobody comes, and if newcomers do."""
        left = self.left_s(look)
        alone = [course.starts(left_s) for left_s in left]
        joined = [
            course.starts(left_s, self._beliefs.newcomers(draw, _until(look, starts)))
            for draw, (left_s, starts) in enumerate(zip(left, alone, strict=True))
        ]
        return list(zip(*alone, strict=True)), list(zip(*joined, strict=True))


def _until(look: Look, starts: Sequence[int]) -> int:
    """Return until when who comes may change something, if they start so when nobody comes."""
    return max(starts) + (max(starts) - look.at) // 2 + SPARE_S


class Corrected:
    """Corrects drawn starts by how earlier answers came out."""

    def __init__(self) -> None:
        self._calibration = Calibration()

    def learn(self, look: Look) -> None:
        """Take in who has started since the look before."""
        for one in look.started:
            self._calibration.started(one.spec.id, one.started_at)
        self._calibration.passed(look.at)

    def say(self, starts: Starts, look: Look) -> list[Said]:
        """Return the answers to those who wait, and remember them."""
        return [self._said(one, look, job) for one, job in zip(starts, look.waiting, strict=True)]

    def _said(self, starts: Sequence[int], look: Look, job: Waiter) -> Said:
        raw, classes = raw_of(starts, look, job), (size_class(job.spec.request.nodes),)
        told = self._calibration.corrected(raw, classes, job_id=job.spec.id)
        self._calibration.said(job.spec.id, look.at, raw, classes, told)
        return _said(look.at, told.quantiles_s)


def as_drawn(starts: Starts, look: Look) -> list[Said]:
    """Return the quantiles of what was drawn as answers."""
    raws = [raw_of(one, look, job) for one, job in zip(starts, look.waiting, strict=True)]
    return [_said(look.at, raw.quantiles_s) for raw in raws]


def raw_of(starts: Sequence[int], look: Look, job: Waiter) -> Raw:
    """Return the quantiles of one job's starts."""
    leads_s = [at - look.at for at in starts]
    waited_s = look.at - job.spec.submitted_at
    return Raw.of(leads_s, horizon_s=max(leads_s), waited_s=waited_s)


def _said(at: int, quantiles_s: Sequence[float]) -> Said:
    by_level = {
        level: at + round(lead_s) for level, lead_s in zip(LEVELS, quantiles_s, strict=True)
    }
    return Said(
        likely_at=by_level[0.5],
        low_at=by_level[0.1],
        high_at=by_level[0.9],
        by_at=by_level[0.95],
        quantiles=tuple(by_level.items()),
    )
