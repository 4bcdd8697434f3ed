"""What one run of a sweep does: the interface, and what it brings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from verification.measures import Ran, Watch

Value = bool | int | float | str
Settings = Mapping[str, Value]
"""By name; a name within a table is led by the table's, with a dot."""
Figures = Mapping[str, float | int | None]
"""By name, as in all reports: seconds end in `_s`. None: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run brought."""

    figures: Figures
    sha256: str
    """Over all that was decided: equal if and only if the run was repeated exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What became of every job in a run, to be drawn."""

    jobs: Sequence[Ran]
    watch: Watch
    """The time that is drawn; nodes in the order in which they are."""


class Kind(Protocol):
    """A kind of run: given the same input, settings and seed, it brings the same outcome."""

    @property
    def name(self) -> str:
        """As grids call it."""
        ...

    @property
    def figures(self) -> Sequence[str]:
        """The names of the figures that every run has, the most telling first.

        Of all that may be minimised, less is better; a gate knows of which more is.
        """
        ...

    def settled(self, points: Sequence[Settings], folder: Path) -> Sequence[Settings]:
        """Return the points as they are run: with what they must share to be compared.

        Files are named from the grid's folder on.
        """
        ...

    def files(self, settings: Settings) -> Sequence[Path]:
        """Return the files that settings name, whose content decides as well."""
        ...

    def faults(self, settings: Settings) -> Iterable[tuple[str, str]]:
        """Yield each setting that cannot be, and what would have been right."""
        ...

    def misfits(self, read: Any, settings: Settings) -> Iterable[tuple[str, str]]:
        """Yield each setting that makes no sense of what an input holds, and why."""
        ...

    def chance(self, settings: Settings) -> bool:
        """Return whether another seed may bring another outcome."""
        ...

    def digest(self, path: Path) -> str:
        """Return a hash over the content of an input. Raises QueuecastError or OSError."""
        ...

    def read(self, path: Path) -> Any:
        """Return an input, ready for many runs. Raises QueuecastError or OSError."""
        ...

    def run(self, read: Any, settings: Settings, seed: int) -> Outcome:
        """Run once. Raises QueuecastError."""
        ...

    def course(self, read: Any, settings: Settings, seed: int) -> Course:
        """Run once, and return all that `run` adds up. Raises QueuecastError."""
        ...
