"""A live Slurm, looked at by a plan: one call at a time, a handful each minute."""

from collections.abc import Mapping

from collectors import commands
from collectors.commands import Run, Stream
from collectors.here import local_offset_s, own_account
from collectors.settings import choice_of, number_of, refuse_unknown
from collectors.slurm import past, plans
from collectors.slurm.assemble import DIAGNOSES, assemble
from collectors.slurm.overruns import Rule, overruns
from collectors.slurm.questions import Answers
from collectors.slurm.survey import DEADLINE_S, Plan, Survey, Surveyor
from predictor.clock import Clock, SystemClock
from predictor.domain import Fact, Observation, Snapshot
from predictor.domain.durations import DAY_S
from predictor.domain.source import TakeEnded, Told
from predictor.errors import SourceError

KIND = "slurm-cli"
KEYS = frozenset({"form", "timeout_s", "deadline_s", "slow_every_s", "past_s"})
"""What the source can be told in a site file."""
FORMS: Mapping[str, Plan] = {"text": plans.by_text, "json": plans.by_json}
"""In which form Slurm's commands can tell of jobs and nodes; the first is the default."""
SLOW_EVERY_S = 600.0
PAST_S = 14.0 * DAY_S
LIMITS = frozenset({Fact.QOS, Fact.ASSOCIATIONS})
SAME_CLOCK_S = 5
"""Clocks that differ by less are one clock; the difference is the calls' own time."""


class SlurmSource:
    """A live Slurm."""

    def __init__(
        self,
        run: Run,
        clock: Clock,
        *,
        account: str,
        kind: str = KIND,
        plan: Plan = plans.by_json,
        timeout_s: float = commands.TIMEOUT_S,
        deadline_s: float = DEADLINE_S,
        slow_every_s: float = SLOW_EVERY_S,
        stream: Stream = past.BOUNDED,
        past_s: float = 0,
        unasked: Mapping[str, str] | None = None,
    ) -> None:
        """`unasked`: why questions by these names are never asked."""
        self.past_s = past_s
        self._surveyor = Surveyor(
            run,
            clock,
            plan,
            timeout_s=timeout_s,
            deadline_s=deadline_s,
            slow_every_s=slow_every_s,
        )
        self._clock = clock
        self.account = account
        """As whom Slurm is asked."""
        self._kind = kind
        self._unasked = dict(unasked or {})
        self._stream = stream
        self._timeout_s = timeout_s
        self._believed: frozenset[Rule] = frozenset()
        """Limits that were asked for when more was running than they admit."""

    def observe(self) -> Observation:
        """Look once. Raises SourceError when there are no jobs or nodes to see.

        All calls together take at most `deadline_s`.
        """
        survey = self.survey()
        try:
            snapshot = self._with_limits_of_now(survey)
        except SourceError as error:
            error.calls = tuple(survey.calls)
            raise
        return Observation(snapshot=snapshot, calls=tuple(survey.calls))

    def _with_limits_of_now(self, survey: Survey) -> Snapshot:
        """Return the snapshot; if what runs refutes limits, they are asked for again at once.

        About each limit once until they are due: one that was lowered may stay overrun for long.
        """
        snapshot = self.assembled(survey)
        found = overruns(snapshot)
        if LIMITS & {question.fact for question in survey.asked.values()}:
            self._believed = found
        elif not found <= self._believed:
            self._surveyor.ask_anew(LIMITS, survey)
            snapshot = self.assembled(survey)
            self._believed |= found | overruns(snapshot)
        return snapshot

    def ended(self, since: int, until: int, take: TakeEnded) -> Told:
        """Hand on who ended in that time by accounting, whatever else can be seen.

        As `predictor.domain.source.Accounting` says.
        """
        return past.ask_accounting(
            self._stream,
            self._clock,
            since=since,
            until=until,
            take=take,
            timeout_s=self._timeout_s,
        )

    def survey(self) -> Survey:
        """Ask everything that is due. Never raises."""
        return self._surveyor.survey()

    def assembled(self, survey: Survey) -> Snapshot:
        """Return the snapshot that a survey makes. Raises SourceError."""
        if survey.error is not None:
            raise survey.error
        taken_at = seen_at(survey)
        return assemble(
            Answers(printed=survey.printed, failed=self._unasked | survey.failed),
            taken_at=taken_at,
            source=self._kind,
            account=self.account,
            utc_offset_s=local_offset_s(taken_at),
        )


def from_settings(settings: Mapping[str, object]) -> SlurmSource:
    """Return the source. Raises SiteError.

    Settings: `form` of the answers, "text" or "json"; `timeout_s` of a call, `deadline_s` of a
    look, `slow_every_s` for what seldom changes, `past_s`: how far back accounting may be asked who
    ended, 0 for no question to it.
    """
    refuse_unknown(KIND, settings, KEYS)
    return SlurmSource(
        commands.run,
        SystemClock(),
        account=own_account(),
        plan=FORMS[choice_of(KIND, settings, "form", tuple(FORMS))],
        timeout_s=number_of(KIND, settings, "timeout_s", commands.TIMEOUT_S),
        deadline_s=number_of(KIND, settings, "deadline_s", DEADLINE_S),
        slow_every_s=number_of(KIND, settings, "slow_every_s", SLOW_EVERY_S),
        past_s=number_of(KIND, settings, "past_s", PAST_S, or_none=True),
    )


def seen_at(survey: Survey) -> int:
    """Return when a survey began, by the batch system's clock where that can be told."""
    begun_at = round(survey.begun_at)
    for question, parse in DIAGNOSES:
        if question.name not in survey.answered_at:
            continue
        try:
            written_at = parse(survey.printed[question.name])[0].written_at
        except SourceError:
            return begun_at
        gap_s = written_at - survey.answered_at[question.name]
        return begun_at + (round(gap_s) if abs(gap_s) > SAME_CLOCK_S else 0)
    return begun_at
