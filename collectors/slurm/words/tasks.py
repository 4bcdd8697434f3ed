"""Numbers of array tasks, as Slurm writes them."""

import re
from collections.abc import Iterable
from itertools import chain, groupby, pairwise

MOST_TASKS = 4_000_000
"""Slurm's own bound on the size of an array."""

_SPAN = re.compile(r"(\d+)(?:-(\d+)(?::(\d+))?)?")


def task_numbers(text: str) -> tuple[int, ...]:
    """Return the task numbers in `1-9:2,12`, ascending.

    A text that Slurm cut short (`1,3,...`) gives those it names. Raises ValueError.
    """
    spans: list[range] = []
    count = 0
    for part in filter(None, text.partition("...")[0].split(",")):
        span = _SPAN.fullmatch(part)
        if span is None:
            raise ValueError(f"not a list of array tasks: {text[:40]!r}")
        first, last, step = span.groups()
        numbers = range(int(first), int(last or first) + 1, int(step or 1))
        count += len(numbers)
        if count > MOST_TASKS:
            raise ValueError(f"more than {MOST_TASKS} array tasks: {text[:40]!r}")
        spans += [numbers] if numbers else []
    tasks = chain.from_iterable(spans)
    if all(one[-1] < other[0] for one, other in pairwise(spans)):
        return tuple(tasks)
    # Most lists ascend; a set of millions would be the largest thing here.
    return tuple(task for task, _ in groupby(sorted(tasks)))


def task_ranges(tasks: Iterable[int]) -> str:
    """Return ascending numbers as `1-3,7`."""
    runs: list[list[int]] = []
    for task in tasks:
        if runs and runs[-1][1] == task - 1:
            runs[-1][1] = task
        else:
            runs.append([task, task])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
