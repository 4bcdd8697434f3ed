"""A live PBS, looked at through its commands: a handful of calls each minute, all reading."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from collectors import commands
from collectors.commands import Run
from collectors.here import local_offset_s, own_account
from collectors.pbs import questions
from collectors.pbs.answers import given_at
from collectors.pbs.assemble import Seen, seen, with_gone
from collectors.pbs.past import BOUNDED, Past
from collectors.pbs.requests import Surroundings
from collectors.settings import number_of, path_of, refuse_unknown
from collectors.slurm.questions import Answers, Question
from collectors.slurm.survey import DEADLINE_S, Survey, Surveyor
from predictor.clock import Clock, SystemClock
from predictor.domain import Observation, Snapshot
from predictor.domain.durations import DAY_S
from predictor.domain.source import TakeEnded, Told
from predictor.errors import SourceError

KIND = "pbs-cli"
KEYS = frozenset({"timeout_s", "deadline_s", "slow_every_s", "past_s", "sched_config"})
"""What the source can be told in a site file."""
SLOW_EVERY_S = 600.0
PAST_S = 14.0 * DAY_S
MOST_GONE = 500
"""Of so many it is asked in one look how they ended."""


class PbsSource:
    """A live PBS."""

    def __init__(
        self,
        run: Run,
        clock: Clock,
        *,
        account: str,
        timeout_s: float = commands.TIMEOUT_S,
        deadline_s: float = DEADLINE_S,
        slow_every_s: float = SLOW_EVERY_S,
        past: Run = BOUNDED,
        past_s: float = 0,
        sched_config: str | None = None,
    ) -> None:
        """`past` runs what tells of the past."""
        self.past_s = past_s
        self._surveyor = Surveyor(
            run,
            clock,
            self._plan,
            timeout_s=timeout_s,
            deadline_s=deadline_s,
            slow_every_s=slow_every_s,
        )
        self._past = Past(past, clock, timeout_s)
        self._account = account
        self._asked = questions.asked(sched_config)
        self._around = Surroundings(taken_at=0)
        self._there: frozenset[str] = frozenset()

    def observe(self) -> Observation:
        """Look once. Raises SourceError when there are no jobs or nodes to see.

        Who was there in the look before and is not any more is asked for by name.
        """
        survey = self._surveyor.survey()
        try:
            snapshot = self._snapshot(survey)
        except SourceError as error:
            error.calls = tuple(survey.calls)
            raise
        return Observation(snapshot=snapshot, calls=tuple(survey.calls))

    def ended(self, since: int, until: int, take: TakeEnded) -> Told:
        """Hand on who ended in that time by the server's history.

        As `predictor.domain.source.Accounting` says.
        """
        around = self._around
        return self._past.ended(since, until, take, lambda now: replace(around, taken_at=now))

    def _snapshot(self, survey: Survey) -> Snapshot:
        if survey.error is not None:
            raise survey.error
        taken_at = given_at(survey.printed[questions.JOBS.name]) or round(survey.begun_at)
        found = seen(
            Answers(printed=survey.printed, failed=survey.failed),
            taken_at=taken_at,
            source=KIND,
            account=self._account,
            utc_offset_s=local_offset_s(taken_at),
        )
        gone = sorted(self._there - found.ids)[:MOST_GONE]
        self._there, self._around = found.ids, found.around
        return self._with_gone(found, gone, survey) if gone and self.past_s else found.snapshot

    def _with_gone(self, found: Seen, gone: Sequence[str], survey: Survey) -> Snapshot:
        question = questions.gone(gone)
        self._surveyor.ask(question, survey)
        printed = survey.printed.get(question.name)
        try:
            return (
                found.snapshot
                if printed is None
                else with_gone(found.snapshot, printed, found.around)
            )
        except SourceError as error:
            survey.failed[question.name] = str(error)
            return found.snapshot

    def _plan(self, _known: Mapping[str, str]) -> Iterator[Question]:
        yield from self._asked


def from_settings(settings: Mapping[str, object]) -> PbsSource:
    """Return the source. Raises SiteError.

    Settings: `timeout_s` of a call, `deadline_s` of a look, `slow_every_s` for what seldom changes,
    `past_s`: how far back the server's history may be asked who ended, 0: never; `sched_config`:
    where the scheduler's own file lies, if it may be read.
    """
    refuse_unknown(KIND, settings, KEYS)
    return PbsSource(
        commands.run,
        SystemClock(),
        account=own_account(),
        timeout_s=number_of(KIND, settings, "timeout_s", commands.TIMEOUT_S),
        deadline_s=number_of(KIND, settings, "deadline_s", DEADLINE_S),
        slow_every_s=number_of(KIND, settings, "slow_every_s", SLOW_EVERY_S),
        past_s=number_of(KIND, settings, "past_s", PAST_S, or_none=True),
        sched_config=path_of(KIND, settings, "sched_config"),
    )
