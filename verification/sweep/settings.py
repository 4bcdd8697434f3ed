"""Kinds of run whose settings a table describes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from predictor.site.complaints import cause
from predictor.site.table import Table
from verification.sweep.kinds import Settings


class PlainKind:
    """What kinds of run have in common whose settings stand for themselves."""

    def settled(self, points: Sequence[Settings], folder: Path) -> Sequence[Settings]:
        """Return the points as they are."""
        return points

    def files(self, settings: Settings) -> Sequence[Path]:
        """Return none."""
        return ()

    def misfits(self, read: Any, settings: Settings) -> Iterable[tuple[str, str]]:
        """Return none: they fit everything."""
        return ()


def faults_by(table: type[Table], settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield each setting that the table does not take, and what would have been right."""
    try:
        table.model_validate(settings)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield ".".join(map(str, detail["loc"])), cause(detail, table)
