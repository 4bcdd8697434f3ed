"""One look at Slurm: a plan's questions asked one by one, the seldom changing ones seldom."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from collectors.commands import Run
from collectors.slurm.questions import Question
from predictor.clock import Clock
from predictor.domain import Call, Fact
from predictor.errors import SourceError

Plan = Callable[[Mapping[str, str]], Iterator[Question]]
"""Yields the questions of one look in their order, the vital ones first.

It is given what is known, by the questions' names; that is kept up to date between one question
and the next, so that what comes later may depend on earlier answers.
"""


@dataclass(slots=True)
class Survey:
    """One look: what was asked, and what came of it."""

    begun_at: float
    """By our clock, in epoch seconds."""
    until: float
    """When all calls must be over, by the clock that never jumps."""
    printed: dict[str, str] = field(default_factory=dict)
    """Answers by the name of the question, older ones of slow questions included."""
    failed: dict[str, str] = field(default_factory=dict)
    """Why other questions got no answer."""
    calls: list[Call] = field(default_factory=list)
    asked: dict[str, Question] = field(default_factory=dict)
    """The questions behind the calls, by name."""
    answered_at: dict[str, float] = field(default_factory=dict)
    """When those were answered that were asked in this look, by our clock."""
    error: SourceError | None = None
    """Why there can be no snapshot."""


DEADLINE_S = 45.0
"""For all calls of a look: less than the minute after which the next one is due."""
SHORTEST_S = 1.0
"""In less time nothing is worth asking."""


class Surveyor:
    """Asks Slurm by a plan, one call in flight, and remembers answers that change seldom."""

    def __init__(
        self,
        run: Run,
        clock: Clock,
        plan: Plan,
        *,
        timeout_s: float,
        slow_every_s: float,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        """`timeout_s` bounds one call, `deadline_s` all calls of a look together."""
        self._run = run
        self._clock = clock
        self._plan = plan
        self._timeout_s = timeout_s
        self._deadline_s = deadline_s
        self._slow_every_s = slow_every_s
        self._known: dict[str, str] = {}
        self._refused: dict[str, str] = {}
        self._asked_at: dict[str, float] = {}

    def survey(self) -> Survey:
        """Ask everything that is due. Never raises; without the first answer it stops at once."""
        begun = self._clock.monotonic()
        survey = Survey(
            begun_at=self._clock.now(),
            until=begun + self._deadline_s,
            printed=dict(self._known),
            failed=dict(self._refused),
        )
        for question in self._plan(survey.printed):
            if question.slow and not question.always and not self._is_due(question, begun):
                continue
            self.ask(question, survey)
            if survey.error is not None:
                survey.error.calls = tuple(survey.calls)
                break
        return survey

    def ask_anew(self, facts: Collection[Fact], survey: Survey) -> None:
        """Ask of these facts what seldom changes, though it is not due."""
        for question in self._plan(survey.printed):
            if question.slow and question.fact in facts:
                self.ask(question, survey)

    def ask(self, question: Question, survey: Survey) -> None:
        """Ask one question more and note in the survey what came of it.

        If there is no time left for it in this look, it is not asked.
        """
        begun = self._clock.monotonic()
        left_s = survey.until - begun
        if left_s < SHORTEST_S:
            survey.failed[question.name] = "not asked: the calls before it took too long"
            return
        self._asked_at[question.name] = begun
        survey.asked[question.name] = question
        try:
            printed = self._run(question.argv, min(self._timeout_s, left_s))
            question.refuse(printed)
        except SourceError as error:
            spent_s = self._clock.monotonic() - begun
            survey.calls.append(
                Call(
                    name=question.name,
                    duration_s=spent_s,
                    size_bytes=0,
                    ok=False,
                    kind=error.kind,
                )
            )
            survey.failed[question.name] = str(error).removeprefix(f"{question.command}: ")
            survey.error = error if question.vital else survey.error
            if question.slow:
                self._refused[question.name] = survey.failed[question.name]
            return
        survey.calls.append(
            Call(name=question.name, duration_s=printed.duration_s, size_bytes=printed.size_bytes)
        )
        survey.printed[question.name] = printed.output
        survey.answered_at[question.name] = self._clock.now()
        survey.failed.pop(question.name, None)
        if question.slow:
            self._refused.pop(question.name, None)
            self._known[question.name] = printed.output

    def _is_due(self, question: Question, now: float) -> bool:
        if question.vital and question.name not in self._known:
            return True
        return now - self._asked_at.get(question.name, -math.inf) >= self._slow_every_s
