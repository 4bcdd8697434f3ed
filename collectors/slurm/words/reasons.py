"""Slurm's reasons for waiting: their words, and which neither time nor free nodes will mend."""

import re

from predictor.domain import Obstacle

# The first pattern found decides. Source: squeue(1), JOB REASON CODES.
_PATTERNS = (
    (r"PerJob|PerNode|^QOSMin", Obstacle.OWN_LIMIT),
    (r"RunMin", Obstacle.LIMIT),
    (r"Minutes|GrpWall", Obstacle.USAGE),
    (r"UsageThreshold", Obstacle.SHARE),
    (r"^(Assoc|QOS)(Grp|Max)|Per(User|Account)", Obstacle.LIMIT),
)
_NEVER = frozenset(
    {
        "DeadLine",
        "MaxMemPerLimit",
    }
)
_UNMET = "DependencyNeverSatisfied"
_BAD = "BadConstraints"
_TOO_LONG = "PartitionTimeLimit"
_ONE_PARTITION_ONLY = frozenset(
    {
        "AccountNotAllowed",
        _BAD,
        "PartitionConfig",
        "PartitionNodeLimit",
        _TOO_LONG,
        "QOSNotAllowed",
    }
)
"""Said of the partition and the QOS tried last; a job with several may still start by others."""
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

_SENTENCES = (
    # Slurm's own words for them, by its JSON.
    ("Nodes required for job are DOWN, DRAINED", "Resources"),
    ("No suitable topology unit found", "Resources"),
    ("job requeued in held state", "JobHeldUser"),
    ("Job's QOS not permitted to use this partition", "QOSNotAllowed"),
    ("Job's account not permitted to use this partition", "AccountNotAllowed"),
)


def word_of(shown: str) -> str:
    """Return Slurm's word for a reason that may be shown as a sentence, e.g. with node names.

    A sentence we have no word for is returned as it stands.
    """
    word, comma, _ = shown.partition(",")
    if comma and word.isalnum():
        return word
    return next((word for begin, word in _SENTENCES if shown.startswith(begin)), shown)


def obstacle(
    reason: str, chances: int, priority: int | None = None, *, may_shrink: bool = False
) -> Obstacle:
    """Return what a job with this reason is up against; NONE for reasons a plan deals with.

    `chances` are the pairs of a partition and a QOS by which the job may start. While it has a
    priority, it is only one of them whose constraints were bad, as of a reservation that drew it
    in: else Slurm holds it.
    Whose limit `may_shrink` is planned for the least of it, whatever is said of the whole.
    Source: Slurm 22.05, job_scheduler.c; backfill.c, job_limits_check.
    """
    if (reason == _BAD and priority) or (reason == _TOO_LONG and may_shrink):
        return Obstacle.NONE
    if reason in _NEVER or (chances == 1 and reason in _ONE_PARTITION_ONLY):
        return Obstacle.NEVER
    if reason == _UNMET:
        return Obstacle.UNMET
    if reason in _SOMEONE_MUST_ACT:
        return Obstacle.ADMIN
    found = (kind for pattern, kind in _PATTERNS if re.search(pattern, reason))
    return next(found, Obstacle.NONE)
