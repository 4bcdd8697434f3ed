"""What every allocator does."""

from collections.abc import Iterable, Iterator

from predictor.engine import bits
from verification.experiments.course import Queued
from verification.experiments.state import Places, Shape

WORD_BITS = 64
WORD = 0xFFFF_FFFF_FFFF_FFFF


class Allocator:
    """Chooses places for jobs. It reads the state that it was made with and changes nothing."""

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits: each node once.

        It may be asked for a job that does not start then.
        """
        raise NotImplementedError

    def submitted(self, queued: Queued) -> None:
        """Take note that a job waits from now on."""

    def started(self, queued: Queued) -> None:
        """Take note that a job starts."""

    def blocked(self, queued: Queued) -> None:
        """Take note that a job did not start at the instant of its submission."""


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


def first_filled(nodes: int, shape: Shape, units: int) -> Places:
    """Return places that fill the nodes of the bits that are set, the lowest first.

    What `filled` makes of `lowest_first`, without asking for one node after the other.
    """
    places: list[tuple[int, int]] = []
    begin = 0
    while nodes:
        word = nodes & WORD
        while word:
            node = begin + bits.lowest(word)
            fits = shape.fits[node]
            if fits >= units:
                places.append((node, units))
                return places
            places.append((node, fits))
            units -= fits
            word &= word - 1
        nodes >>= WORD_BITS
        begin += WORD_BITS
    raise AssertionError(f"{units} units were left without a place")


def lowest_first(nodes: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the lowest first."""
    while nodes:
        bit = nodes & -nodes
        yield bit.bit_length() - 1
        nodes ^= bit


def highest_first(nodes: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the highest first."""
    while nodes:
        node = nodes.bit_length() - 1
        yield node
        nodes ^= 1 << node
