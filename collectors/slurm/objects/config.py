"""How the scheduler is set up, out of slurmrestd's `conf` and `scontrol show config --json`."""

from collectors.slurm.objects import spelling
from collectors.slurm.objects.fields import Fields, decoded
from collectors.slurm.text.config import Configuration, configuration_of
from collectors.slurm.words import units
from predictor.domain import Quarantined, SchedulerSettings
from predictor.errors import SourceFormatError

PLACE = "conf"
_IN_SECONDS = frozenset(
    {
        *("CompleteWait", "KillWait", "MessageTimeout", "MinJobAge"),
        *("PreemptExemptTime", "ResumeTimeout", "SuspendTime", "SuspendTimeout"),
    }
)
"""A bare number of these counts seconds; in the text forms it would be minutes."""
_NONE_IF_0 = frozenset({"DefMemPerCPU", "DefMemPerNode"})
_OTHERWISE_SPELT = {"PriorityWeightFairshare": "PriorityWeightFairShare"}


def parse_config(text: str) -> tuple[Configuration, tuple[Quarantined, ...]]:
    """Return the configuration. Raises SourceFormatError if it cannot be read."""
    answer = Fields(decoded(text, PLACE))
    try:
        told, about = answer.part("slurm_conf"), answer.part("slurm_conf_meta")
        keys = {
            key: _word(part, key, value) for part in (told, about) for key, value in part.items()
        }
    except ValueError as error:
        raise SourceFormatError(f"{PLACE}: {error}") from error
    keys |= {ours: keys[theirs] for theirs, ours in _OTHERWISE_SPELT.items() if theirs in keys}
    keys["PriorityFlags"] = _priority_flags(keys.get("PriorityFlags", ""))
    return configuration_of(keys, PLACE), ()


def parse_about(text: str) -> tuple[Configuration, tuple[Quarantined, ...]]:
    """Return the little that any answer of slurmrestd says: the version, since 24.11 the cluster.

    Raises SourceFormatError.
    """
    try:
        meta = Fields(decoded(text, PLACE)).part("meta")
        slurm = meta.part("slurm") if meta.has("slurm") else meta.part("Slurm")
        cluster, version = slurm.text("cluster"), slurm.text("release")
    except ValueError as error:
        raise SourceFormatError(f"{PLACE}: {error}") from error
    return Configuration(cluster=cluster, version=version, settings=SchedulerSettings()), ()


def _word(told: Fields, key: str, value: object) -> str:
    """Return a value as `scontrol show config` has it; empty for one of another shape."""
    if isinstance(value, bool):
        return spelling.yes(value)
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join(word for word in value if isinstance(word, str))
    if isinstance(value, dict) and not value.keys() >= {"set", "infinite", "number"}:
        return ""
    if key in _NONE_IF_0:
        return spelling.memory(told, key)
    word = spelling.number(told, key)
    return f"{word} sec" if key in _IN_SECONDS and word.isdecimal() else word


def _priority_flags(word: str) -> str:
    """Return the flags as `scontrol` has them: it names only what is not the rule."""
    flags = units.listed(word)
    rest = [flag for flag in flags if flag != "FAIR_TREE"]
    return ",".join(rest if "FAIR_TREE" in flags else [*rest, "NO_FAIR_TREE"])
