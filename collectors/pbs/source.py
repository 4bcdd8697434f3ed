"""A live PBS, looked at through its commands: a handful of calls each minute, all reading."""

import math
from collections.abc import Iterator, Mapping

from collectors import commands
from collectors.commands import Run
from collectors.here import local_offset_s, own_account
from collectors.pbs import questions
from collectors.pbs.answers import given_at
from collectors.pbs.assemble import assemble
from collectors.settings import number_of, path_of, refuse_unknown
from collectors.slurm.questions import Answers, Question
from collectors.slurm.survey import Surveyor
from predictor.clock import Clock, SystemClock
from predictor.domain import Observation

KIND = "pbs-cli"
KEYS = frozenset({"timeout_s", "slow_every_s", "past_s", "sched_config"})
"""What the source can be told in a site file."""
SLOW_EVERY_S = 600.0
PAST_S = 2 * 86_400.0
OVERLAP_S = 120.0
"""By so much more than the time that has passed we ask for jobs that are over."""


class PbsSource:
    """A live PBS."""

    def __init__(
        self,
        run: Run,
        clock: Clock,
        *,
        account: str,
        timeout_s: float = commands.TIMEOUT_S,
        slow_every_s: float = SLOW_EVERY_S,
        past_s: float = PAST_S,
        sched_config: str | None = None,
    ) -> None:
        self._surveyor = Surveyor(
            run, clock, self._plan, timeout_s=timeout_s, slow_every_s=slow_every_s
        )
        self._clock = clock
        self._account = account
        self._slow_every_s = slow_every_s
        self._past_s = past_s
        self._asked = questions.asked(sched_config)
        self._past_known_at: float = -math.inf
        """Up to when we know who is over, by the clock that never jumps."""

    def observe(self) -> Observation:
        """Look once. Raises SourceError when there are no jobs or nodes to see.

        Now and then it shows, too, who is over since the last time, at first within `past_s`.
        """
        now = self._clock.monotonic()
        survey = self._surveyor.survey()
        if survey.error is not None:
            raise survey.error
        taken_at = given_at(survey.printed[questions.JOBS.name]) or round(survey.begun_at)
        past_s = min(now - self._past_known_at + OVERLAP_S, self._past_s)
        if questions.HISTORY.name in survey.printed:
            self._past_known_at = now
        snapshot = assemble(
            Answers(printed=survey.printed, failed=survey.failed),
            taken_at=taken_at,
            source=KIND,
            account=self._account,
            utc_offset_s=local_offset_s(taken_at),
            past_s=round(past_s),
        )
        return Observation(snapshot=snapshot, calls=tuple(survey.calls))

    def _plan(self, _known: Mapping[str, str]) -> Iterator[Question]:
        yield from self._asked
        if self._past_s and self._clock.monotonic() - self._past_known_at >= self._slow_every_s:
            yield questions.HISTORY


def from_settings(settings: Mapping[str, object]) -> PbsSource:
    """Return the source. Raises SiteError.

    Settings: `timeout_s` of a call, `slow_every_s` for what seldom changes, `past_s`: from how far
    back ended jobs are asked for at first, 0: never; `sched_config`: where the scheduler's own
    file lies, if it may be read.
    """
    refuse_unknown(KIND, settings, KEYS)
    return PbsSource(
        commands.run,
        SystemClock(),
        account=own_account(),
        timeout_s=number_of(KIND, settings, "timeout_s", commands.TIMEOUT_S),
        slow_every_s=number_of(KIND, settings, "slow_every_s", SLOW_EVERY_S),
        past_s=number_of(KIND, settings, "past_s", PAST_S, or_none=True),
        sched_config=path_of(KIND, settings, "sched_config"),
    )
