"""Read a grid: the points it has, and all that is wrong with it before anything runs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from predictor.errors import SiteError
from predictor.priority.suggestion import suggestion
from predictor.site.complaints import complaint, complaints, dotted, line_of
from predictor.site.lines import Place, lines_of
from predictor.site.toml import parsed, text_of
from verification.gate import parse_gate
from verification.measures import MEASURES
from verification.sweep.gridfile import GridFile
from verification.sweep.kinds import Kind, Settings, Value

MOST_POINTS = 1_000_000
"""More are nobody's intention; they are counted, but never made."""

Fault = tuple[Place, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A grid that can be run."""

    path: Path
    folder: Path
    """From where on it names files."""
    text: str
    """What stands in the file."""
    file: GridFile
    kind: Kind
    points: Sequence[Settings]
    """What is tried, the first of all: the values that stand first."""

    @property
    def varied(self) -> Sequence[str]:
        """The names of the settings that differ between points."""
        names = dict.fromkeys(name for point in self.points for name in point)
        return [name for name in names if len({repr(point.get(name)) for point in self.points}) > 1]


def load_grid(
    path: Path, kinds: Mapping[str, Kind], draws: int | None = None, folder: Path | None = None
) -> Grid:
    """Return the grid that a TOML file describes; `draws` takes the place of its own.

    `folder`: where it stood when it was written; None: where it stands. Raises SiteError with a
    line for everything that is wrong: `file:line: table.key: cause`.
    """
    folder = path.absolute().parent if folder is None else folder
    text = text_of(path)
    data = parsed(text, path)
    lines = _with_dots(lines_of(text))
    try:
        file = GridFile.model_validate(data if draws is None else {**data, "draws": draws})
    except ValidationError as error:
        raise SiteError("\n".join(complaints(error, GridFile, lines, path))) from None
    wrong = list(_contradictions(file, kinds))
    if not wrong:
        written = list(_points(file))
        points = kinds[file.kind].settled(written, folder)
        wrong = list(_wrong_settings(file, kinds[file.kind], written, points))
    if wrong:
        raise _complaints(path, lines, wrong)
    return Grid(
        path=path, folder=folder, text=text, file=file, kind=kinds[file.kind], points=points
    )


def _contradictions(file: GridFile, kinds: Mapping[str, Kind]) -> Iterator[Fault]:
    if file.kind not in kinds:
        hint = suggestion(file.kind, kinds) or f", expected one of {', '.join(sorted(kinds))}"
        yield ("kind",), f"no such kind of run{hint}"
        return
    if not file.axes and not file.points:
        yield (), "nothing to try: expected a table [axes], or [[points]]"
    for name in file.axes:
        if name in file.fixed:
            yield ("axes", name), "it is among those of [fixed]"
    for number, point in enumerate(file.points):
        for name in point:
            for table, names in (("fixed", file.fixed), ("axes", file.axes)):
                if name in names:
                    yield ("points", number, name), f"it is among those of [{table}]"
    if (count := _count(file)) > MOST_POINTS:
        yield ("axes",), f"{count:,} points, expected at most {MOST_POINTS:,}"
    if file.optimise is not None:
        yield from _wrong_aim(file, kinds[file.kind])


def _wrong_aim(file: GridFile, kind: Kind) -> Iterator[Fault]:
    assert file.optimise is not None  # noqa: S101 - the caller looked
    wanted = file.optimise.minimise
    if wanted not in kind.figures:
        hint = suggestion(wanted, kind.figures) or f", expected one of {', '.join(kind.figures)}"
        yield ("optimise", "minimise"), f"no figure of {kind.name}{hint}"
    elif wanted in MEASURES and MEASURES[wanted].better > 0:
        yield ("optimise", "minimise"), f"of {wanted} more is better: bound it by `subject_to`"
    for bound in parse_gate(file.optimise.subject_to) if file.optimise.subject_to else ():
        if not {bound.name, f"{bound.name}_s"} & set(kind.figures):
            hint = suggestion(bound.name, kind.figures)
            yield ("optimise", "subject_to"), f"{bound.name}: no figure of {kind.name}{hint}"
    if file.inputs:
        yield ("inputs",), "with [optimise] inputs are its `fit` and its `report`"
    if file.points and file.optimise.method == "coordinate":
        yield ("optimise", "method"), "along coordinates only [axes] can be gone, not [[points]]"


def check_on(grid: Grid, name: str, read: Any) -> None:
    """Raise SiteError, as `load_grid`, if the settings make no sense of what an input holds."""
    written = list(_points(grid.file))
    wrong = [
        (_place(grid.file, number, key, written[number].get(key)), f"{what} ({name})")
        for number in _telling(grid.points)
        for key, what in grid.kind.misfits(read, grid.points[number])
    ]
    if wrong:
        raise _complaints(grid.path, _with_dots(lines_of(grid.text)), wrong)


def _complaints(path: Path, lines: Mapping[Place, int], wrong: Iterable[Fault]) -> SiteError:
    said = sorted({(line_of(at, lines), dotted(at), what) for at, what in wrong})
    return SiteError("\n".join(complaint(path, *one) for one in said))


def _count(file: GridFile) -> int:
    count = max(1, len(file.points))
    for values in file.axes.values():
        count *= len(values)
    return count


def _points(file: GridFile) -> Iterator[Settings]:
    for listed in file.points or ({},):
        for values in product(*file.axes.values()):
            yield {**file.fixed, **listed, **dict(zip(file.axes, values, strict=True))}


def _wrong_settings(
    file: GridFile, kind: Kind, written: Sequence[Settings], points: Sequence[Settings]
) -> Iterator[Fault]:
    for number in _telling(points):
        for name, what in kind.faults(points[number]):
            yield _place(file, number, name, written[number].get(name)), what
    seen: dict[str, int] = {}
    for number, point in enumerate(written):
        if (same := seen.setdefault(repr(sorted(point.items())), number)) != number:
            place = ("points", number // (len(points) // max(1, len(file.points))))
            yield place, f"the same as point {same + 1}"
    if file.draws > 1 and not any(map(kind.chance, points)):
        yield ("draws",), "with these settings nothing is left to chance: every draw is the same"


def _telling(points: Sequence[Settings]) -> Iterator[int]:
    """Yield the numbers of points that have a value, or a set of names, that none before has."""
    seen: set[object] = set()
    for number, point in enumerate(points):
        told = {(name, repr(value)) for name, value in point.items()} | {frozenset(point)}
        if not told <= seen:
            yield number
            seen |= told


def _place(file: GridFile, number: int, name: str, value: Value | None) -> Place:
    """Return where the setting of that point stands."""
    if name in file.axes:
        values = file.axes[name]
        return ("axes", name, next((n for n, one in enumerate(values) if one is value), 0))
    if name in file.fixed:
        return ("fixed", name)
    if file.points:
        return ("points", number * len(file.points) // max(1, _count(file)), name)
    return ("axes",)


def _with_dots(lines: Mapping[Place, int]) -> dict[Place, int]:
    """Return the lines also of settings in tables by the names that these have: with dots."""
    found = dict(lines)
    for place, line in lines.items():
        before = 2 if place[:1] == ("points",) else 1
        names = [part for part in place[before:] if isinstance(part, str)]
        rest = place[before + len(names) :]
        if len(names) > 1:
            found.setdefault((*place[:before], ".".join(names), *rest), line)
    return found
