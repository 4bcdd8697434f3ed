"""How long a job may run: a distribution over whole seconds."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

LONGER_S = 60
"""By how much a job is taken to outlive all that was thought possible."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """Run times and how probable they are. Made by `certain`, `of` and `beyond`."""

    atoms: tuple[int, ...]
    """Seconds, at least one of them, ascending."""
    reached: tuple[float, ...]
    """How probably the job runs no longer than each atom: ascending, in (0, 1], the last is 1."""

    @classmethod
    def certain(cls, run_s: int) -> Self:
        """Return the law of a job that runs exactly so long."""
        return cls(atoms=(run_s,), reached=(1.0,))

    @classmethod
    def of(cls, weighted: Iterable[tuple[int, float]]) -> Self:
        """Return the law with these run times and weights, which need not sum up to 1.

        What is named twice is added up. Raises ValueError unless some weight is positive.
        """
        found: dict[int, float] = {}
        for run_s, weight in weighted:
            if weight > 0:
                found[run_s] = found.get(run_s, 0.0) + weight
        return cls._of(found)

    @classmethod
    def mixed(cls, parts: Iterable[tuple[Self, float]]) -> Self:
        """Return the law of a job that is under one of these laws, with these weights.

        Raises ValueError unless some weight is positive.
        """
        found: dict[int, float] = {}
        for law, share in parts:
            if share <= 0:
                continue
            before = 0.0
            for run_s, reached in zip(law.atoms, law.reached, strict=True):
                found[run_s] = found.get(run_s, 0.0) + (reached - before) * share
                before = reached
        return cls._of(found)

    @classmethod
    def _of(cls, found: Mapping[int, float]) -> Self:
        if not found:
            raise ValueError("a law needs a run time of positive weight")
        atoms = sorted(found)
        sums = list(accumulate([found[run_s] for run_s in atoms]))
        total = sums[-1]
        return cls(atoms=tuple(atoms), reached=tuple([one / total for one in sums]))

    def thinned(self, most: int) -> Self:
        """Return the law with no more atoms than that: the middles of as many equal shares."""
        if len(self.atoms) <= most:
            return self
        return self.of((self.quantile((place + 0.5) / most), 1.0) for place in range(most))

    def quantile(self, level: float) -> int:
        """Return the shortest run time not exceeded with at least this probability, in [0, 1]."""
        place = bisect_left(self.reached, level - _ROUNDING)
        return self.atoms[min(place, len(self.atoms) - 1)]

    def beyond(self, elapsed_s: int) -> Self:
        """Return the law of a job that has run that long already: all its atoms are longer.

        A job that has outlived them all is taken to run `LONGER_S` more.
        """
        place = bisect_right(self.atoms, elapsed_s)
        if place == 0:
            return self
        gone = self.reached[place - 1]
        left = 1.0 - gone
        if place == len(self.atoms) or left <= 0:
            return self.certain(elapsed_s + LONGER_S)
        reached = (*((one - gone) / left for one in self.reached[place:-1]), 1.0)
        return type(self)(atoms=self.atoms[place:], reached=reached)
