"""What is known of each point, replication by replication."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from verification.sweep.grid import Grid
from verification.sweep.kinds import Figures
from verification.sweep.results import Result
from verification.sweep.runs import Run

FIT = "fit"
REPORT = "report"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replications:
    """The runs of all points by replication, and what became of them."""

    runs: Sequence[Sequence[Run]]
    """By point (from 0), then by replication; the same inputs and seeds for each."""
    results: Mapping[int, Result]
    """By the number of the run."""

    @property
    def count(self) -> int:
        """How many replications there are."""
        return len(self.runs[0])

    @property
    def inputs(self) -> Sequence[str]:
        """The name of the input of each replication."""
        return [run.input.name for run in self.runs[0]]

    def known(self, point: int, count: int) -> Sequence[Result] | None:
        """Return what became of the first so many replications; None: some have not ended."""
        found = [self.results.get(run.number) for run in self.runs[point][:count]]
        known = [one for one in found if one is not None]
        return known if len(known) == len(found) else None

    def fine(self, point: int) -> Mapping[int, Figures]:
        """Return the figures of the point by replication, of those that came out fine."""
        return {
            place: found.figures
            for place, run in enumerate(self.runs[point])
            if (found := self.results.get(run.number)) is not None and found.fine
        }

    def values(self, name: str) -> Sequence[Mapping[int, float]]:
        """Return a figure by point, then by replication where it is known."""
        return [
            {
                place: value
                for place, one in self.fine(point).items()
                if (value := one.get(name)) is not None
            }
            for point in range(len(self.runs))
        ]


def replications(
    grid: Grid, runs: Sequence[Run], results: Mapping[int, Result], role: str = ""
) -> Replications:
    """Return the runs of one role by point and replication. There is at least one."""
    by_point: list[list[Run]] = [[] for _ in grid.points]
    for run in runs:
        if run.input.role == role:
            by_point[run.point - 1].append(run)
    return Replications(runs=by_point, results=results)


def mean_figures(figures: Sequence[Figures]) -> dict[str, float | None]:
    """Return the mean of each figure; None where it is not known of all."""
    names = dict.fromkeys(name for one in figures for name in one)
    means: dict[str, float | None] = {}
    for name in names:
        found = [value for one in figures if (value := one.get(name)) is not None]
        means[name] = fmean(found) if len(found) == len(figures) else None
    return means
