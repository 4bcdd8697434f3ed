"""How sure figures are, by drawing blocks of time again and again.

Jobs of one hour share one queue and one surprise; so whole blocks are drawn, never jobs. Another
recording's same hour is another block.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from predictor.domain.durations import DAY_S, HOUR_S
from verification.judging.case import Case
from verification.scoring.columns import Columns

ENOUGH_DAYS = 14
"""With fewer days blocks are hours, and intervals indicative only."""
DRAWS = 1000
LEVEL = 0.95

Interval = tuple[float, float]
"""Where a figure lies with LEVEL, were the same machine watched again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """Rows by blocks of time, and the blocks drawn."""

    length_s: int
    of_row: Sequence[int]
    """By row: the number of its block."""
    count: int
    draws: Sequence[Sequence[int]]
    """The numbers of the blocks of each draw, with repeats."""

    @property
    def indicative(self) -> bool:
        """Whether there are too few days to rely on the intervals."""
        return self.length_s < DAY_S

    def interval(
        self, rows: Sequence[int], parts: Sequence[float], wholes: Sequence[float]
    ) -> Interval | None:
        """Return the interval of sum(parts) / sum(wholes), both by the rows given.

        None with fewer than two blocks, or with nothing to divide by. Draws without are left out.
        """
        if self.count < 2 or not rows:
            return None
        part, whole = [0.0] * self.count, [0.0] * self.count
        for row, one, other in zip(rows, parts, wholes, strict=True):
            part[self.of_row[row]] += one
            whole[self.of_row[row]] += other
        drawn = (
            (sum(map(part.__getitem__, draw)), sum(map(whole.__getitem__, draw)))
            for draw in self.draws
        )
        ratios = sorted(above / below for above, below in drawn if below)
        if not ratios:
            return None
        beyond = int(len(ratios) * (1 - LEVEL) / 2)
        return ratios[beyond], ratios[-1 - beyond]


def blocks(columns: Columns, seed: int, draws: int) -> Blocks:
    """Return the blocks of the cases and what is drawn of them. Equal seeds, equal draws.

    Blocks are counted from the first case of their recording: they do not depend on where midnight
    lies.
    """
    if not columns.cases:
        return Blocks(length_s=HOUR_S, of_row=(), count=0, draws=())
    days = _numbers(columns.cases, DAY_S)
    length_s = DAY_S if len(set(days)) >= ENOUGH_DAYS else HOUR_S
    of_row = days if length_s == DAY_S else _numbers(columns.cases, HOUR_S)
    count = len(set(of_row))
    source = Random(seed)  # noqa: S311 - no secret
    return Blocks(
        length_s=length_s,
        of_row=of_row,
        count=count,
        draws=[source.choices(range(count), k=count) for _ in range(draws)],
    )


def _numbers(cases: Sequence[Case], length_s: int) -> list[int]:
    """Return the number of each case's block; blocks without a case have none."""
    first: dict[str, int] = {}
    places = []
    for recording, at in (case.seen for case in cases):
        places.append((recording, (at - first.setdefault(recording, at)) // length_s))
    numbers = {place: number for number, place in enumerate(sorted(set(places)))}
    return [numbers[place] for place in places]
