"""The tables of a grid file, as they stand there."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from predictor.site.table import Table
from predictor.site.values import refuse
from verification.gate import parse_gate
from verification.sweep.kinds import Value

MOST_DRAWS = 10_000
MOST_SEED = 2**63 - 1


def flat(table: object) -> dict[str, object]:
    """Return a table's values by name; those of tables within it are led by the table's name.

    Raises the error of `refuse`.
    """
    if not isinstance(table, Mapping):
        raise refuse("a table", table)
    return dict(_flattened(table, ""))


def _flattened(table: Mapping[str, Any], outer: str) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{outer}{name}.")
        else:
            yield f"{outer}{name}", value


def value(given: object) -> Value:
    """Return a value that a setting may have. Raises the error of `refuse`."""
    if isinstance(given, float) and not isfinite(given):
        raise refuse("a finite number", given)
    if isinstance(given, bool | int | float | str):
        return given
    raise refuse("a text in quotes, a number, true or false", given)


def axis(given: object) -> tuple[Value, ...]:
    """Return the values of an axis, each once. Raises the error of `refuse`."""
    if not isinstance(given, list | tuple):
        raise refuse("a list in [ ]", given)
    if not given:
        raise refuse("at least one value", given)
    values = tuple(map(value, given))
    if len({(type(one), one) for one in values}) < len(values):
        raise refuse("each value once", given)
    return values


def bounds(given: str) -> str:
    """Return what gates are made of, as it is. Raises the error of `refuse`."""
    try:
        parse_gate(given)
    except ValueError:
        raise refuse('bounds such as "most_wait_s=2d,utilisation=70%"', given) from None
    return given


Settings = Annotated[dict[str, Annotated[Value, BeforeValidator(value)]], BeforeValidator(flat)]
Axis = Annotated[tuple[Value, ...], BeforeValidator(axis)]
Axes = Annotated[dict[str, Axis], BeforeValidator(flat)]
Paths = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(strict=False)]


class OptimiseTable(Table):
    """Which settings are best, chosen on some recordings and tried on others."""

    minimise: str
    """A figure of the kind of run."""
    subject_to: Annotated[str, AfterValidator(bounds)] | None = None
    """What must hold besides, as in `verify --fail-over`."""
    method: Literal["halving", "coordinate"] = "halving"
    fit: Annotated[Paths, Field(min_length=1)]
    """Recordings or traces that are chosen on; relative ones from the grid's folder on."""
    report: Annotated[Paths, Field(min_length=1)]
    """Those that what was chosen is tried on. None may be among the others."""


class GridFile(Table):
    """A grid: what is run, on what, and what is varied."""

    kind: str
    inputs: Paths = ()
    draws: Annotated[int, Field(ge=1, le=MOST_DRAWS)] = 1
    """Runs of each point on each input, by the seeds from `seed` on."""
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] = 1
    fixed: Settings = Field(default_factory=dict)
    """Settings of all points."""
    axes: Axes = Field(default_factory=dict)
    """Settings with the values that each is to have, in all combinations."""
    points: Annotated[tuple[Settings, ...], Field(strict=False)] = ()
    """Settings that are listed, in place of combinations or to combine with them."""
    optimise: OptimiseTable | None = None
