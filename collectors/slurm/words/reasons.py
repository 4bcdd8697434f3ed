"""Slurm's reasons for waiting: which of them neither time nor free nodes will mend."""

import re

from predictor.domain import Obstacle

# The first pattern found decides. Source: squeue(1), JOB REASON CODES.
_PATTERNS = (
    (r"PerJob|PerNode|^QOSMin", Obstacle.NEVER),
    (r"RunMin", Obstacle.LIMIT),
    (r"Minutes|GrpWall|UsageThreshold", Obstacle.USAGE),
    (r"^(Assoc|QOS)(Grp|Max)|Per(User|Account)", Obstacle.LIMIT),
)
_NEVER = frozenset(
    {
        "AccountNotAllowed",
        "BadConstraints",
        "DeadLine",
        "DependencyNeverSatisfied",
        "MaxMemPerLimit",
        "QOSNotAllowed",
    }
)
_ONE_PARTITION_ONLY = frozenset({"PartitionConfig", "PartitionNodeLimit", "PartitionTimeLimit"})
"""Said of the partition tried last; a job in several may still start in another."""
_SOMEONE_MUST_ACT = frozenset(
    {
        "AccountingPolicy",
        "BurstBufferOperation",
        "InvalidAccount",
        "InvalidQOS",
        "JobHoldMaxRequeue",
        "ReservationDeleted",
        "ReservationInvalid",
    }
)


def obstacle(reason: str, partitions: int) -> Obstacle:
    """Return what a job with this reason is up against; NONE for reasons a plan deals with.

    `partitions` is to how many the job is submitted.
    """
    if reason in _NEVER or (partitions == 1 and reason in _ONE_PARTITION_ONLY):
        return Obstacle.NEVER
    if reason in _SOMEONE_MUST_ACT:
        return Obstacle.ADMIN
    found = (kind for pattern, kind in _PATTERNS if re.search(pattern, reason))
    return next(found, Obstacle.NONE)
