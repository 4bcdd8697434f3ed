"""What became of a run, and the line that is kept of it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from verification.sweep.kinds import Figures
from verification.sweep.runs import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a run: figures, or a cause why there are none."""

    run: int
    point: int
    input: str
    seed: int
    figures: Figures
    """Empty if it failed."""
    sha256: str
    """Over all that was decided; empty if it failed."""
    failed: str = ""
    """Why there are no figures."""
    took_s: float
    """On the clock."""
    ended_at: int
    """UTC epoch seconds."""
    attempt: int = 1

    @property
    def fine(self) -> bool:
        """Whether there are figures."""
        return not self.failed


def result_of(run: Run, **known: Any) -> Result:
    """Return the result of that run, of which the rest is known."""
    return Result(run=run.number, point=run.point, input=run.input.name, seed=run.seed, **known)


def as_row(result: Result) -> dict[str, Any]:
    """Return the result as JSON knows it."""
    return asdict(result)


def newest(rows: Iterable[Mapping[str, Any]]) -> dict[int, Result]:
    """Return the last result of each run that rows tell of, by its number.

    Rows of another form are left out. A run that once came out fine stays fine.
    """
    found: dict[int, Result] = {}
    for row in rows:
        try:
            result = Result(**row)
        except TypeError:
            continue
        known = found.get(result.run)
        if result.fine or known is None or not known.fine:
            found[result.run] = result
    return found
