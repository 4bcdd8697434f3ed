"""Array tasks that wait apart from the rest of their array, for they are not like it.

Newer versions of squeue show them in one row with the rest, as if they were like it. Scontrol's
details tell which there are; nothing else of theirs is believed: squeue is asked once more for
them alone.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from collectors.slurm.text.jobtable import Row, rows_of
from collectors.slurm.words.tasks import task_numbers
from predictor.errors import SourceFormatError

MOST = 1000
"""So many are asked for by themselves; of more, the rest stays in the row of its array."""

_APART = re.compile(
    r"^JobId=(\d+) ArrayJobId=\d+ ArrayTaskId=\d+ .* JobState=PENDING ", re.MULTILINE
)
_ARRAY = re.compile(r"(?P<array>\d+)_\[(?P<tasks>[^\]%]*)(?P<most>%\d+)?\]")
_TASK = re.compile(r"(?P<array>\d+)_(?P<task>\d+)")


def unlisted(table: str, details: str) -> tuple[int, ...]:
    """Return the numbers of waiting tasks that the details tell of and the table does not."""
    told = {int(number) for number in _APART.findall(details)}
    if not told:
        return ()
    try:
        listed = {row["JobID"] for row in rows_of(table) if not isinstance(row, str)}
    except SourceFormatError:
        return ()
    return tuple(sorted(number for number in told if str(number) not in listed))[:MOST]


def taken_apart(rows: Iterable[str | Row], apart: Iterable[str | Row]) -> list[str | Row]:
    """Return the rows with those of tasks apart, taken out of the rows of their arrays."""
    alone: dict[str, dict[int, Row]] = {}
    for row in apart:
        match = None if isinstance(row, str) else _TASK.fullmatch(row["JobArrayID"])
        if match and not isinstance(row, str) and row["State"] == "PENDING":
            alone.setdefault(match["array"], {})[int(match["task"])] = row
    found: list[str | Row] = []
    for row in rows:
        match = None if isinstance(row, str) else _ARRAY.fullmatch(row["JobArrayID"])
        tasks = alone.get(match["array"], {}) if match else {}
        found += [row] if isinstance(row, str) or not match else _rest(row, match, tasks)
    return found


def _rest(row: Row, match: re.Match[str], apart: dict[int, Row]) -> list[Row]:
    try:
        shown = task_numbers(match["tasks"]) if apart else ()
    except ValueError:
        return [row]
    together = frozenset(shown)
    out = [task for number, task in apart.items() if number in together]
    if not out:
        return [row]
    rest = [number for number in shown if number not in apart]
    shown_id = f"{match['array']}_[{written(rest)}{match['most'] or ''}]"
    return [*([{**row, "JobArrayID": shown_id}] if rest else []), *out]


def written(tasks: Sequence[int]) -> str:
    """Return task numbers, ascending, as Slurm writes them: `1-9:2`, `3-4,6-9`."""
    steps = {later - earlier for earlier, later in pairwise(tasks)}
    if len(tasks) > 2 and len(steps) == 1 and steps != {1}:
        return f"{tasks[0]}-{tasks[-1]}:{steps.pop()}"
    spans: list[list[int]] = []
    for task in tasks:
        if spans and task == spans[-1][1] + 1:
            spans[-1][1] = task
        else:
            spans.append([task, task])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)
