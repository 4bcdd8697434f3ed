"""A live Slurm, asked through its own commands: one call at a time, a handful each minute."""

import math
import os
import pwd
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from collectors import commands
from collectors.commands import Printed, Run
from collectors.slurm import questions
from collectors.slurm.assemble import assemble
from collectors.slurm.config import parse_config
from collectors.slurm.jobs import SQUEUE
from collectors.slurm.jsonrecords import decoded
from collectors.slurm.past import ended_within, with_past
from collectors.slurm.questions import Answers, Question
from collectors.slurm.sdiag import parse_diagnosis
from predictor.clock import Clock, SystemClock
from predictor.domain import Call, Observation, Snapshot
from predictor.errors import SiteError, SourceError, SourceFormatError

KIND = "slurm-cli"
KEYS = frozenset({"timeout_s", "slow_every_s", "past_s"})
"""What the source can be told in a site file."""
SLOW_EVERY_S = 600.0
PAST_S = 2 * 86_400.0
AWAY_S = 240
"""After so long jobs may have come and gone that Slurm does not remember."""
SAME_CLOCK_S = 5
"""Clocks that differ by less are one clock; the difference is the calls' own time."""

_REPORTED = re.compile(r'"errors"\s*:\s*\[\s*[^\]\s]')


@dataclass(slots=True)
class Survey:
    """One look: what was asked, and what came of it."""

    taken_at: int
    printed: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    error: SourceError | None = None
    """Why there can be no snapshot."""


class SlurmCommands:
    """A live Slurm."""

    def __init__(
        self,
        run: Run,
        clock: Clock,
        *,
        account: str,
        timeout_s: float = commands.TIMEOUT_S,
        slow_every_s: float = SLOW_EVERY_S,
        past_s: float = 0,
    ) -> None:
        self._run = run
        self._clock = clock
        self._account = account
        self._timeout_s = timeout_s
        self._slow_every_s = slow_every_s
        self._past_s = past_s
        self._looked_at: float | None = None
        self._known: dict[str, str] = {}
        self._asked_at: dict[str, float] = {}

    def observe(self) -> Observation:
        """Look once. Raises SourceError when there are no jobs or nodes to see.

        Takes at most four times the deadline of a single call. The first look also shows who ended
        within `past_s`, one after a long pause who ended meanwhile, by accounting if there is any.
        """
        survey = self.survey()
        snapshot = self._with_past(self.assembled(survey), survey)
        return Observation(snapshot=snapshot, calls=tuple(survey.calls))

    def _with_past(self, snapshot: Snapshot, survey: Survey) -> Snapshot:
        now = self._clock.monotonic()
        before, self._looked_at = self._looked_at, now
        missed_s = self._past_s if before is None else now - before
        if not self._past_s or (before is not None and missed_s <= AWAY_S):
            return snapshot
        question = ended_within(round(min(missed_s, self._past_s)) + AWAY_S)
        self._ask(question, survey)
        printed = survey.printed.get(question.name)
        try:
            return snapshot if printed is None else with_past(snapshot, printed)
        except SourceFormatError as error:
            survey.failed[question.name] = str(error)
            return snapshot

    def assembled(self, survey: Survey) -> Snapshot:
        """Return the snapshot that a survey makes. Raises SourceError."""
        if survey.error is not None:
            raise survey.error
        return assemble(
            Answers(printed=survey.printed, failed=survey.failed),
            taken_at=survey.taken_at,
            source=KIND,
            account=self._account,
            utc_offset_s=local_offset_s(survey.taken_at),
        )

    def survey(self) -> Survey:
        """Ask everything that is due. Never raises; without jobs it stops at once."""
        begun = self._clock.monotonic()
        survey = Survey(taken_at=round(self._clock.now()))
        for question in self._due(begun):
            if self._clock.monotonic() - begun > 2 * self._timeout_s:
                survey.failed[question.name] = "not asked: the calls before it took too long"
            else:
                self._ask(question, survey)
            if survey.error is not None:
                break
        survey.printed = self._known | survey.printed
        return survey

    def _due(self, now: float) -> Iterator[Question]:
        """Yield the questions one by one: what comes later may depend on earlier answers."""
        for question in questions.ALL:
            config = self._known.get(questions.CONFIG.name)
            grouped = groups_nodes(config)
            if question is questions.NODES and grouped and questions.CONFIG.name in self._known:
                continue
            if question in questions.OF_TREES and not has_tree(config):
                continue
            if question is questions.SWITCHES and grouped:
                continue
            often = question is questions.NODES_TEXT and grouped
            asked_at = self._asked_at.get(question.name, -math.inf)
            if often or not question.slow or now - asked_at >= self._slow_every_s:
                yield question

    def _ask(self, question: Question, survey: Survey) -> None:
        begun = self._clock.monotonic()
        self._asked_at[question.name] = begun
        try:
            printed = self._run(question.argv, self._timeout_s)
            refuse_failure(question, printed)
        except SourceError as error:
            spent_s = self._clock.monotonic() - begun
            survey.calls.append(
                Call(name=question.name, duration_s=spent_s, size_bytes=0, ok=False)
            )
            survey.failed[question.name] = str(error).removeprefix(f"{question.command}: ")
            survey.error = error if question is questions.JOBS else None
            return
        survey.calls.append(
            Call(name=question.name, duration_s=printed.duration_s, size_bytes=printed.size_bytes)
        )
        survey.printed[question.name] = printed.output
        if question.slow:
            self._known[question.name] = printed.output
        if question is questions.DIAGNOSIS:
            survey.taken_at += clock_gap_s(printed.output, self._clock.now())


def from_settings(settings: Mapping[str, object]) -> SlurmCommands:
    """Return the source. Raises SiteError.

    Settings: `timeout_s` of a call, `slow_every_s` for what seldom changes, `past_s`: from how far
    back ended jobs are asked for at first, 0 for no question to accounting.
    """
    unknown = settings.keys() - KEYS
    if unknown:
        raise SiteError(
            f'source "{KIND}": unknown key {min(unknown)}; it knows {", ".join(sorted(KEYS))}'
        )
    return SlurmCommands(
        commands.run,
        SystemClock(),
        account=own_account(),
        timeout_s=_seconds(settings, "timeout_s", commands.TIMEOUT_S),
        slow_every_s=_seconds(settings, "slow_every_s", SLOW_EVERY_S),
        past_s=_seconds(settings, "past_s", PAST_S, or_none=True),
    )


def _seconds(
    settings: Mapping[str, object], key: str, default: float, *, or_none: bool = False
) -> float:
    value = settings.get(key, default)
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else -1
    if number < 0 or not (number or or_none):
        bound = "from 0 on" if or_none else "above 0"
        raise SiteError(f'source "{KIND}": {key}: expected seconds {bound}, got {value!r}')
    return float(number)


def own_account() -> str:
    """Return the name of the account that asks; its number where it has no name."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def refuse_failure(question: Question, printed: Printed) -> None:
    """Raise SourceError if a command failed, be it with exit code 0."""
    if printed.exit_code:
        said = printed.complaint.strip().splitlines() or [f"exit code {printed.exit_code}"]
        raise SourceError(f"{question.command}: {said[0][:200]}")
    if question is questions.JOBS and _REPORTED.search(printed.output):
        decoded(printed.output, SQUEUE)


def clock_gap_s(sdiag: str, now: float) -> int:
    """Return how far the batch system's clock is ahead of ours; 0 where it cannot be told."""
    try:
        gap_s = parse_diagnosis(sdiag)[0].written_at - now
    except SourceError:
        return 0
    return round(gap_s) if abs(gap_s) > SAME_CLOCK_S else 0


def groups_nodes(config: str | None) -> bool:
    """Return whether `sinfo --json` is of no use; also where the configuration is not told."""
    try:
        return config is None or parse_config(config)[0].groups_nodes
    except SourceError:
        return True


def has_tree(config: str | None) -> bool:
    """Return whether a tree of switches is configured; not where the configuration is not told."""
    try:
        return config is not None and parse_config(config)[0].has_tree
    except SourceError:
        return False


def local_offset_s(at: int) -> int:
    """Return how far this machine's local time is ahead of UTC at an instant."""
    offset = datetime.fromtimestamp(at).astimezone().utcoffset()
    return round(offset.total_seconds()) if offset else 0
