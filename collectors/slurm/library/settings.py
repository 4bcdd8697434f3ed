"""How the scheduler is set up and how it keeps up, out of pyslurm's.

Both are brought into what `scontrol show config` and `sdiag` tell, and read as those are.
"""

from collections.abc import Mapping

from collectors.slurm.library.records import UNLIMITED, Record, found_in, word
from collectors.slurm.objects.fields import Fields
from collectors.slurm.text.config import Configuration, configuration_of
from collectors.slurm.text.sdiag import Diagnosis
from predictor.domain import Quarantined, SchedulerHealth
from predictor.errors import SourceFormatError

CONFIG, DIAGNOSIS = "pyslurm slurmctld.Config.load", "pyslurm slurmctld.diag"

_WORDS = {
    "ClusterName": "cluster_name",
    "SLURM_VERSION": "version",
    "PrivateData": "private_data",
    "SlurmUser": "slurm_user_name",
    "TopologyPlugin": "topology_plugin",
    "TopologyParam": "topology_parameters",
    "SelectType": "select_type",
    "SelectTypeParameters": "select_type_parameters",
    "AccountingStorageEnforce": "accounting_storage_enforce",
    "SchedulerType": "scheduler_type",
    "SchedulerParameters": "scheduler_parameters",
    "PriorityType": "priority_type",
    "PriorityWeightAge": "priority_weight_age",
    "PriorityWeightAssoc": "priority_weight_assoc",
    "PriorityWeightFairShare": "priority_weight_fair_share",
    "PriorityWeightJobSize": "priority_weight_job_size",
    "PriorityWeightPartition": "priority_weight_partition",
    "PriorityWeightQOS": "priority_weight_qos",
    "PriorityWeightTRES": "priority_weight_tres",
    "PriorityUsageResetPeriod": "priority_usage_reset_period",
    "PriorityFavorSmall": "priority_favor_small",
    "PriorityFlags": "priority_flags",
    "FairShareDampeningFactor": "fair_share_dampening_factor",
    "ResumeProgram": "resume_program",
    "DefMemPerCPU": "default_memory_per_cpu",
    "DefMemPerNode": "default_memory_per_node",
    "PreemptType": "preempt_type",
    "PreemptMode": "preempt_mode",
    "PreemptParameters": "preempt_parameters",
    "AuthInfo": "auth_info",
}
_SECONDS = {
    "PriorityMaxAge": "priority_max_age",
    "PriorityDecayHalfLife": "priority_decay_half_life",
    "PriorityCalcPeriod": "priority_calc_period",
    "KillWait": "kill_wait_time",
    "MessageTimeout": "message_timeout",
    "ResumeTimeout": "resume_timeout",
    "CompleteWait": "complete_wait_time",
    "MinJobAge": "min_job_age",
    "PreemptExemptTime": "preempt_exempt_time",
}
_HEALTH = {
    "told_at": "request_time",
    "main_cycle_last_us": "schedule_cycle_last",
    "main_cycle_mean_us": "schedule_cycle_mean",
    "main_depth_mean": "schedule_cycle_mean_depth",
    "backfill_cycle_last_us": "backfill_cycle_last",
    "backfill_cycle_mean_us": "backfill_cycle_mean",
    "backfill_cycle_max_us": "backfill_cycle_max",
    "backfill_depth_last": "backfill_last_depth",
    "backfill_depth_tried_last": "backfill_last_depth_try",
    "backfill_depth_mean": "backfill_mean_depth",
    "backfill_depth_tried_mean": "backfill_mean_depth_try",
    "backfill_queue_last": "backfill_queue_length",
    "backfill_queue_mean": "backfill_queue_length_mean",
    "queue_length_last": "schedule_queue_length",
    "jobs_started": "jobs_started",
    "jobs_backfilled": "backfilled_jobs",
}
_CUT_SHORT = ("state_changed", "max_time")


def parse_config(text: str) -> tuple[Configuration, tuple[Quarantined, ...]]:
    """Return the configuration. Raises SourceError."""
    return configuration_of(_printed(_only(text, CONFIG)), CONFIG), ()


def parse_diagnosis(text: str) -> tuple[Diagnosis, tuple[Quarantined, ...]]:
    """Return the statistics; a figure that is missing is None. Raises SourceError."""
    try:
        told = Fields(_only(text, DIAGNOSIS))
        written_at = told.instant("request_time")
        if written_at is None:
            raise ValueError("no request_time")
        return Diagnosis(health=_health(told), written_at=written_at, offset_s=0), ()
    except ValueError as error:
        raise SourceFormatError(f"{DIAGNOSIS}: {error}") from error


def _only(text: str, place: str) -> Record:
    found = found_in(text)
    if len(found) != 1 or not isinstance(found[0], dict):
        raise SourceFormatError(f"{place}: expected one record, got {str(found)[:40]!r}")
    return found[0]


def _printed(config: Record) -> Mapping[str, str]:
    """Return the configuration as `scontrol show config` prints it."""
    keys = {name: word(config, theirs) for name, theirs in _WORDS.items() if theirs in config}
    keys |= {name: _seconds(word(config, theirs)) for name, theirs in _SECONDS.items()}
    return keys | {
        "BOOT_TIME": word(config, "slurmctld_boot_time"),
        "Licenses": word(config, "licenses").replace("=", ":"),
        "OverTimeLimit": word(config, "over_time_limit") or "0",
    }


def _seconds(number: str) -> str:
    # A bare number would count minutes; what pyslurm leaves out is 0.
    return number if number == UNLIMITED else f"{number or 0} sec"


def _health(told: Fields) -> SchedulerHealth:
    figures = {ours: _figure(told, theirs) for ours, theirs in _HEALTH.items()}
    exits = told.part("backfill_exit")
    cut_short = [exits.count(cause) for cause in _CUT_SHORT if exits.has(cause)]
    return SchedulerHealth(
        **figures,
        backfill_last_at=told.instant("backfill_cycle_last_when"),
        backfill_cut_short=sum(cut_short) if cut_short else None,
    )


def _figure(told: Fields, name: str) -> int | None:
    number = told.number(name)
    return number if isinstance(number, int) else None
