"""A job's id as Slurm's commands write it, and its place in an array or heterogeneous job."""

from collections.abc import Iterable, Mapping

from collectors.slurm.objects.fields import Fields
from collectors.slurm.words.tasks import task_numbers
from predictor.domain import ArrayTasks, HetComponent

LONGEST_LIST = 1000
DIGITS = 20


def array_of(job: Fields) -> ArrayTasks | None:
    """Return which array tasks a job record stands for; None if it is no array."""
    array_id = job.count("array_job_id")
    if not array_id:
        return None
    waiting, _, most = job.text("array_task_string").partition("%")
    task = job.number("array_task_id")
    if not waiting and not isinstance(task, int):
        return None
    return ArrayTasks(
        job_id=str(array_id),
        tasks=task_numbers(waiting) if waiting else (int(str(task)),),
        max_running=job.count("array_max_tasks")
        or (int(most) if most.isdecimal() and len(most) < 10 else None),
    )


def het_of(job: Fields) -> HetComponent | None:
    """Return a job record's place in a heterogeneous job; None if it is in none."""
    leader = job.count("het_job_id")
    return HetComponent(job_id=str(leader), offset=job.count("het_job_offset")) if leader else None


def job_id(job: Fields, array: ArrayTasks | None, het: HetComponent | None) -> str:
    """Return `12`, `12_3`, `12_[4-9%2]` or `12+1`."""
    number = job.count("job_id")
    if not number:
        raise ValueError("a job without job_id")
    if array is not None:
        waiting = _shortened(job.text("array_task_string"))
        return f"{array.job_id}_[{waiting}]" if waiting else f"{array.job_id}_{array.tasks[0]}"
    return f"{het.job_id}+{het.offset}" if het is not None else str(number)


def _shortened(tasks: str) -> str:
    """Return the list of tasks, cut as Slurm itself cuts one for people: `1,3,...%5`.

    Whoever submits an array decides how long it is, and an id is a key everywhere.
    """
    if len(tasks) <= LONGEST_LIST:
        return tasks
    listed, mark, most = tasks.partition("%")
    return f"{listed[:LONGEST_LIST].rpartition(',')[0]},...{mark}{most[:DIGITS]}"


def split_off_ids(records: Iterable[object]) -> Mapping[int, str]:
    """Return the ids of array tasks that have an internal number of their own, by that number."""
    found = {}
    for record in records:
        try:
            job = Fields(record)
            number, array = job.count("job_id"), job.count("array_job_id")
            task = job.number("array_task_id")
        except ValueError:
            continue  # it is counted as bad where it is parsed
        if array and array != number and isinstance(task, int):
            found[number] = f"{array}_{task}"
    return found
