"""Amounts that come and go, as steps along the time axis."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

Change = tuple[int, int]
"""An instant, and by how much an amount grows then."""
Step = tuple[int, int, int]
"""From when until when an amount is how large."""


def held(spans: Iterable[tuple[int, int | None, int]], since: int, until: int) -> Iterator[Step]:
    """Yield the steps, from `since` to `until` without a gap, of amounts held from one to another.

    None: held on.
    """
    changes: dict[int, int] = defaultdict(int)
    for begin, end, amount in spans:
        first, last = max(begin, since), until if end is None else min(end, until)
        if first < last:
            changes[first] += amount
            changes[last] -= amount
    at, height = since, 0
    for instant in sorted({*changes, until}):
        if at < instant <= until:
            yield at, instant, height
            at = instant
        height += changes.get(instant, 0)


def mean(steps: Iterable[Step]) -> float:
    """Return the mean over time. Raises ZeroDivisionError without any."""
    area = length = 0
    for begin, end, height in steps:
        area += height * (end - begin)
        length += end - begin
    return area / length


def together(one: Iterable[Step], other: Iterable[Step]) -> Iterator[tuple[int, int, int]]:
    """Yield for how long two amounts are how large; both cover the same time."""
    ones, others = list(one), list(other)
    first = second = 0
    while first < len(ones) and second < len(others):
        begin = max(ones[first][0], others[second][0])
        end = min(ones[first][1], others[second][1])
        yield end - begin, ones[first][2], others[second][2]
        first += ones[first][1] == end
        second += others[second][1] == end
