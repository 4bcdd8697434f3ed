"""Reading answers one by one, with a memory of what was hidden or bad."""

from collections.abc import Callable
from typing import TypeVar

from collectors.slurm.questions import Answers, Question
from predictor.domain import Hidden, Quarantined
from predictor.errors import SourceError

T = TypeVar("T")

Parsed = tuple[T, tuple[Quarantined, ...]]


class Reading:
    """Answers, and the notes made while reading them."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.hidden: list[Hidden] = []
        self.quarantined: list[Quarantined] = []

    def has(self, question: Question) -> bool:
        """Return whether there is an answer to the question."""
        return question.name in self._answers.printed

    def needed(self, question: Question, parse: Callable[[str], Parsed[T]]) -> T:
        """Return the facts of an answer that there must be. Raises SourceError."""
        if not self.has(question):
            why = self._answers.failed.get(question.name, "not asked")
            raise SourceError(f"{question.command}: {why}")
        found, bad = parse(self._answers.printed[question.name])
        self.quarantined += bad
        return found

    def several(
        self, question: Question, parse: Callable[[str], Parsed[tuple[T, ...]]]
    ) -> tuple[T, ...]:
        """Return the facts of an answer; none, and a note on why, if they cannot be had."""
        nothing: tuple[T, ...] = ()
        return self.optional(question, parse, nothing)

    def optional(self, question: Question, parse: Callable[[str], Parsed[T]], nothing: T) -> T:
        """Return the facts of an answer; `nothing`, and a note on why, if they cannot be had."""
        try:
            return self.needed(question, parse)
        except SourceError as error:
            self.hidden.append(Hidden(fact=question.fact, why=str(error)))
            return nothing
