"""The runs that a grid stands for, numbered, so that each can be named, kept and repeated."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verification.sweep.grid import Grid
from verification.sweep.kinds import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A recording or trace."""

    name: str
    """Short, and no other has it."""
    path: Path
    sha256: str
    """Of its content."""
    role: str = ""
    """`fit` or `report` where settings are chosen on some and tried on others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One point on one input by one seed."""

    number: int
    """From 1, in the order in which runs are begun."""
    point: int
    """From 1, in the order of the grid."""
    input: Input
    seed: int
    settings: Settings

    def __str__(self) -> str:
        """Return how the run is called."""
        return f"run {self.number} (point {self.point}, {self.input.name}, seed {self.seed})"


def all_runs(grid: Grid, inputs: Sequence[Input]) -> list[Run]:
    """Return every run of a grid.

    Each draw is made of all points before the next, so that a sweep that was stopped half-way has
    tried all of them. All points have the same seeds: what differs between them is no chance.
    """
    seeds = range(grid.file.seed, grid.file.seed + grid.file.draws)
    made = (
        (number, settings, one, seed)
        for seed in seeds
        for one in inputs
        for number, settings in enumerate(grid.points, start=1)
    )
    return [
        Run(number=count, point=number, input=one, seed=seed, settings=settings)
        for count, (number, settings, one, seed) in enumerate(made, start=1)
    ]
