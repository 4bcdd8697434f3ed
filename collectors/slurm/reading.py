"""Reading answers one by one, with a memory of what was hidden or bad."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from collectors.slurm.questions import Answers, Question
from predictor.domain import Hidden, Quarantined
from predictor.errors import SourceError

T = TypeVar("T")

Parsed = tuple[T, tuple[Quarantined, ...]]
Way = tuple[Question, Callable[[str], Parsed[T]]]
"""A question, and how its answer is read."""


class Reading:
    """Answers, and the notes made while reading them.

    One fact may be told in several ways; of those given, the first that was answered is read.
    """

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.hidden: list[Hidden] = []
        self.quarantined: list[Quarantined] = []

    @property
    def told(self) -> Mapping[str, str]:
        """Return all answers, by the name of the question."""
        return self._answers.printed

    def has(self, question: Question) -> bool:
        """Return whether there is an answer to the question."""
        return question.name in self._answers.printed

    def asked(self, question: Question) -> bool:
        """Return whether the question was asked, with or without an answer."""
        return self.has(question) or question.name in self._answers.failed

    def needed(self, *ways: Way[T]) -> T:
        """Return the facts that there must be. Raises SourceError."""
        for question, parse in ways:
            if self.has(question):
                found, bad = parse(self._answers.printed[question.name])
                self.quarantined += bad
                return found
        raise SourceError(self._why([question for question, _ in ways]))

    def several(self, *ways: Way[tuple[T, ...]]) -> tuple[T, ...]:
        """Return the facts; none, and a note on why, if they cannot be had."""
        nothing: tuple[T, ...] = ()
        return self.optional(nothing, *ways)

    def optional(self, nothing: T, *ways: Way[T]) -> T:
        """Return the facts; `nothing`, and a note on why, if they cannot be had."""
        try:
            return self.needed(*ways)
        except SourceError as error:
            self.hidden.append(Hidden(fact=ways[0][0].fact, why=str(error)))
            return nothing

    def _why(self, asked: list[Question]) -> str:
        """Return why none of them was answered: those that failed, else that nobody asked."""
        failed = self._answers.failed
        tried = [question for question in asked if question.name in failed]
        if not tried:
            return f"{asked[0].command}: not asked"
        return "; ".join(f"{question.command}: {failed[question.name]}" for question in tried)
