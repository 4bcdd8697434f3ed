"""What Slurm says of preemption."""

import re
from collections.abc import Mapping

from collectors.slurm.words import units
from predictor.domain import Eviction, Preemption

CREDENTIAL_S = 120
"""How long Slurm's credentials hold unless it says otherwise."""

_EVICTIONS = {
    "OFF": Eviction.SPARED,
    "CANCEL": Eviction.ENDED,
    "REQUEUE": Eviction.SENT_BACK,
    "SUSPEND": Eviction.SUSPENDED,
}
_CRED_EXPIRE = re.compile(r"\bcred_expire=(\d+)")


def eviction(word: str) -> Eviction | None:
    """Return what a `PreemptMode` does; None where it says nothing, or only `GANG`."""
    words = word.upper().split(",")
    return next((does for name, does in _EVICTIONS.items() if name in words), None)


def within(word: str) -> bool:
    """Return whether by a `PreemptMode` jobs of a QOS make others of it leave."""
    return "WITHIN" in word.upper().split(",")


def by_priority(word: str) -> bool:
    """Return whether by a `PreemptMode` only a higher priority makes others leave."""
    return "PRIORITY" in word.upper().split(",")


def preemption(keys: Mapping[str, str], parameters: Mapping[str, str]) -> Preemption | None:
    """Return how jobs preempt others; None if none does.

    `keys` are those of `scontrol show config`. Up to 22.05 `parameters`, those of the scheduler,
    also have what `PreemptParameters` has from 23.02 on.
    Source: slurm.conf(5).
    """
    plugin = units.said(keys.get("PreemptType", "")).rpartition("/")[2]
    if plugin not in {"partition_prio", "qos"}:
        return None
    own = (part.partition("=") for part in units.listed(keys.get("PreemptParameters", "")))
    told = {**parameters, **{f"preempt_{name}": value for name, _, value in own}}
    return Preemption(
        by_qos=plugin == "qos",
        eviction=eviction(keys.get("PreemptMode", "")) or Eviction.SPARED,
        within=within(keys.get("PreemptMode", "")),
        by_priority=by_priority(keys.get("PreemptMode", "")),
        exempt_s=units.whole_seconds(keys.get("PreemptExemptTime", "")),
        spared_from=_count(told.get("preempt_min_exempt_priority", ""), 0, digits=10),
        youngest_first="preempt_youngest_first" in told,
        keeps_order="preempt_strict_order" in told,
        reorders=_count(told.get("preempt_reorder_count", ""), 1),
    )


def sent_back_s(keys: Mapping[str, str], parameters: Mapping[str, str]) -> int:
    """Return how long a job may not start after it was sent back.

    Until its old credential is out of date; from 25.05 on that may be said otherwise.
    """
    said = _CRED_EXPIRE.search(keys.get("AuthInfo", ""))
    return _count(parameters.get("requeue_delay", ""), int(said[1]) if said else CREDENTIAL_S) + 1


def _count(word: str, default: int, *, digits: int = 9) -> int:
    return int(word) if word.isdecimal() and len(word) <= digits else default
