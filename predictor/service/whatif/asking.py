"""Asking the process that answers suppositions: one at a time, few that wait, fair to all."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock

from predictor.clock import Clock
from predictor.service.asking.viewers import Sight, Viewer
from predictor.service.problems import Refused
from predictor.service.published import Published
from predictor.service.whatif.shapes import Unclear, WhatIf, suppositions
from predictor.service.whatif.supposer import Ask, Stand, Supposer
from predictor.service.worker import Bounds, Worker, WorkerFailed
from predictor.site import Site
from predictor.suppositions import Supposed, Supposition

BUDGET_S = 8.0
"""So long one question may be worked on; what is not done by then is left out."""
GRACE_S = 20
"""So much longer it may take to lay everything out."""
MOST_WAITING = 4
"""So many questions may wait for the one that is being answered."""
PER_MINUTE = 100
"""So many jobs somebody may suppose in a minute, and as many at once again."""
MOST_KNOWN = 1_000
"""Of so many it is remembered what they asked."""
OUTCOMES_OF_ASKING = ("ok", "limited", "busy", "failed")
"""Answered; more than somebody's allowance; more than can wait; and no answer."""
MIB = 2**20


class Allowance:
    """How much each may still ask: it grows with time up to a minute's worth."""

    def __init__(self, clock: Clock, per_minute: int) -> None:
        self._clock = clock
        self._per_minute = per_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By who asks: how much was left, and when that was."""

    def take(self, who: str, amount: int) -> float:
        """Take the amount and return 0, or take nothing and return the seconds to wait.

        Any amount may be taken from a full allowance: what is too much is paid off later.
        """
        now, most = self._clock.monotonic(), float(self._per_minute)
        left, at = self._left.pop(who, (most, now))
        left = min(most, left + (now - at) * self._per_minute / 60)
        wait_s = 0.0
        if left >= min(amount, most):
            left -= amount
        else:
            wait_s = (min(amount, most) - left) * 60 / self._per_minute
        self._left[who] = (left, now)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return wait_s


def _uncounted(_outcome: str, _jobs: int) -> None:
    """Leave it at that."""


class Supposing:
    """Asks on behalf of everybody. Belongs to one event loop."""

    def __init__(
        self, site: Site, clock: Clock, count: Callable[[str, int], None] = _uncounted
    ) -> None:
        """`count` is told what became of how many jobs: one of OUTCOMES_OF_ASKING."""
        self._count = count
        self._worker: Worker[Mapping[str, Supposed]] = Worker(
            Supposer(site, clock),
            Bounds(
                cpu_s=site.service.worker.cpu_s,
                deadline_s=BUDGET_S + GRACE_S,
                memory_bytes=site.service.worker.memory_mb * MIB,
            ),
        )
        self._allowance = Allowance(clock, PER_MINUTE)
        self._turn = asyncio.Lock()
        self._asking = Lock()
        self._waiting = 0
        self._told: tuple[Published | None, int | None] = (None, None)
        """Of which result the process knows, and which process that is."""

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        return self._worker.pid

    def stop(self) -> None:
        """End the process at once."""
        self._worker.stop()

    async def about(
        self, current: Published, question: WhatIf, seen: Sight, viewer: Viewer
    ) -> list[Supposed]:
        """Return what would become of the question's shapes, in their order, as the viewer's jobs.

        Raises Refused: 422 for what the cluster shows to be wrong, 429, and 503.
        """
        try:
            supposed = suppositions(question, current.snapshot, seen, viewer.name)
        except Unclear as error:
            raise Refused(422, str(error)) from error
        told = await self.answers(current, supposed, question.draws, viewer.name or viewer.how)
        return [told[one.job.spec.id] for one in supposed]

    async def answers(
        self,
        current: Published,
        supposed: tuple[Supposition, ...],
        draws: int | None,
        who: str,
    ) -> Mapping[str, Supposed]:
        """Return the answers by id. All who are not known share one allowance.

        Raises Refused: 429 for who asks too much, 503 where too many wait or the process fails.
        """
        wait_s = self._allowance.take(who, len(supposed))
        if wait_s > 0:
            self._count("limited", len(supposed))
            headers = {"Retry-After": str(int(wait_s) + 1)}
            raise Refused(429, f"more than {PER_MINUTE} suppositions a minute", headers)
        if self._waiting > MOST_WAITING:
            self._count("busy", len(supposed))
            raise Refused(503, "too many ask at the same time", {"Retry-After": str(int(BUDGET_S))})
        self._waiting += 1
        try:
            async with self._turn:
                ask = Ask(suppositions=supposed, draws=draws, budget_s=BUDGET_S)
                told = await asyncio.to_thread(self._ask, current, ask)
        except WorkerFailed as error:
            self._count("failed", len(supposed))
            raise Refused(503, f"no answer: {error}", {"Retry-After": "60"}) from error
        finally:
            self._waiting -= 1
        self._count("ok", len(supposed))
        return told

    def aside(
        self, current: Published, supposed: tuple[Supposition, ...], draws: int, budget_s: float
    ) -> Mapping[str, Supposed] | None:
        """Return the answers by id, in whatever thread; None: people ask, who come first.

        Raises WorkerFailed.
        """
        if self._waiting:
            return None
        return self._ask(current, Ask(suppositions=supposed, draws=draws, budget_s=budget_s))

    def _ask(self, current: Published, ask: Ask) -> Mapping[str, Supposed]:
        # What the process is told of the cluster must still hold when it answers.
        with self._asking:
            self._worker.start()
            known, pid = self._told
            if known is not current or pid != self._worker.pid:
                self._worker(Stand(forecast=current.forecast, snapshot=current.snapshot))
                self._told = (current, self._worker.pid)
            return self._worker(ask)
