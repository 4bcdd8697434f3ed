"""What the predictor itself believes at a look: how long jobs run, and who comes."""

from collections.abc import Sequence

from predictor.arrivals.arrivals import GAP_S, Arrivals
from predictor.domain import JobSpec, PendingJob, Provenance, Snapshot
from predictor.domain.durations import DAY_S
from predictor.runtimes.drawing import draw_s, draws_s
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.models import RunTimes
from verification.traces.ladder.courses import Newcomer
from verification.traces.ladder.looks import Look

LONGEST_S = 10 * DAY_S
"""Newcomers are drawn for so long ahead."""


class Beliefs:
    """Learns look by look."""

    def __init__(self, run_times: RunTimes) -> None:
        self._run_times = run_times
        self._arrivals = Arrivals()
        self._estimates: dict[tuple[object, ...], Estimate] = {}
        self._now = 0

    def learn(self, look: Look) -> None:
        """Take in what happened since the look before."""
        self._run_times.learn(look.ended)
        self._now = look.at
        self._estimates.clear()
        for snapshot in _as_seen(look):
            self._arrivals.learn(snapshot)

    def medians_s(self, look: Look) -> list[int]:
        """Return how long those who run and those who wait run from now on, most probably."""
        return [_left(one, gone) for one, gone in self._of(look)]

    def drawn_s(self, look: Look, draws: int) -> list[tuple[int, ...]]:
        """Return the same of each draw."""
        numbers = range(draws)
        ids = [job.spec.id for job in look.jobs]
        drawn = [
            [max(1, run_s - gone) for run_s in draws_s(one, id_, numbers)]
            for (one, gone), id_ in zip(self._of(look), ids, strict=True)
        ]
        return list(zip(*drawn, strict=True))

    def newcomers(self, draw: int, until: int) -> list[Newcomer]:
        """Return who comes in a draw, up to an instant, and how long they run."""
        until = min(until, self._now + LONGEST_S)
        return [self._newcomer(job, draw) for job in self._arrivals.draw(draw, self._now, until)]

    def _of(self, look: Look) -> list[tuple[Estimate, int]]:
        """Return an estimate of each who runs or waits, and for how long it has run."""
        estimate, at = self._run_times.estimate, look.at
        running = [
            (estimate(job.spec, job.limit_s, at - job.started_at), at - job.started_at)
            for job in look.running
        ]
        return running + [(estimate(job.spec, job.limit_s), 0) for job in look.waiting]

    def _newcomer(self, job: PendingJob, draw: int) -> Newcomer:
        request = job.spec.request
        limit_s = request.limit_s if isinstance(request.limit_s, int) else 0
        estimate = self._estimate_like(job.spec, limit_s)
        return Newcomer(
            submitted_at=job.spec.submitted_at,
            procs=request.nodes,
            limit_s=limit_s,
            run_s=min(draw_s(estimate, job.spec.id, draw), limit_s),
        )

    def _estimate_like(self, spec: JobSpec, limit_s: int) -> Estimate:
        """Return the estimate of a newcomer: those of equal jobs are equal."""
        like = (spec.user, spec.name, spec.account, spec.partitions, spec.request)
        if like not in self._estimates:
            self._estimates[like] = self._run_times.estimate(spec, limit_s)
        return self._estimates[like]


def _left(estimate: Estimate, gone_s: int) -> int:
    return max(1, estimate.law.quantile(0.5) - gone_s)


def _as_seen(look: Look) -> Sequence[Snapshot]:
    """Return the submissions since the look before as a service would have seen them."""
    begins = range(look.since_at, look.at, GAP_S)
    found: list[list[PendingJob]] = [[] for _ in begins]
    for spec in look.submitted:
        found[(spec.submitted_at - look.since_at - 1) // GAP_S].append(PendingJob(spec=spec))
    return [
        Snapshot(
            cluster="trace",
            taken_at=min(begin_at + GAP_S, look.at),
            provenance=Provenance(source="swf"),
            pending=tuple(pending),
        )
        for begin_at, pending in zip(begins, found, strict=True)
    ]
