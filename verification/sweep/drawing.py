"""Make two runs of a sweep again, to be drawn."""

from dataclasses import dataclass

from predictor.errors import StorageError
from verification.sweep.folder import Seen
from verification.sweep.grid import Grid
from verification.sweep.picture import Side, Window, render_picture
from verification.sweep.repeating import as_it_was, unchanged
from verification.sweep.runs import Run, all_runs
from verification.sweep.wording import settings_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which runs."""

    point: int
    against: int
    input: str | None
    """None: the first."""
    seed: int | None
    """None: the first."""


def picture_of(seen: Seen, grid: Grid, wanted: Wanted, window: Window) -> str:
    """Return the page of a run of one point beside one of another, on the same input and seed.

    Raises StorageError if there is no such run, or if the input is not what it was.
    """
    told = {one["name"]: one for one in seen.manifest["inputs"]}
    name = wanted.input or next(iter(told))
    if name not in told:
        raise StorageError(f"{seen.path}: no input {name}; there are {', '.join(told)}")
    used = unchanged(told[name], grid)
    seed = grid.file.seed if wanted.seed is None else wanted.seed
    runs = {
        run.point: run
        for run in all_runs(grid, [as_it_was(one) for one in told.values()])
        if run.input.name == name and run.seed == seed
    }
    for point in (wanted.against, wanted.point):
        if point not in runs:
            raise StorageError(f"{seen.path}: no point {point} by seed {seed}")
    read = grid.kind.read(used.path)
    base, other = (_side(grid, read, runs[one]) for one in (wanted.against, wanted.point))
    return render_picture(f"{name}, seed {seed}", base, other, window)


def _side(grid: Grid, read: object, run: Run) -> Side:
    return Side(
        name=f"point {run.point}",
        settings=settings_words(run.settings, grid.varied),
        course=grid.kind.course(read, run.settings, run.seed),
        figures=grid.kind.run(read, run.settings, run.seed).figures,
    )
