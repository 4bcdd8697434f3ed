"""What is learned of users."""

from dataclasses import replace

import pytest

from predictor.domain.durations import DAY_S as DAY
from predictor.domain.durations import MINUTE_S as MINUTE
from predictor.errors import DocumentError
from verification.workloads.fit import fit
from verification.workloads.seen import Seen, read_workload

JOB = "1 {submit} -1 {run} {procs} -1 -1 -1 600 -1 1 {user} -1 -1 -1 -1 -1 -1\n"


def test_a_break_of_more_than_twenty_minutes_begins_a_session(workload):
    at = [0, MINUTE, 21 * MINUTE, 42 * MINUTE, 43 * MINUTE]
    (user,) = fit(workload(*((one, 7) for one in at))).users
    assert user.jobs.values == (2, 3)
    assert (user.sessions.values, user.active, user.weeks) == ((2,), 1, 1)
    assert user.number == 7


def test_weeks_with_work_come_in_a_row(workload):
    weeks = (0, 1, 2, 5, 9)
    (user,) = fit(workload(*((week * 7 * DAY, 1) for week in weeks))).users
    assert user.active == 0.5
    assert user.weeks == pytest.approx(5 / 3)


def test_users_are_told_apart(workload):
    model = fit(workload((0, 1), (1, 2), (2, 1)))
    assert [(user.number, user.jobs.values) for user in model.users] == [(1, (2,)), (2, (1,))]


def test_kinds_of_jobs_are_habits_with_run_times_of_their_own(workload):
    made = workload((0, 1), (1, 1), (2, 1))
    jobs = [*made.jobs[:2], made.jobs[2]._replace(procs=4, run_s=99)]
    (user,) = fit(replace(made, jobs=jobs)).users
    found = [(habit.procs, habit.limit_s, habit.runs_s.values) for habit in user.habits]
    assert found == [(1, 600, (60, 60)), (4, 600, (99,))]
    assert [habit.share for habit in user.habits] == pytest.approx([2 / 3, 1 / 3])


def test_who_keeps_to_one_kind_for_long_is_told_from_who_mixes(workload):
    def stay(kinds):
        made = workload(*((number, 1) for number in range(len(kinds))))
        jobs = [job._replace(procs=kind) for job, kind in zip(made.jobs, kinds, strict=True)]
        return fit(replace(made, jobs=jobs)).users[0].stay

    assert stay([1] * 50 + [2] * 50) > 0.9
    assert stay([1, 2] * 50) == 0


def test_run_times_that_return_are_told_from_chance(workload):
    def repeat(runs):
        made = workload(*((number, 1) for number in range(len(runs))))
        jobs = [job._replace(run_s=run) for job, run in zip(made.jobs, runs, strict=True)]
        return fit(replace(made, jobs=jobs)).users[0].repeat

    assert repeat([100] * 20 + [500] * 20) > 0.9
    assert repeat([100, 500] * 20) == 0


def test_a_trace_without_users_has_one(workload):
    (user,) = fit(workload((0, -1), (5, -1))).users
    assert user.number == -1


def test_one_job_is_enough(workload):
    model = fit(workload((100, 3), procs=8))
    (habit,) = model.users[0].habits
    assert (habit.procs, habit.share, model.procs) == (8, 1, 8)


def test_days_begin_at_midnight_of_the_site(workload):
    model = fit(workload((30 * 3600, 1)))
    assert (model.begins_at + model.time_zone_s) % DAY == 0


def test_what_a_real_trace_says(real):
    model = fit(real)
    assert (model.procs, model.time_zone_s) == (100, 3600)
    assert sum(len(user.habits) for user in model.users) > len(model.users) > 20


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("; MaxProcs: 4\n", id="empty"),
        pytest.param(JOB.format(submit=0, run=0, procs=1, user=1), id="no run time"),
        pytest.param(JOB.format(submit=0, run=9, procs=-1, user=1), id="no size"),
        pytest.param(JOB.format(submit=-1, run=9, procs=1, user=1), id="no submit time"),
    ],
)
def test_nothing_to_learn_from_is_named(tmp_path, text):
    file = tmp_path / "trace.swf"
    file.write_text(text)
    with pytest.raises(DocumentError, match=r"trace\.swf: no job to look at: [01] without"):
        read_workload(file)


def test_what_the_trace_does_not_say_is_no_limit(tmp_path):
    file = tmp_path / "trace.swf"
    file.write_text(JOB.format(submit=5, run=9, procs=2, user=-1).replace("600", "-1"))
    whole = read_workload(file)
    assert whole.jobs == [Seen(5, 9, 2, -1, -1, -1, -1, -1)]
    assert (whole.procs, whole.begins_at) == (2, 0)
    assert fit(whole).users[0].habits[0].limit_s is None
