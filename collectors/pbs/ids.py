"""Ids of jobs, arrays and their tasks."""

import re

from collectors.pbs.answers import Attributes
from collectors.pbs.words import short, truth
from collectors.slurm.words.tasks import task_numbers, task_ranges
from predictor.domain import ArrayTasks

_FORM = re.compile(r"([A-Za-z]?\d+)(?:\[(\d*)\])?")


def parsed(id_: str) -> tuple[str, int | None]:
    """Return an id without server: the job's or array's own, and the task's number.

    None: it is no task. Raises ValueError.
    """
    found = _FORM.fullmatch(short(id_))
    if found is None or len(found[2] or "") > 9:
        raise ValueError("not a job id")
    return found[1], int(found[2]) if found[2] else None


def array_of(id_: str, told: Attributes) -> ArrayTasks | None:
    """Return which tasks a record stands for: one, or those of an array that wait.

    None: it is no array, or none of its tasks waits. Raises ValueError.
    """
    base, task = parsed(id_)
    if task is not None:
        return ArrayTasks(job_id=base, tasks=(task,))
    if not truth(told.text("array")):
        return None
    remaining = told.long_text("array_indices_remaining").replace(" ", "").strip("-")
    if not remaining:
        return None
    most = told.text("max_run_subjobs")
    return ArrayTasks(
        job_id=base,
        tasks=task_numbers(remaining),
        max_running=int(most) if most.isdecimal() and int(most) else None,
    )


def job_id(id_: str, array: ArrayTasks | None) -> str:
    """Return `12`, `12_3` for a task, `12_[4-9%2]` for an array."""
    base, task = parsed(id_)
    if array is None:
        return base
    if task is not None:
        return f"{base}_{task}"
    most = f"%{array.max_running}" if array.max_running else ""
    return f"{base}_[{task_ranges(array.tasks)}{most}]"


def stem(id_: str, array: ArrayTasks | None) -> str:
    """Return the id that a job's components share."""
    base, task = parsed(id_)
    return base if array is None or task is None else f"{base}_{task}"
