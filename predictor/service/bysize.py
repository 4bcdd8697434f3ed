"""What a job is called by its size: few names, so that waits can be told apart by them."""

from predictor.domain import JobSpec, Partition
from predictor.domain.defaults import longest_s

SHAPES = ("small", "medium", "large", "long")
LONG_S = 43_200
MEDIUM_SHARE = 0.1


def shape_of(spec: JobSpec, partition: Partition | None) -> str:
    """Return which of SHAPES a job has.

    It is long if it may run for more than LONG_S, else small on one node, medium on up to
    MEDIUM_SHARE of the partition's nodes, and large on more.
    """
    if longest_s(spec.request, partition) > LONG_S:
        return "long"
    if spec.request.nodes == 1:
        return "small"
    there = 0 if partition is None else len(partition.node_names)
    return "medium" if spec.request.nodes <= MEDIUM_SHARE * there else "large"
