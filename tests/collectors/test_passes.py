from dataclasses import replace

import pytest

from collectors.slurm.text.config import parse_config
from collectors.slurm.text.passes import pass_settings
from predictor.domain import PassSettings


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        pytest.param({}, PassSettings(), id="nothing said: Slurm's defaults"),
        pytest.param({"bf_window": "2880"}, PassSettings(window_s=172_800), id="minutes"),
        pytest.param({"bf_window": "999999"}, PassSettings(window_s=30 * 86_400), id="30 days"),
        pytest.param({"bf_resolution": "0"}, PassSettings(step_s=1), id="no step is a second"),
        pytest.param(
            {"bf_max_job_user": "12", "bf_continue": "", "default_queue_depth": "50"},
            PassSettings(jobs_max_per_user=12, main_depth=50, continues=True),
            id="caps",
        ),
        pytest.param({"bf_node_space_size": "2"}, PassSettings(entries_max=2), id="a small table"),
        pytest.param({"bf_node_space_size": "1"}, PassSettings(), id="too small a table"),
        pytest.param(
            {"bf_continue": "", "bf_max_time": "90", "bf_yield_interval": "500000"},
            PassSettings(continues=True, time_max_s=90, rest_after_us=500_000),
            id="how long a pass may take",
        ),
        pytest.param({"bf_max_time": "0", "bf_yield_sleep": "0"}, PassSettings(), id="mistakes"),
        pytest.param(
            {"sched_interval": "-1"}, PassSettings(main_interval_s=365 * 86_400), id="never"
        ),
        pytest.param(
            {"sched_min_interval": "2000000"}, PassSettings(main_pause_us=2_000_000), id="a pause"
        ),
        pytest.param(
            {"bf_max_job_array_resv": "0"}, PassSettings(array_tasks_max=1), id="one task"
        ),
        pytest.param(
            {"bf_running_job_reserve": ""}, PassSettings(running_reserved=True), id="running jobs"
        ),
        pytest.param(
            {"bf_licenses": ""},
            PassSettings(licenses_planned=True, running_reserved=True),
            id="licenses and running jobs",
        ),
        pytest.param({"bf_interval": "soon"}, PassSettings(), id="no number"),
        pytest.param({"bf_interval": "9" * 50}, PassSettings(), id="an absurd number"),
    ],
)
def test_what_the_parameters_say_of_the_passes(parameters, expected):
    # Who tells no version is taken for an old Slurm, whose plans never see an owner leave.
    assert pass_settings(parameters) == replace(expected, owners_leave=False)


@pytest.mark.parametrize(
    ("scheduler", "parameters", "ahead"),
    [("backfill", "", True), ("builtin", "", False), ("backfill", "bf_interval=-1", False)],
)
def test_a_scheduler_tells_of_its_passes_and_whether_it_looks_ahead(scheduler, parameters, ahead):
    text = f"ClusterName = c\nSchedulerType = sched/{scheduler}\nSLURM_VERSION = 22.05.8\n"
    text += f"SchedulerParameters = {parameters}\n"
    settings = parse_config(text)[0].settings
    assert settings.passes == PassSettings(owners_leave=False, ends_wait=True)
    assert settings.backfill is ahead


@pytest.mark.parametrize(
    ("lines", "boot_s"),
    [
        ("ResumeProgram = (null)\nResumeTimeout = 60 sec\n", 0),
        ("ResumeProgram = /wake\nResumeTimeout = 600 sec\n", 600),
        ("ResumeProgram = /wake\n", 60),
        ("", 0),
    ],
)
def test_how_long_nodes_may_take_to_boot(lines, boot_s):
    assert parse_config(f"ClusterName = c\n{lines}")[0].settings.boot_s == boot_s


@pytest.mark.parametrize(
    ("lines", "sleeps_after_s"),
    [
        ("ResumeProgram = /wake\nSuspendTime = 300 sec\n", 300),
        ("ResumeProgram = /wake\nSuspendTime = INFINITE\n", 0),
        ("ResumeProgram = /wake\nSuspendTime = NONE\n", 0),
        ("ResumeProgram = (null)\nSuspendTime = 300 sec\n", 0),
    ],
)
def test_when_idle_nodes_fall_asleep(lines, sleeps_after_s):
    settings = parse_config(f"ClusterName = c\n{lines}")[0].settings
    assert settings.sleeps_after_s == sleeps_after_s


def test_which_nodes_never_do():
    lines = "SuspendExcNodes = n[1-2],m[1,3-5]:1,x1,y[1-4]:3\nSuspendExcParts = debug,long\n"
    settings = parse_config(f"ClusterName = c\n{lines}")[0].settings
    assert settings.sleepless_nodes == ("n1", "n2", "x1")
    assert settings.sleepless_some == (("m[1,3-5]", 1), ("y[1-4]", 3))
    assert settings.sleepless_partitions == ("debug", "long")


@pytest.mark.parametrize(
    ("plugin", "group_s", "busy_first"), [("linear", 0, False), ("cons_tres", 30, True)]
)
def test_where_nodes_are_handed_out_whole_some_words_mean_nothing(plugin, group_s, busy_first):
    text = f"ClusterName = c\nSelectType = select/{plugin}\n"
    text += "SchedulerParameters = bf_window_linear=15,bf_busy_nodes\n"
    passes = parse_config(text)[0].settings.passes
    assert passes is not None
    assert (passes.group_s, passes.group_step_s) == (group_s, 15)
    assert passes.busy_first is busy_first


@pytest.mark.parametrize(
    ("lines", "waits"),
    [
        pytest.param("Epilog = (null)\nPrologFlags = Alloc\n", True, id="nothing to do"),
        pytest.param("Epilog = /etc/epilog\n", False, id="an epilog"),
        pytest.param("PrologFlags = Alloc,Contain\n", False, id="a step that outlives all others"),
        pytest.param("PrologFlags = X11\n", False, id="such a step for X11"),
        pytest.param("Epilog = /e\nSchedulerParameters = defer\n", True, id="never directly"),
    ],
)
def test_ends_wait_where_nodes_have_nothing_to_do_after_them(lines, waits):
    passes = parse_config(f"ClusterName = c\n{lines}")[0].settings.passes
    assert passes is not None
    assert passes.ends_wait is waits
