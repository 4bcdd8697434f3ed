"""How fast jobs run beside one another on halves of nodes, as somebody measured it.

Programs are numbers: a trace's executables, or its users where it tells none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

GAINS = 1.02
LOSES = 0.98
VARIES = 0.07


@dataclass(frozen=True, kw_only=True)
class Speedups:
    """Speeds by kind of program; 1 is that on as few whole nodes as will do.

    A job on halves leaves the other half of each of its nodes to somebody else, or idle.
    """

    kinds: tuple[str, ...]
    beside: tuple[tuple[float, ...], ...]
    """By kind, then by the kind of who runs on the other halves."""
    alone: tuple[float, ...]
    """By kind: with nobody on the other halves."""
    programs: Mapping[int, str] = field(default_factory=dict)
    """Kinds of programs that are known; others take turns, by their number."""

    def __post_init__(self) -> None:
        count = len(self.kinds)
        if not count or len(set(self.kinds)) < count:
            raise ValueError("speedups need at least one kind, each with a name of its own")
        if len(self.alone) != count or [len(row) for row in self.beside] != [count] * count:
            raise ValueError(f"{count} kinds need {count} speeds alone, and {count} x {count}")
        if not all(0 < speed <= 100 for row in (self.alone, *self.beside) for speed in row):
            raise ValueError("a speed is more than 0 and at most 100")
        if unknown := set(self.programs.values()) - set(self.kinds):
            raise ValueError(f"no speeds are told of {sorted(unknown)[0]}")

    def kind(self, program: int) -> int:
        """Return the number of a program's kind."""
        named = self.programs.get(program)
        return program % len(self.kinds) if named is None else self.kinds.index(named)

    def speed(self, program: int, other: int) -> float:
        """Return the speed of a job of one program beside one of another."""
        return self.beside[self.kind(program)][self.kind(other)]

    def together(self, program: int, other: int) -> float:
        """Return the mean speed of the two beside one another."""
        return (self.speed(program, other) + self.speed(other, program)) / 2

    def character(self, program: int) -> str:
        """Return what sharing nodes does to a job: `spread`, `compact`, `frail` or `robust`.

        It gains on average, loses, varies with the company, or does not mind. Source: ELiSE, of
        which the bounds of 2 % and 0.07 are.
        """
        return self._characters[self.kind(program)]

    @cached_property
    def _characters(self) -> tuple[str, ...]:
        return tuple(_character(row) for row in self.beside)


def _character(speeds: tuple[float, ...]) -> str:
    from statistics import fmean, pstdev

    mean = fmean(speeds)
    if mean > GAINS:
        return "spread"
    if mean < LOSES:
        return "compact"
    return "frail" if round(pstdev(speeds), 2) > VARIES else "robust"
