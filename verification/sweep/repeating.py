"""Make a point's runs again, and compare."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from predictor.errors import StorageError
from verification.sweep.folder import Seen
from verification.sweep.grid import Grid
from verification.sweep.manifest import Named, looked_at, surroundings
from verification.sweep.results import Result
from verification.sweep.runs import Input, all_runs
from verification.sweep.working import Making


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """What came of it."""

    same: bool
    """Whether every run came out as before."""
    lines: Sequence[str]
    """A sentence for each run."""
    notes: Sequence[str]
    """What is not as it was then, a sentence each."""


def repeat(seen: Seen, grid: Grid, point: int) -> Repeated:
    """Make again all runs of `point` that came out fine.

    Raises StorageError if there is none, or if its input holds something else by now.
    """
    before = {
        number: one for number, one in seen.results.items() if one.point == point and one.fine
    }
    if not before:
        raise StorageError(f"{seen.path}: no run of point {point} came out fine")
    used = {one.input for one in before.values()}
    inputs = [
        unchanged(one, grid) if one["name"] in used else as_it_was(one) for one in _inputs(seen)
    ]
    making = Making(kind=grid.kind.name)
    runs = [run for run in all_runs(grid, inputs) if run.number in before]
    pairs = [(str(run), before[run.number], making(run)) for run in runs]
    return Repeated(
        same=all(_same(old, new) for _, old, new in pairs),
        lines=[f"{name}: {_compared(old, new)}" for name, old, new in pairs],
        notes=list(_notes(seen)),
    )


def _inputs(seen: Seen) -> Sequence[dict[str, str]]:
    return list(seen.manifest["inputs"])


def as_it_was(told: Mapping[str, str]) -> Input:
    """Return an input of a manifest, not looked at."""
    return Input(
        name=told["name"], path=Path(told["path"]), sha256=told["sha256"], role=told["role"]
    )


def unchanged(told: Mapping[str, str], grid: Grid) -> Input:
    """Return an input of a manifest. Raises StorageError if it holds something else by now."""
    wanted = as_it_was(told)
    (found,) = looked_at(grid.kind, [Named(path=wanted.path, role=wanted.role)])
    if found.sha256 != wanted.sha256:
        raise StorageError(f"{wanted.path}: holds something else than when it was swept")
    return wanted


def _same(old: Result, new: Result) -> bool:
    return new.fine and old.sha256 == new.sha256 and dict(old.figures) == dict(new.figures)


def _compared(old: Result, new: Result) -> str:
    if _same(old, new):
        return f"the same, {new.sha256[:16]}"
    if not new.fine:
        return f"failed: {new.failed}"
    others = [
        f"{name} is {new.figures.get(name)}, was {value}"
        for name, value in old.figures.items()
        if new.figures.get(name) != value
    ]
    return f"ANOTHER: {', '.join(others) or f'{new.sha256[:16]}, was {old.sha256[:16]}'}"


def _notes(seen: Seen) -> Iterator[str]:
    for key, now in surroundings().items():
        if (then := seen.manifest.get(key)) != now:
            yield f"not as it was: {key} is {now}, was {then}"
