"""One bad record is set aside and counted; an answer that is mostly bad is refused."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from predictor.domain import Fact, Quarantined
from predictor.errors import SourceFormatError

T = TypeVar("T")
R = TypeVar("R")

LONGEST_EXAMPLE = 200


def sorted_out(
    fact: Fact, found: Iterable[R], parse: Callable[[R], T]
) -> tuple[tuple[T, ...], tuple[Quarantined, ...]]:
    """Return what could be parsed, and at most one note on what could not.

    `parse` says by ValueError that a record is bad. Raises SourceFormatError if more than half
    of the records are: then it is we who do not understand the answer.
    """
    good: list[T] = []
    causes: list[str] = []
    for record in found:
        try:
            good.append(parse(record))
        except (ValueError, OverflowError) as error:
            causes.append(str(error)[:LONGEST_EXAMPLE])
    if len(causes) > len(good):
        raise SourceFormatError(
            f"{fact.value}: {len(causes)} of {len(causes) + len(good)} records make no sense, "
            f"the first: {causes[0]}"
        )
    if not causes:
        return tuple(good), ()
    return tuple(good), (Quarantined(fact=fact, count=len(causes), example=causes[0]),)
