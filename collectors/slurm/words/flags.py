"""Slurm's flags of QOS, as they are told by `sacctmgr`, and what they mean."""

from collections.abc import Iterable, Mapping

from collectors.slurm.words import units
from predictor.domain import QosFlag

_OF_QOS: Mapping[str, QosFlag] = {
    "NoDecay": QosFlag.NO_DECAY,
    "NoReserve": QosFlag.UNRESERVED,
    "OverPartQOS": QosFlag.OVER_PARTITION,
    "PartitionMaxNodes": QosFlag.ABOVE_MAX_NODES,
    "PartitionMinNodes": QosFlag.BELOW_MIN_NODES,
    "PartitionTimeLimit": QosFlag.ABOVE_MAX_TIME,
    "UsageFactorSafe": QosFlag.FACTOR_ASKED,
}


def qos_flags(words: str) -> frozenset[QosFlag]:
    """Return what the flags of a QOS mean; those that decide nothing here mean nothing."""
    return frozenset(_OF_QOS[word] for word in units.listed(words) if word in _OF_QOS)


def spoken_qos_flags(flags: Iterable[QosFlag]) -> str:
    """Return the flags in Slurm's words: what `qos_flags` undoes."""
    meant = frozenset(flags)
    return ",".join(word for word, flag in _OF_QOS.items() if flag in meant)
