"""In which order those behind blocked jobs are tried, where it is not the queue's."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

MOST_COMBINED = 12
"""Of so many that could start, all combinations are tried."""

One = TypeVar("One")
Start = Callable[[One], Callable[[], None] | None]
"""Starts one beside those started before it, and returns how to undo that; None: no room."""


def largest_first(waiting: Sequence[One], cpus: Callable[[One], int]) -> list[One]:
    """Return who asks for most CPUs first; equal ones stay in the order given.

    As starting one leaves less for all others, this is as good as choosing anew after each start.
    """
    return sorted(waiting, key=lambda one: -cpus(one))


def best_together_first(
    waiting: Sequence[One], cpus: Callable[[One], int], start: Start[One]
) -> list[One]:
    """Return those first that take most CPUs together, then the others, both in the order given.

    Combined are the first dozen that could start alone; at a tie, who comes first wins.
    """
    able = (place for place, one in enumerate(waiting) if _could(start(one)))
    places = list(islice(able, MOST_COMBINED))
    chosen = _best(places, lambda place: cpus(waiting[place]), lambda p: start(waiting[p]))
    others = sorted(set(range(len(waiting))).difference(chosen))
    return [waiting[place] for place in (*chosen, *others)]


def _could(undo: Callable[[], None] | None) -> bool:
    if undo is not None:
        undo()
    return undo is not None


def _best(
    candidates: Sequence[int], cpus: Callable[[int], int], start: Start[int]
) -> tuple[int, ...]:
    """Return the combination that takes most; what cannot win any more is not tried."""
    best: tuple[int, ...] = ()
    most = 0

    def search(place: int, chosen: tuple[int, ...], taken: int, left: int) -> None:
        nonlocal best, most
        if taken > most:
            best, most = chosen, taken
        if place == len(candidates) or taken + left <= most:
            return
        one = candidates[place]
        size = cpus(one)
        undo = start(one)
        if undo is not None:
            search(place + 1, (*chosen, one), taken + size, left - size)
            undo()
        search(place + 1, chosen, taken, left - size)

    search(0, (), 0, sum(map(cpus, candidates)))
    return best
