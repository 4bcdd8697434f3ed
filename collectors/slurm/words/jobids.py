"""A job's number in an array or a heterogeneous job, as Slurm's commands write it."""

import re

_JOB = re.compile(r"(\d+)(?:_\[(?P<waiting>[^\]]*)\]|_(?P<task>\d+)|\+(?P<offset>\d+))?")


def numbers(shown: str, array_id: str) -> dict[str, object]:
    """Return the parts of `12`, `12_3`, `12_[4-9%2]` or `12+1` by Slurm's names for them.

    `array_id` is the job's number where it is in no array. Raises ValueError.
    """
    match = _JOB.fullmatch(shown)
    if match is None:
        raise ValueError(f"not a job's id: {shown[:40]!r}")
    if match["offset"] is not None:
        return {"het_job_id": int(match[1]), "het_job_offset": int(match["offset"])}
    if match["waiting"] is not None:
        return {"array_job_id": int(match[1]), "array_task_string": match["waiting"]}
    if match["task"] is not None:
        return {"array_job_id": int(array_id), "array_task_id": int(match["task"])}
    return {}
