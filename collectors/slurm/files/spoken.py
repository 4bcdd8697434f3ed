"""A snapshot's settings and partitions in the words of `scontrol show`: what its readers undo.

So a file that names some keys can be laid over what was told of all of them.
"""

from collections.abc import Iterable, Mapping

from collectors.slurm.text.passes import OFF
from collectors.slurm.words.flags import spoken_priority_flags
from predictor.domain import (
    UNLIMITED,
    CpuGranularity,
    Eviction,
    Limit,
    NodeSharing,
    Partition,
    Preemption,
    SchedulerSettings,
)

_MODES: Mapping[Eviction, str] = {
    Eviction.SPARED: "OFF",
    Eviction.ENDED: "CANCEL",
    Eviction.SENT_BACK: "REQUEUE",
    Eviction.SUSPENDED: "SUSPEND",
}


def spoken_settings(settings: SchedulerSettings, version: str) -> dict[str, str]:
    """Return the settings in the keys of `scontrol show config`. `version` is Slurm's."""
    # Which may look ahead but is told not to.
    idle = dict(settings.parameters).get("bf_interval") == OFF
    return {
        "ClusterName": "",
        "SLURM_VERSION": version,
        "SchedulerType": "sched/backfill" if settings.backfill or idle else "sched/builtin",
        "SchedulerParameters": ",".join(
            f"{name}={value}" if value else name for name, value in settings.parameters
        ),
        "AccountingStorageEnforce": _enforced(settings),
        "AuthInfo": f"cred_expire={settings.sent_back_s - 1}",
        "CompleteWait": _clock(settings.complete_wait_s),
        "DefMemPerCPU": _memory(settings.default_memory_per_cpu_mb),
        "DefMemPerNode": _memory(settings.default_memory_per_node_mb),
        "KillWait": _clock(settings.kill_wait_s),
        "MessageTimeout": _clock(settings.message_timeout_s),
        "MinJobAge": _clock(settings.min_job_age_s),
        "OverTimeLimit": _limit(settings.over_time_s),
        "ResumeProgram": "/" if settings.boot_s else "",
        "ResumeTimeout": _clock(settings.boot_s),
        "ResumeRate": f"{settings.wakes_per_minute} nodes/min",
        "SuspendExcNodes": ",".join((*settings.sleepless_nodes, *_some(settings))),
        "SuspendExcParts": ",".join(settings.sleepless_partitions),
        "SuspendTime": _clock(settings.sleeps_after_s),
        "SuspendTimeout": _clock(settings.dozes_s),
        **_selection(settings),
        **_priorities(settings),
        **_preemption(settings.preemption, dict(settings.parameters)),
    }


def spoken_partition(partition: Partition) -> dict[str, str]:
    """Return a partition in the keys of `scontrol show partition`, but for its nodes."""
    weights = partition.billing_weights
    return {
        "AllowAccounts": ",".join(partition.allow_accounts),
        "AllowGroups": ",".join(partition.allow_groups),
        "AllowQos": ",".join(partition.allow_qos),
        "Default": _yes(partition.is_default),
        "DefaultTime": _limit(partition.default_time_s),
        "DefMemPerCPU": _memory(partition.default_memory_per_cpu_mb),
        "DefMemPerNode": _memory(partition.default_memory_per_node_mb),
        "DenyAccounts": ",".join(partition.deny_accounts),
        "DenyQos": ",".join(partition.deny_qos),
        "ExclusiveUser": _yes(partition.exclusive_user),
        "GraceTime": str(partition.grace_s),
        "LLN": _yes(partition.spread),
        "MaxCPUsPerNode": _number(partition.max_cpus_per_node),
        "MaxMemPerCPU": _memory(partition.max_memory_per_cpu_mb),
        "MaxMemPerNode": _memory(partition.max_memory_per_node_mb),
        "MaxNodes": _number(partition.max_nodes),
        "MaxTime": _limit(partition.max_time_s),
        "MinNodes": str(partition.min_nodes),
        "OverSubscribe": _sharing(partition),
        "OverTimeLimit": _limit(partition.over_time_s),
        "PreemptMode": _mode(partition.eviction, by_priority=partition.preempts_by_priority),
        "PriorityJobFactor": str(partition.job_factor),
        "PriorityTier": str(partition.tier),
        "QoS": partition.qos,
        "State": partition.state.value.upper(),
        "ResumeTimeout": _span(partition.boot_s),
        "SuspendTime": _span(partition.sleeps_after_s),
        "SuspendTimeout": _span(partition.dozes_s),
        "TRESBillingWeights": _weights(weights),
    }


def _selection(settings: SchedulerSettings) -> dict[str, str]:
    whole = settings.granularity is CpuGranularity.NODE
    words = [] if whole else [f"CR_{settings.granularity.value.upper()}"]
    if settings.memory_is_consumable:
        words = ["CR_MEMORY"] if whole else [f"{words[0]}_MEMORY"]
    if settings.packs_tasks:
        words.append("CR_PACK_NODES")
    return {
        "SelectType": "select/linear" if whole else _cores(settings),
        "SelectTypeParameters": ",".join(words),
        "TopologyParam": "TopoOptional" if settings.tree_on_demand else "",
    }


def _cores(settings: SchedulerSettings) -> str:
    return "select/cons_tres" if settings.drawn_by else "select/cons_res"


def _priorities(settings: SchedulerSettings) -> dict[str, str]:
    weights = settings.weights
    return {
        "FairShareDampeningFactor": str(settings.fairshare_dampening),
        "PriorityCalcPeriod": _clock(settings.priority_period_s),
        "PriorityDecayHalfLife": _clock(settings.priority_half_life_s),
        "PriorityFavorSmall": _yes(settings.priority_favor_small),
        "PriorityFlags": spoken_priority_flags(settings),
        "PriorityMaxAge": _clock(settings.priority_max_age_s),
        "PriorityType": "priority/multifactor" if settings.multifactor else "priority/basic",
        "PriorityUsageResetPeriod": settings.priority_usage_reset,
        "PriorityWeightAge": str(weights.age),
        "PriorityWeightAssoc": str(weights.association),
        "PriorityWeightFairShare": str(weights.fairshare),
        "PriorityWeightJobSize": str(weights.job_size),
        "PriorityWeightPartition": str(weights.partition),
        "PriorityWeightQOS": str(weights.qos),
        "PriorityWeightTRES": _weights(weights.tres),
    }


def _preemption(preemption: Preemption | None, parameters: Mapping[str, str]) -> dict[str, str]:
    if preemption is None:
        return {"PreemptType": "preempt/none", "PreemptMode": "OFF"}
    # Up to 22.05 these stand among the scheduler's parameters: then they go when those go.
    options = {
        "youngest_first": preemption.youngest_first,
        "strict_order": preemption.keeps_order,
        f"reorder_count={preemption.reorders}": True,
        f"min_exempt_priority={preemption.spared_from}": preemption.spared_from > 0,
    }
    said = (
        option
        for option, holds in options.items()
        if holds and f"preempt_{option.partition('=')[0]}" not in parameters
    )
    return {
        "PreemptType": "preempt/qos" if preemption.by_qos else "preempt/partition_prio",
        "PreemptMode": _mode(
            preemption.eviction, within=preemption.within, by_priority=preemption.by_priority
        ),
        "PreemptExemptTime": _clock(preemption.exempt_s),
        "PreemptParameters": ",".join(said),
    }


def _mode(eviction: Eviction | None, *, within: bool = False, by_priority: bool = False) -> str:
    words = {"WITHIN": within, "PRIORITY": by_priority}
    own = () if eviction is None else (_MODES[eviction],)
    return ",".join((*own, *(word for word, holds in words.items() if holds)))


def _enforced(settings: SchedulerSettings) -> str:
    words = {"limits": settings.limits_enforced, "safe": settings.limits_safe}
    return ",".join(word for word, holds in words.items() if holds)


def _sharing(partition: Partition) -> str:
    word = partition.sharing.value.upper()
    shares = partition.sharing in (NodeSharing.YES, NodeSharing.FORCE)
    return f"{word}:{partition.jobs_per_cpu}" if shares else word


def _weights(weights: Iterable[tuple[str, float]]) -> str:
    return ",".join(f"{name}={weight!r}" for name, weight in weights)


def _some(settings: SchedulerSettings) -> tuple[str, ...]:
    return tuple(f"{nodes}:{most}" for nodes, most in settings.sleepless_some)


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _limit(seconds: Limit) -> str:
    if seconds is UNLIMITED:
        return "UNLIMITED"
    return "NONE" if seconds is None else _clock(seconds)


def _span(seconds: Limit) -> str:
    if seconds is None:
        return "GLOBAL"
    return "INFINITE" if seconds is UNLIMITED else str(seconds)


def _number(amount: Limit) -> str:
    return "" if amount is None else repr(amount)


def _memory(megabytes: int | None) -> str:
    return "UNLIMITED" if megabytes is None else str(megabytes)


def _yes(holds: bool) -> str:
    return "YES" if holds else "NO"
