"""Which attributes of pyslurm's objects are asked for: reading all of them takes long."""

from collections.abc import Mapping

JOB = (
    *("id", "cluster", "state", "state_reason", "name", "comment", "account", "qos", "partition"),
    *("user_id", "group_id", "priority", "nice", "reservation", "requeue_count", "is_requeueable"),
    *("array_id", "array_task_id", "array_tasks_waiting", "array_tasks_parallel"),
    *("heterogeneous_id", "heterogeneous_offset", "dependencies", "licenses", "constraints"),
    *("submit_time", "eligible_time", "accrue_time", "start_time", "end_time", "suspend_time"),
    *("pre_suspension_time", "last_sched_evaluation_time", "time_limit", "time_limit_min"),
    *("allocated_nodes", "scheduled_nodes", "required_nodes", "excluded_nodes"),
    *("num_nodes", "max_nodes", "cpus", "ntasks", "ntasks_per_node", "min_cpus_per_node"),
    *("sockets_per_node", "memory_per_node", "memory_per_cpu", "memory_per_gpu"),
    *("gres_per_node", "tres_per_node", "tres_per_task", "tres_per_socket", "tres_per_job"),
    *("requested_tres", "allocated_tres", "resource_sharing", "requires_contiguous_nodes"),
    *("required_switches", "max_wait_time_switches", "exit_code", "exit_code_signal"),
    "temporary_disk_per_node",
)
NODE = (
    *("name", "state", "effective_cpus", "total_cpus", "real_memory"),
    *(
        "memory_reserved_for_system",
        "sockets",
        "cores_per_socket",
        "threads_per_core",
        "configured_gres",
    ),
    *("available_features", "weight", "allocated_cpus", "allocated_memory", "owner", "reason"),
    *("boot_time", "last_busy_time", "temporary_disk_space"),
)
PARTITION = (
    *("name", "nodes", "state", "is_default", "priority_tier", "priority_job_factor"),
    *("max_time", "default_time", "min_nodes", "max_nodes", "max_cpus_per_node"),
    *("oversubscribe", "is_user_exclusive", "least_loaded_nodes_scheduling", "qos"),
    *("default_memory_per_cpu", "default_memory_per_node", "max_memory_per_cpu"),
    *("max_memory_per_node", "allowed_accounts", "denied_accounts", "allowed_groups"),
    *("allowed_qos", "denied_qos", "preemption_grace_time", "over_time_limit", "preempt_mode"),
)
RESERVATION = (
    *("name", "start_time", "end_time", "nodes", "flags", "reoccurrence", "tres", "partition"),
    *("users", "groups", "accounts", "licenses"),
)
CONFIG = (
    *("cluster_name", "version", "slurmctld_boot_time", "private_data", "slurm_user_name"),
    *("licenses", "topology_plugin", "topology_parameters", "select_type"),
    *("select_type_parameters", "accounting_storage_enforce", "scheduler_type"),
    *("scheduler_parameters", "priority_type", "priority_weight_age", "priority_weight_assoc"),
    *("priority_weight_fair_share", "priority_weight_job_size", "priority_weight_partition"),
    *("priority_weight_qos", "priority_weight_tres", "priority_max_age"),
    *("priority_decay_half_life", "priority_calc_period", "priority_usage_reset_period"),
    *("priority_favor_small", "priority_flags", "fair_share_dampening_factor"),
    *("kill_wait_time", "message_timeout", "resume_program", "resume_timeout", "over_time_limit"),
    *("complete_wait_time", "min_job_age", "default_memory_per_cpu", "default_memory_per_node"),
    *("preempt_type", "preempt_mode", "preempt_parameters", "preempt_exempt_time", "auth_info"),
)
DIAGNOSIS = (
    *("request_time", "schedule_cycle_last", "schedule_cycle_mean", "schedule_cycle_mean_depth"),
    *("schedule_queue_length", "backfill_cycle_last", "backfill_cycle_mean"),
    *("backfill_cycle_max", "backfill_cycle_last_when", "backfill_last_depth"),
    *("backfill_last_depth_try", "backfill_mean_depth", "backfill_mean_depth_try"),
    *("backfill_queue_length", "backfill_queue_length_mean", "backfill_exit"),
    *("jobs_started", "backfilled_jobs"),
)
# Not `group_tres_run_mins`: all versions tell the value of `group_tres_mins` there.
ASSOCIATION = (
    *("cluster", "account", "user", "partition", "shares", "priority", "qos", "group_jobs"),
    *("group_submit_jobs", "group_tres", "group_tres_mins"),
    *("group_wall_time", "max_jobs", "max_submit_jobs", "max_tres_per_job", "max_tres_per_node"),
    *("max_tres_mins_per_job", "max_wall_time_per_job"),
)

OF_EACH: Mapping[str, tuple[str, ...]] = {
    "Jobs.load": JOB,
    "Nodes.load": NODE,
    "Partitions.load": PARTITION,
    "Reservations.load": RESERVATION,
    "slurmctld.Config.load": CONFIG,
    "slurmctld.diag": DIAGNOSIS,
    "db.Associations.load": ASSOCIATION,
}
"""By what is asked."""
