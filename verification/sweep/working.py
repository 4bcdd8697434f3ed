"""Make one run, in whatever process: errors become results."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from predictor.errors import QueuecastError
from verification.sweep.grid import Grid, check_on
from verification.sweep.known import KINDS
from verification.sweep.results import Result, result_of
from verification.sweep.runs import Input, Run

MOST_READ = 2
"""So many inputs are kept in memory: runs go from one to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """Makes runs of a kind; picklable."""

    kind: str

    def __call__(self, run: Run) -> Result:
        """Make a run and return its result. Whatever goes wrong in it is told by the result."""
        began = time.monotonic()
        try:
            kind = KINDS[self.kind]
            made = kind.run(_read(self.kind, run.input.path), run.settings, run.seed)
        except Exception as error:
            return _result(run, began, figures={}, sha256="", failed=_cause(error))
        return _result(run, began, figures=dict(made.figures), sha256=made.sha256)

    def ahead(self, run: Run) -> None:
        """Read what a run needs, for processes that are copies of this one."""
        with suppress(Exception):  # whoever makes the run meets it again, and tells
            _read(self.kind, run.input.path)


def check_all(grid: Grid, inputs: Sequence[Input]) -> None:
    """Raise SiteError if the settings of a grid make no sense of what an input holds.

    An input that cannot be read is passed over: its runs will tell.
    """
    for one in inputs:
        read = None
        with suppress(Exception):
            read = _read(grid.kind.name, one.path)
        if read is not None:
            check_on(grid, one.name, read)


@lru_cache(maxsize=MOST_READ)
def _read(kind: str, path: Path) -> Any:
    return KINDS[kind].read(path)


def _result(run: Run, began: float, **known: Any) -> Result:
    took_s = round(time.monotonic() - began, 3)
    return result_of(run, took_s=took_s, ended_at=int(time.time()), **known)


def _cause(error: Exception) -> str:
    """Return the error on one line, as a person is told."""
    text = " ".join(str(error).split())
    if isinstance(error, QueuecastError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
