"""Forecasts without chance: limits, the medians of history, and the waits of the past."""

from collections.abc import Mapping, Sequence

from verification.baselines.qbets import Waits, said
from verification.baselines.starts import NO_HISTORY
from verification.judging.case import Said
from verification.judging.classes import duration_class, size_class
from verification.ladder.medians import Medians
from verification.traces.ladder.courses import Course
from verification.traces.ladder.looks import Look, Start, Waiter

LIMITS = "L limits"
HISTORY = "H history medians"
CLASS = "C class median wait"


def points(starts: Sequence[int]) -> list[Said]:
    """Return starts as answers."""
    return [Said(likely_at=at) for at in starts]


class History:
    """Everybody runs as long as the same user's last jobs of its kind, and nobody comes."""

    def __init__(self) -> None:
        self._medians = Medians()

    def learn(self, look: Look) -> None:
        """Take in who has ended."""
        for one in look.ended:
            request = one.spec.request
            kinds = _kinds(one.spec.user, one.limit_s, request.nodes)
            self._medians.learn(kinds, one.run_s)

    def say(self, look: Look, course: Course) -> Mapping[str, Sequence[Said]]:
        """Return the answers to those who wait, by row."""
        left = [self._run_s(job, look.at - job.started_at) for job in look.running]
        left += [self._run_s(job, 0) for job in look.waiting]
        return {HISTORY: points(course.starts(left)), LIMITS: points(course.starts(course.left_s))}

    def _run_s(self, job: Start | Waiter, gone_s: int) -> int:
        kinds = _kinds(job.spec.user, job.limit_s, job.spec.request.nodes)
        return max(1, self._medians.run_s(kinds, job.limit_s, gone_s) - gone_s)


class Waited:
    """No simulation: jobs wait as long as others of their class did; bounds as QBETS makes them."""

    def __init__(self) -> None:
        self._waits: dict[object, Waits] = {}

    def learn(self, look: Look) -> None:
        """Take in who has started."""
        for one in look.started:
            for kind in _classes(one):
                waits = self._waits.setdefault(kind, Waits())
                waits.add(one.started_at - one.spec.submitted_at)

    def say(self, look: Look) -> Mapping[str, Sequence[Said]]:
        """Return the answers to those who wait, by row."""
        told = {
            kind: (waits.quantiles_s(), waits.bound_s)
            for kind, waits in self._waits.items()
            if waits.bound_s is not None
        }
        return {CLASS: [self._said(job, look.at, told) for job in look.waiting]}

    def _said(
        self, job: Waiter, now: int, told: Mapping[object, tuple[Sequence[int], int | None]]
    ) -> Said:
        known = next((told[kind] for kind in _classes(job) if kind in told), None)
        return NO_HISTORY if known is None else said(*known, job.spec.submitted_at, now)


def _kinds(user: str, limit_s: int, procs: int) -> tuple[tuple[object, ...], ...]:
    return ((user, limit_s, procs), (user, limit_s), (user,), ("all", limit_s))


def _classes(job: Start | Waiter) -> tuple[tuple[str, ...], ...]:
    size, length = size_class(job.spec.request.nodes), duration_class(job.limit_s)
    return ((size, length), (size,), ())
