"""What every allocator does."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from verification.experiments.course import Queued
from verification.experiments.state import Places, Shape


class Allocator(Protocol):
    """Chooses places for jobs. It reads the state that it was made with and changes nothing."""

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits: each node once."""
        ...


def filled(nodes: Iterable[int], shape: Shape, units: int) -> Places:
    """Return places that fill these nodes one after the other. There must be enough."""
    places: list[tuple[int, int]] = []
    for node in nodes:
        fits = shape.fits[node]
        if fits >= units:
            places.append((node, units))
            return places
        places.append((node, fits))
        units -= fits
    raise AssertionError(f"{units} units were left without a place")


def lowest_first(nodes: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the lowest first."""
    while nodes:
        bit = nodes & -nodes
        yield bit.bit_length() - 1
        nodes ^= bit
