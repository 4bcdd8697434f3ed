"""What `SchedulerParameters` says about Slurm's two passes."""

from collections.abc import Mapping
from typing import Any

from collectors.slurm.words.versions import habits
from predictor.domain import PassSettings
from predictor.domain.durations import DAY_S, HOUR_S, MINUTE_S

LONGEST_WINDOW_MIN = 30 * 24 * 60
LONGEST_STEP_S = HOUR_S
NEVER_S = 365 * DAY_S
"""How far apart passes are that are not made."""
LEAST_ENTRIES = 2
"""A smaller table Slurm takes for a mistake."""
OFF = "-1"
"""As an interval: there are no such passes."""
POSITIVE = frozenset({"time_max_s", "rest_after_us", "rest_us"})
"""Of these, Slurm takes 0 for a mistake, and its default instead."""

_WORDS = {
    "main_depth": ("default_queue_depth", 1),
    "main_depth_per_partition": ("partition_job_depth", 1),
    "main_starts_max": ("sched_max_job_start", 1),
    "interval_s": ("bf_interval", 1),
    "window_s": ("bf_window", MINUTE_S),
    "step_s": ("bf_resolution", 1),
    "jobs_max": ("bf_max_job_test", 1),
    "jobs_max_per_user": ("bf_max_job_user", 1),
    "jobs_max_per_association": ("bf_max_job_assoc", 1),
    "jobs_max_per_partition": ("bf_max_job_part", 1),
    "jobs_max_per_user_and_partition": ("bf_max_job_user_part", 1),
    "starts_max": ("bf_max_job_start", 1),
    "array_tasks_max": ("bf_max_job_array_resv", 1),
    "entries_max": ("bf_node_space_size", 1),
    "protected_per_partition": ("bf_job_part_count_reserve", 1),
    "protected_age_s": ("bf_min_age_reserve", 1),
    "protected_priority": ("bf_min_prio_reserve", 1),
    "main_interval_s": ("sched_interval", 1),
    "main_pause_us": ("sched_min_interval", 1),
    "arrival_delay_s": ("batch_sched_delay", 1),
    "group_step_s": ("bf_window_linear", 1),
    "time_max_s": ("bf_max_time", 1),
    "rest_after_us": ("bf_yield_interval", 1),
    "rest_us": ("bf_yield_sleep", 1),
}
"""By field: Slurm's word for it and its unit in ours."""
NUMBERS = frozenset(word for word, _ in _WORDS.values())
"""The words whose values are whole numbers; where that is allowed, `OFF` among them."""


def pass_settings(parameters: Mapping[str, str], version: str = "") -> PassSettings:
    """Return the passes' settings; what is not said, or is no number, has Slurm's default.

    `version` is Slurm's; empty: unknown, and taken for an old one.
    Source: slurm.conf(5), `SchedulerParameters`.
    """
    found = {
        field: int(parameters[word]) * unit
        for field, (word, unit) in _WORDS.items()
        if parameters.get(word, "").isdecimal() and len(parameters[word]) < 10
    }
    for field in POSITIVE & found.keys():
        if found[field] == 0:
            del found[field]
    found["window_s"] = min(found.get("window_s", DAY_S), LONGEST_WINDOW_MIN * MINUTE_S)
    found["step_s"] = max(1, min(found.get("step_s", 60), LONGEST_STEP_S))
    if found.get("entries_max", LEAST_ENTRIES) < LEAST_ENTRIES:
        del found["entries_max"]
    if found.get("array_tasks_max") == 0:
        found["array_tasks_max"] = 1
    if parameters.get("sched_interval") == OFF:
        found["main_interval_s"] = NEVER_S
    numbers: dict[str, Any] = {**found, **habits(version)}
    return PassSettings(
        **numbers,
        one_per_job="bf_one_resv_per_job" in parameters,
        licenses_planned="bf_licenses" in parameters,
        running_reserved=bool({"bf_licenses", "bf_running_job_reserve"} & parameters.keys()),
        limits_stop="assoc_limit_stop" in parameters,
        busy_first="bf_busy_nodes" in parameters,
        continues="bf_continue" in parameters,
    )
