"""Slurm's flags of QOS and of priorities, as its commands tell them, and what they mean."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from collectors.slurm.words import units
from predictor.domain import BillingRule, FairshareFormula, QosFlag, SchedulerSettings

_OF_QOS: Mapping[str, QosFlag] = {
    "NoDecay": QosFlag.NO_DECAY,
    "NoReserve": QosFlag.UNRESERVED,
    "OverPartQOS": QosFlag.OVER_PARTITION,
    "PartitionMaxNodes": QosFlag.ABOVE_MAX_NODES,
    "PartitionMinNodes": QosFlag.BELOW_MIN_NODES,
    "PartitionTimeLimit": QosFlag.ABOVE_MAX_TIME,
    "UsageFactorSafe": QosFlag.FACTOR_ASKED,
}
_OF_PRIORITIES: Mapping[str, tuple[str, object]] = {
    "ACCRUE_ALWAYS": ("ages_from_submission", True),
    "INCR_ONLY": ("priorities_only_rise", True),
    "MAX_TRES": ("billing_rule", BillingRule.DEAREST),
    "MAX_TRES_GRES": ("billing_rule", BillingRule.DEAREST_AND_GRES),
    "NO_FAIR_TREE": ("fairshare_formula", FairshareFormula.CLASSIC),
    "DEPTH_OBLIVIOUS": ("fairshare_formula", FairshareFormula.DEPTH_OBLIVIOUS),
    "SMALL_RELATIVE_TO_TIME": ("size_per_minute", True),
}
"""Which setting is what under a flag. Of two flags about one setting the latter here counts."""
_OF_WEIGHTS: Mapping[str, str] = {
    "NO_NORMAL_ASSOC": "raw_association",
    "NO_NORMAL_PART": "raw_partition",
    "NO_NORMAL_QOS": "raw_qos",
    "NO_NORMAL_TRES": "raw_tres",
}
"""What of the weights holds under a flag."""
_ALL_OF_WEIGHTS = "NO_NORMAL_ALL"


def qos_flags(words: str) -> frozenset[QosFlag]:
    """Return what the flags of a QOS mean; those that decide nothing here mean nothing."""
    return frozenset(_OF_QOS[word] for word in units.listed(words) if word in _OF_QOS)


def spoken_qos_flags(flags: Iterable[QosFlag]) -> str:
    """Return the flags in Slurm's words: what `qos_flags` undoes."""
    meant = frozenset(flags)
    return ",".join(word for word, flag in _OF_QOS.items() if flag in meant)


def with_priority_flags(settings: SchedulerSettings, words: str) -> SchedulerSettings:
    """Return the settings as these flags of priorities have them; so far they know of none.

    Flags that decide nothing here change nothing.
    """
    flags = {word.strip().upper() for word in units.listed(words)}
    if _ALL_OF_WEIGHTS in flags:
        flags |= _OF_WEIGHTS.keys()
    raw: dict[str, Any] = {field: True for word, field in _OF_WEIGHTS.items() if word in flags}
    changes: dict[str, Any] = dict(found for word, found in _OF_PRIORITIES.items() if word in flags)
    return replace(settings, weights=replace(settings.weights, **raw), **changes)


def spoken_priority_flags(settings: SchedulerSettings) -> str:
    """Return the flags that settings stand for: what `with_priority_flags` undoes."""
    found = [word for word, (of, as_) in _OF_PRIORITIES.items() if getattr(settings, of) == as_]
    found += [word for word, field in _OF_WEIGHTS.items() if getattr(settings.weights, field)]
    return ",".join(found)
