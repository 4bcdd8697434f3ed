"""The keys of the system, its scheduler, nodes, partitions and everything else but jobs.

A key has LML's own name where LML has one for exactly that; ours begin with `x_`.
"""

from predictor.domain import (
    Association,
    BillingRule,
    CpuGranularity,
    Eviction,
    Fact,
    Fairshare,
    FairshareFormula,
    Forecast,
    Hidden,
    License,
    Limits,
    Node,
    NodeFlag,
    NodeSharing,
    NodeState,
    Partition,
    PartitionState,
    PassSettings,
    Preemption,
    PriorityWeights,
    Provenance,
    Qos,
    QosFlag,
    Quarantined,
    Reservation,
    ReservationFlag,
    SchedulerHealth,
    SchedulerSettings,
    Snapshot,
    Usage,
)
from predictor.lml.codec import (
    FLAG,
    FLOAT,
    INT,
    LIMIT,
    NAMES,
    OFFSET,
    PART,
    SETTINGS,
    TEXT,
    TRES,
    WEIGHTS,
    maybe,
    records,
    word,
    words,
)
from predictor.lml.kinds import Key, Kind, Part, PerDocument, own

INSTANT = PerDocument.INSTANT

PROVENANCE = Kind(
    Provenance,
    (
        Key("source", "x_source", TEXT),
        Key("account", "x_seen_by", TEXT),
        Key("version", "x_version", TEXT),
        Key("private", "x_private", NAMES),
        Key("hidden", "x_hidden", records(Hidden, fact=word(Fact), why=PART)),
        Key(
            "quarantined",
            "x_quarantined",
            records(Quarantined, fact=word(Fact), count=INT, example=PART),
        ),
    ),
)

SYSTEM = Kind(
    Snapshot,
    (
        Key("cluster", "hostname", TEXT),
        Key("taken_at", "system_time", INSTANT),
        Key("utc_offset_s", "x_utc_offset", OFFSET),
    ),
    (Part("provenance", PROVENANCE),),
    partial=True,
)

PRIORITY_WEIGHTS = Kind(
    PriorityWeights,
    (
        *own(
            INT,
            *("age", "association", "fairshare", "job_size", "partition", "qos"),
            prefix="x_weight_",
        ),
        Key("tres", "x_weight_tres", WEIGHTS),
        *own(
            FLAG,
            *("raw_association", "raw_partition", "raw_qos", "raw_tres"),
            prefix="x_weight_",
        ),
    ),
)

PASSES = Kind(
    PassSettings,
    (
        *own(INT, "main_depth", "interval_s", "window_s", "step_s", prefix="x_pass_"),
        *own(INT, "jobs_max", "jobs_max_per_user", "jobs_max_per_partition", prefix="x_pass_"),
        *own(INT, "jobs_max_per_association", prefix="x_pass_"),
        *own(INT, "main_depth_per_partition", "main_starts_max", prefix="x_pass_"),
        *own(INT, "jobs_max_per_user_and_partition", "starts_max", prefix="x_pass_"),
        *own(INT, "array_tasks_max", "entries_max", "protected_per_partition", prefix="x_pass_"),
        *own(INT, "protected_age_s", "main_interval_s", "arrival_delay_s", prefix="x_pass_"),
        *own(INT, "protected_priority", "main_pause_us", "group_step_s", prefix="x_pass_"),
        *own(INT, "group_s", "reach", "time_max_s", "rest_after_us", "rest_us", prefix="x_pass_"),
        *own(FLAG, "rounds_up", "exact", "one_per_job", prefix="x_pass_"),
        *own(FLAG, "licenses_planned", "limits_stop", "busy_first", prefix="x_pass_"),
        *own(FLAG, "stretches", "continues", "owners_leave", prefix="x_pass_"),
        *own(FLAG, "tasks_trim", "whole_tasks", prefix="x_pass_"),
        *own(
            FLAG,
            "seeks_anew",
            "overlaps_first",
            "own_ends",
            "weighs_anew",
            "limits_placed",
            "tasks_bounded",
            "licenses_with_nodes",
            "licenses_seen",
            prefix="x_pass_",
        ),
        *own(FLAG, "ends_wait", "running_reserved", prefix="x_pass_"),
    ),
)

PREEMPTION = Kind(
    Preemption,
    (
        *own(word(Eviction), "eviction", prefix="x_preempt_"),
        *own(FLAG, "by_qos", "youngest_first", "keeps_order", prefix="x_preempt_"),
        *own(FLAG, "within", "by_priority", prefix="x_preempt_"),
        *own(INT, "exempt_s", "spared_from", "reorders", prefix="x_preempt_"),
    ),
)

SETTINGS_OF_SCHEDULER = Kind(
    SchedulerSettings,
    (
        *own(FLAG, "multifactor", "priority_favor_small", "backfill", "memory_is_consumable"),
        *own(FLAG, "limits_enforced", "limits_safe", "admits_below"),
        *own(FLAG, "single_cpus_last", "single_nodes_first", "packs_tasks", "tree_on_demand"),
        *own(FLAG, "tree_counts_cpus", "tree_counts_down"),
        *own(FLAG, "weakest_singly", "plans_by_weight"),
        *own(TEXT, "drawn_by"),
        *own(INT, "priority_max_age_s", "priority_half_life_s", "priority_period_s"),
        *own(INT, "fairshare_dampening", "kill_wait_s", "boot_s", "sleeps_after_s"),
        *own(INT, "dozes_s", "wakes_per_minute"),
        *own(INT, "complete_wait_s", "message_timeout_s", "min_job_age_s"),
        *own(INT, "default_memory_per_cpu_mb", "default_memory_per_node_mb"),
        *own(LIMIT, "over_time_s"),
        *own(INT, "sent_back_s"),
        *own(TEXT, "priority_usage_reset"),
        *own(FLAG, "size_per_minute", "ages_from_submission", "priorities_only_rise"),
        *own(word(FairshareFormula), "fairshare_formula"),
        *own(word(BillingRule), "billing_rule"),
        *own(NAMES, "sleepless_nodes", "sleepless_partitions"),
        *own(TRES, "sleepless_some"),
        *own(word(CpuGranularity), "granularity"),
        *own(SETTINGS, "parameters"),
    ),
    (
        Part("weights", PRIORITY_WEIGHTS),
        Part("passes", PASSES, True),
        Part("preemption", PREEMPTION, True),
    ),
)

HEALTH = Kind(
    SchedulerHealth,
    (
        *own(maybe(INT), "main_cycle_last_us"),
        *own(INT, "main_cycle_mean_us", "main_depth_mean"),
        *own(INT, "backfill_cycle_last_us", "backfill_cycle_mean_us", "backfill_cycle_max_us"),
        *own(INSTANT, "told_at", "started_at", "counts_since", "backfill_last_at"),
        *own(INT, "backfill_depth_tried_mean", "backfill_queue_last", "backfill_queue_mean"),
        *own(INT, "backfill_cut_short"),
        *own(INT, "backfill_depth_last", "backfill_depth_tried_last", "backfill_depth_mean"),
        *own(INT, "queue_length_last", "jobs_started", "jobs_backfilled"),
    ),
)

SCHEDULER = Kind(
    Snapshot,
    parts=(Part("settings", SETTINGS_OF_SCHEDULER), Part("health", HEALTH, True)),
    partial=True,
)

FORECAST = Kind(
    Forecast,
    (
        Key("cluster", "x_forecast_cluster", TEXT),
        Key("snapshot_at", "x_forecast_at", INSTANT),
        Key("policy", "x_forecast_policy", TEXT),
        Key("fingerprint", "x_forecast_fingerprint", TEXT),
    ),
    partial=True,
)

NODE = Kind(
    Node,
    (
        Key("name", "id", TEXT),
        Key("cpus", "ncores", INT),
        Key("memory_mb", "physmem", INT),
        *own(word(NodeState), "state"),
        *own(words(NodeFlag), "flags"),
        *own(INT, "cpus_per_core", "sockets", "tmp_disk_mb", "weight", "cpus_allocated"),
        *own(TRES, "gres"),
        Key("features", "features", NAMES),
        Key("memory_allocated_mb", "allocmem", INT),
        *own(TEXT, "owner"),
        *own(NAMES, "switches"),
        Key("reason", "reason", TEXT),
        *own(INSTANT, "boot_at", "idle_since", "back_by"),
    ),
)

PARTITION = Kind(
    Partition,
    (
        Key("name", "name", TEXT),
        Key("node_names", "nodelist", NAMES),
        *own(word(PartitionState), "state"),
        *own(FLAG, "is_default", "exclusive_user", "spread", "preempts_by_priority"),
        *own(INT, "tier", "job_factor", "min_nodes", "jobs_per_cpu", "grace_s"),
        *own(LIMIT, "max_time_s", "default_time_s", "max_nodes", "max_cpus_per_node"),
        *own(LIMIT, "over_time_s", "sleeps_after_s"),
        *own(INT, "boot_s", "dozes_s"),
        *own(word(NodeSharing), "sharing"),
        *own(INT, "default_memory_per_cpu_mb", "default_memory_per_node_mb"),
        *own(INT, "max_memory_per_cpu_mb", "max_memory_per_node_mb"),
        *own(NAMES, "allow_accounts", "deny_accounts", "allow_groups", "allow_qos", "deny_qos"),
        *own(NAMES, "group_members"),
        *own(FLAG, "groups_told"),
        *own(TEXT, "qos"),
        *own(maybe(word(Eviction)), "eviction"),
        *own(WEIGHTS, "billing_weights"),
    ),
)

LIMITS = Kind(
    Limits,
    (
        *own(LIMIT, "group_jobs", "group_submit", "group_wall_s"),
        *own(TRES, "group_tres", "group_tres_minutes", "group_tres_run_minutes"),
        Key("max_jobs", "max_jobs_pu", LIMIT),
        Key("max_submit", "max_submit_pu", LIMIT),
        Key("max_jobs_per_account", "max_jobs_pa", LIMIT),
        Key("max_submit_per_account", "max_submit_pa", LIMIT),
        *own(TRES, "max_tres", "max_tres_per_account", "max_tres_per_job", "max_tres_per_node"),
        *own(TRES, "max_tres_minutes_per_job", "min_tres_per_job"),
        *own(TRES, "max_tres_run_minutes", "max_tres_run_minutes_per_account"),
        *own(LIMIT, "max_wall_per_job_s"),
        *own(INT, "min_priority"),
        *own(LIMIT, "group_accruing", "max_accruing", "max_accruing_per_account"),
    ),
)

USAGE = Kind(
    Usage,
    (
        *own(INT, "jobs", "submitted", prefix="x_used_"),
        *own(FLOAT, "wall_minutes", prefix="x_used_"),
        *own(TRES, "tres", "tres_minutes", "tres_run_minutes", prefix="x_used_"),
    ),
)

QOS = Kind(
    Qos,
    (
        Key("name", "name", TEXT),
        Key("priority", "Priority", INT),
        Key("usage_factor", "UsageFactor", FLOAT),
        Key("limit_factor", "LimitFactor", FLOAT),
        Key("grace_s", "GraceTime", INT),
        *own(words(QosFlag), "flags"),
        *own(NAMES, "preempts"),
        *own(maybe(word(Eviction)), "eviction"),
        *own(INT, "exempt_s"),
        *own(FLAG, "preempts_within", "preempts_by_priority"),
    ),
    (Part("limits", LIMITS), Part("usage", USAGE, True)),
)

FAIRSHARE = Kind(
    Fairshare,
    (
        *own(maybe(FLOAT), "shares_norm"),
        *own(FLOAT, "usage_norm", "usage_effective", "factor", "level"),
        *own(INT, "usage_raw"),
    ),
)

ASSOCIATION = Kind(
    Association,
    (
        *own(TEXT, "account", "user", "partition", "parent", "default_qos"),
        *own(maybe(INT), "shares"),
        *own(INT, "priority"),
        *own(NAMES, "qos"),
    ),
    (
        Part("limits", LIMITS),
        Part("usage", USAGE, True),
        Part("fairshare", FAIRSHARE, True),
    ),
)

RESERVATION = Kind(
    Reservation,
    (
        Key("name", "resid", TEXT),
        Key("start_at", "starttime", INSTANT),
        Key("end_at", "endtime", INSTANT),
        Key("node_names", "nodelist", NAMES),
        Key("cpus", "corecnt", INT),
        Key("users", "userlist", NAMES),
        Key("accounts", "accounts", NAMES),
        *own(words(ReservationFlag), "flags"),
        *own(TEXT, "partition"),
        *own(NAMES, "groups", "qos", "allowed_partitions"),
        *own(TRES, "licenses"),
    ),
)

LICENSE = Kind(
    License,
    (
        Key("name", "name", TEXT),
        *own(INT, "total", "used", "reserved"),
        *own(FLAG, "remote"),
    ),
)
