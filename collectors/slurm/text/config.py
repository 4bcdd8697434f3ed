"""How the scheduler is set up, out of `scontrol show config`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from collectors.slurm.text.passes import OFF, pass_settings
from collectors.slurm.text.preemption import preemption, sent_back_s
from collectors.slurm.words import units
from collectors.slurm.words.flags import with_priority_flags
from collectors.slurm.words.hostlists import expanded
from collectors.slurm.words.versions import (
    SHARING_HIDDEN,
    SINGLE_NODES_FIRST,
    TREE_COUNTS_CPUS,
    TREE_COUNTS_DOWN,
    WEAKEST_SINGLY,
    admits_below,
    release,
)
from predictor.domain import (
    CpuGranularity,
    License,
    PriorityWeights,
    Quarantined,
    SchedulerSettings,
    Tres,
)
from predictor.domain.durations import WEEK_S
from predictor.errors import SourceFormatError

ONE_BY_ONE: Mapping[str, bool] = dict.fromkeys(
    ("weighs_anew", "seeks_anew", "own_ends", "licenses_seen"), False
)
"""What only select/cons_tres does, of what newer versions do where running jobs have to end."""
FIRST_WITH_TOPOLOGY_FILE = (25, 5, 0)
FIRST_WITH_GROUPED_NODES = 23
"""Slurm's major version; from it on nodes are read as text."""

_LINE = re.compile(r"^(\w+(?:\[\d+\])?)\s+= ?(.*)$", re.MULTILINE)
_SO_MANY = re.compile(r"((?:[^,:\[\]]|\[[^\[\]]*\])+)(?::(\d{1,9}))?")
_GRANULARITY = {
    "CR_CPU": CpuGranularity.CPU,
    "CR_CORE": CpuGranularity.CORE,
    "CR_SOCKET": CpuGranularity.SOCKET,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What `scontrol show config` tells."""

    cluster: str
    version: str
    settings: SchedulerSettings
    booted_at: int | None = None
    """When the controller started, by its own clock and time zone, as if that were UTC."""
    private: tuple[str, ...] = ()
    """`PrivateData`, sorted."""
    private_told: bool = False
    """Whether that is told at all."""
    slurm_user: str = ""
    has_licenses: bool = True
    pools: tuple[License, ...] = ()
    """The controller's own pools of licenses, without who uses them."""
    has_tree: bool = False
    """Whether jobs are placed by a tree of switches."""
    may_have_tree: bool = False
    """The same, and also if only the topology itself can tell."""
    takes_emptiest: bool = False
    """Whether all partitions take the least loaded nodes first."""
    reboots_s: int = 60
    """So long a node that is rebooted has until it is taken to be down."""

    @property
    def groups_nodes(self) -> bool:
        """Whether `sinfo --json` puts nodes that are alike into one record."""
        major = self.version.partition(".")[0]
        return major.isdecimal() and len(major) < 10 and int(major) >= FIRST_WITH_GROUPED_NODES

    @property
    def hides_sharing(self) -> bool:
        """Whether JSON, unless an older version of it is asked for, leaves out who shares nodes."""
        first, end = SHARING_HIDDEN
        return first <= release(self.version) < end


@lru_cache(maxsize=4)
def parse_config(text: str) -> tuple[Configuration, tuple[Quarantined, ...]]:
    """Return the configuration. Raises SourceFormatError if it cannot be read.

    It is read whole or not at all: nothing of it is ever set aside.
    """
    return configuration_of(config_keys(text), "scontrol show config"), ()


def configuration_of(keys: Mapping[str, str], place: str) -> Configuration:
    """Return what these settings say, told at `place`. Raises SourceFormatError."""
    if "ClusterName" not in keys:
        raise SourceFormatError(f"{place}: no ClusterName among {sorted(keys)[:10]}")
    try:
        settings = with_priority_flags(_settings(keys), keys.get("PriorityFlags", ""))
        return _configuration(keys, settings)
    except ValueError as error:
        raise SourceFormatError(f"{place}: {error}") from error


def config_keys(text: str) -> dict[str, str]:
    """Return the values by key, as `scontrol show config` spells both."""
    return {match[1]: match[2].strip() for match in _LINE.finditer(text)}


def _configuration(keys: Mapping[str, str], settings: SchedulerSettings) -> Configuration:
    return Configuration(
        cluster=keys["ClusterName"],
        version=keys.get("SLURM_VERSION", ""),
        settings=settings,
        booted_at=units.instant(keys.get("BOOT_TIME", "")),
        private=tuple(sorted(units.listed(keys.get("PrivateData", "")))),
        private_told="PrivateData" in keys,
        slurm_user=keys.get("SlurmUser", "").partition("(")[0],
        has_licenses=bool(units.said(keys.get("Licenses", ""))),
        pools=_pools(keys.get("Licenses", "")),
        has_tree=_plugin(keys, "TopologyPlugin") == "tree",
        may_have_tree=_may_have_tree(keys),
        takes_emptiest="CR_LLN" in keys.get("SelectTypeParameters", "").upper().split(","),
        reboots_s=_seconds(keys, "ResumeTimeout", 60),
    )


def _pools(word: str) -> tuple[License, ...]:
    """Return the pools; none where the word cannot be read, as little depends on it."""
    try:
        told = units.licenses(word)
    except ValueError:
        return ()
    return tuple(License(name=name, total=total) for name, total in told)


def _may_have_tree(keys: Mapping[str, str]) -> bool:
    """Return whether there is a tree, or topology.yaml may say so behind the plugin's back."""
    new = release(keys.get("SLURM_VERSION", "")) >= FIRST_WITH_TOPOLOGY_FILE
    return _plugin(keys, "TopologyPlugin") in ({"tree", "flat", "default"} if new else {"tree"})


def _settings(keys: Mapping[str, str]) -> SchedulerSettings:
    select = keys.get("SelectTypeParameters", "").upper()
    enforced = set(units.listed(keys.get("AccountingStorageEnforce", "").lower()))
    parameters = _parameters(keys.get("SchedulerParameters", ""))
    looks_ahead = dict(parameters).get("bf_interval") != OFF
    granularity = _granularity(_plugin(keys, "SelectType"), select)
    passes = pass_settings(dict(parameters), keys.get("SLURM_VERSION", ""))
    if granularity is CpuGranularity.NODE:
        # select/linear lets running jobs end one by one and looks at no busy nodes first,
        # whatever bf_window_linear and bf_busy_nodes say.
        passes = replace(passes, group_s=0, busy_first=False, **ONE_BY_ONE)
    passes = replace(passes, ends_wait="defer" in dict(parameters) or not _clears_up(keys))
    backfill = _plugin(keys, "SchedulerType") == "backfill" and looks_ahead
    return SchedulerSettings(
        multifactor=_plugin(keys, "PriorityType") == "multifactor",
        weights=_weights(keys),
        priority_max_age_s=_seconds(keys, "PriorityMaxAge", WEEK_S),
        priority_half_life_s=_seconds(keys, "PriorityDecayHalfLife", WEEK_S),
        priority_period_s=_seconds(keys, "PriorityCalcPeriod", 300),
        priority_usage_reset=units.said(keys.get("PriorityUsageResetPeriod", "")),
        priority_favor_small=units.yes(keys.get("PriorityFavorSmall", "")),
        fairshare_dampening=units.count(keys.get("FairShareDampeningFactor", "")) or 1,
        backfill=backfill,
        granularity=granularity,
        memory_is_consumable="MEMORY" in select,
        single_cpus_last="pack_serial_at_end" in dict(parameters),
        single_nodes_first=_chooses_since(SINGLE_NODES_FIRST, keys),
        weakest_singly=_chooses_since(WEAKEST_SINGLY, keys),
        plans_by_weight=granularity is not CpuGranularity.NODE,
        packs_tasks="CR_PACK_NODES" in select.split(","),
        drawn_by="gpu" if _plugin(keys, "SelectType") == "cons_tres" else "",
        tree_on_demand="topooptional" in keys.get("TopologyParam", "").lower(),
        tree_counts_cpus=_chooses_since(TREE_COUNTS_CPUS, keys),
        tree_counts_down=_chooses_since(TREE_COUNTS_DOWN, keys),
        limits_enforced=bool(enforced & {"limits", "safe", "all"}),
        limits_safe=bool(enforced & {"safe", "all"}),
        admits_below=admits_below(keys.get("SLURM_VERSION", "")),
        kill_wait_s=_seconds(keys, "KillWait", 30),
        boot_s=_boot_s(keys),
        sleeps_after_s=_sleeps_after_s(keys),
        dozes_s=_seconds(keys, "SuspendTimeout", 30) if _boot_s(keys) else 0,
        wakes_per_minute=_first_number(keys.get("ResumeRate", "300")) if _boot_s(keys) else 0,
        sleepless_nodes=_sleepless(keys),
        sleepless_some=_sleepless_some(keys),
        sleepless_partitions=units.listed(keys.get("SuspendExcParts", "")),
        over_time_s=units.seconds(keys.get("OverTimeLimit", "")),
        complete_wait_s=_complete_wait_s(keys, dict(parameters)),
        message_timeout_s=_seconds(keys, "MessageTimeout", 10),
        min_job_age_s=_seconds(keys, "MinJobAge", 300),
        default_memory_per_cpu_mb=units.megabytes(keys.get("DefMemPerCPU", "")),
        default_memory_per_node_mb=units.megabytes(keys.get("DefMemPerNode", "")),
        preemption=preemption(keys, dict(parameters)),
        sent_back_s=sent_back_s(keys, dict(parameters)),
        passes=passes,
        parameters=parameters,
    )


def _clears_up(keys: Mapping[str, str]) -> bool:
    """Return whether nodes have something to do after each job, be it that nothing is left of it.

    Source: Slurm 22.05, slurmd's _rpc_terminate_job; `Contain` has a step outlive all others.
    """
    flags = {flag.lower() for flag in units.listed(keys.get("PrologFlags", ""))}
    return bool(units.said(keys.get("Epilog", ""))) or bool(flags & {"contain", "x11"})


def _plugin(keys: Mapping[str, str], key: str) -> str:
    """Return `multifactor` for `priority/multifactor`."""
    return keys.get(key, "").rpartition("/")[2]


def _chooses_since(first: tuple[int, int, int], keys: Mapping[str, str]) -> bool:
    """Return whether select/cons_tres chooses nodes as it does since that release."""
    new = release(keys.get("SLURM_VERSION", "")) >= first
    return new and _plugin(keys, "SelectType") == "cons_tres"


def _seconds(keys: Mapping[str, str], key: str, default: int) -> int:
    return units.whole_seconds(keys.get(key, ""), default)


def _complete_wait_s(keys: Mapping[str, str], parameters: Mapping[str, str]) -> int:
    # With that option only partitions wait whose nodes are concerned, as they do in any case.
    spares = "reduce_completing_frag" in parameters
    return 0 if spares else _seconds(keys, "CompleteWait", 0)


def _boot_s(keys: Mapping[str, str]) -> int:
    """Return how long nodes have to boot; 0 if they are never powered down."""
    return _seconds(keys, "ResumeTimeout", 60) if units.said(keys.get("ResumeProgram", "")) else 0


def _sleeps_after_s(keys: Mapping[str, str]) -> int:
    """Return how long an idle node stays awake; 0: for ever."""
    return _seconds(keys, "SuspendTime", 0) if _boot_s(keys) else 0


def _sleepless(keys: Mapping[str, str]) -> tuple[str, ...]:
    """Return the nodes that stay awake, without those of groups of which only so many do."""
    return expanded(",".join(nodes for nodes, most in _excepted(keys) if not most))


def _sleepless_some(keys: Mapping[str, str]) -> Tres:
    """Return of which nodes so many stay awake."""
    return tuple((nodes, units.count(most)) for nodes, most in _excepted(keys) if most)


def _excepted(keys: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return lists of nodes, each with how many of them stay awake; empty: all."""
    return _SO_MANY.findall(units.said(keys.get("SuspendExcNodes", "")))


def _first_number(words: str) -> int:
    """Return the number in `300 nodes/min`; 0 if there is none."""
    return units.count(next(iter(words.split()), ""))


def _weights(keys: Mapping[str, str]) -> PriorityWeights:
    return PriorityWeights(
        age=units.count(keys.get("PriorityWeightAge", "")),
        association=units.count(keys.get("PriorityWeightAssoc", "")),
        fairshare=units.count(keys.get("PriorityWeightFairShare", "")),
        job_size=units.count(keys.get("PriorityWeightJobSize", "")),
        partition=units.count(keys.get("PriorityWeightPartition", "")),
        qos=units.count(keys.get("PriorityWeightQOS", "")),
        tres=units.weights(keys.get("PriorityWeightTRES", "")),
    )


def _granularity(select: str, parameters: str) -> CpuGranularity:
    if select == "linear":
        return CpuGranularity.NODE
    found = (kind for word, kind in _GRANULARITY.items() if word in parameters)
    return next(found, CpuGranularity.CORE)


def _parameters(word: str) -> tuple[tuple[str, str], ...]:
    parts = (part.partition("=") for part in units.listed(word))
    return tuple((name.strip(), value.strip()) for name, _, value in parts)
