"""How much a waiting record asks for, and of how many such one may tell a sum."""

from predictor.domain import JobSpec, Partition
from predictor.domain.defaults import planned_s

FEWEST = 5
"""Sums over fewer jobs than these that are not shown would tell of single ones."""


def tasks_of(spec: JobSpec) -> int:
    """Return how many jobs the record stands for."""
    return 1 if spec.array is None else max(1, len(spec.array.tasks))


def node_s(spec: JobSpec, partition: Partition | None) -> int:
    """Return nodes times limit, in seconds, of all the jobs that the record stands for."""
    return tasks_of(spec) * spec.request.nodes * planned_s(spec.request, partition)
