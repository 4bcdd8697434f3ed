"""What is drawn from a model."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.domain.durations import WEEK_S as WEEK
from verification.traces.swf import read
from verification.workloads.fit import fit
from verification.workloads.generate import generate
from verification.workloads.modelfile import read_model, write_model
from verification.workloads.seen import FIELDS, read_workload, workload_of
from verification.workloads.written import some, write_trace


@pytest.fixture(scope="module")
def model(real):
    return fit(real)


def test_the_same_seed_gives_the_same_jobs(model):
    first, again, other = (list(islice(generate(model, seed), 500)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_jobs_ascend_and_are_kinds_that_were_seen(model, seed):
    jobs = list(islice(generate(model, seed), 300))
    known = {
        (user.number, habit.procs, habit.limit_s or -1, habit.queue, habit.partition)
        for user in model.users
        for habit in user.habits
    }
    assert {(j.user, j.procs, j.limit_s, j.queue, j.partition) for j in jobs} <= known
    assert [job.submit_s for job in jobs] == sorted(job.submit_s for job in jobs)
    assert all(job.run_s >= 1 and job.submit_s >= 0 for job in jobs)


def test_who_never_outlived_a_limit_does_not(workload):
    model = fit(workload(*((number, 1) for number in range(40)), run_s=600, limit_s=600))
    assert all(job.run_s <= 600 for job in islice(generate(model, 1), 500))


def test_all_alike_stay_alike(workload):
    model = fit(workload((0, 1), (60, 1), (120, 1), procs=4, run_s=1, limit_s=1))
    kinds = Counter((job.procs, job.run_s) for job in islice(generate(model, 1), 300))
    assert set(kinds) == {(4, 1)}


def test_one_job_a_week_stays_one_a_week(workload):
    model = fit(workload((100, 3)))
    jobs = list(some(generate(model, 5), None, 7 * 200))
    assert 150 <= len(jobs) <= 250
    assert jobs[-1].submit_s > 150 * WEEK


def test_an_executable_is_a_habit(model):
    jobs = islice(generate(model, 1), 2000)
    kinds = {(job.executable, job.user, job.procs, job.limit_s) for job in jobs}
    assert len({kind[0] for kind in kinds}) == len(kinds)


def test_a_model_is_read_as_it_was_written(model, tmp_path):
    write_model(tmp_path / "model.json", model)
    again = read_model(tmp_path / "model.json")
    write_model(tmp_path / "again.json", again)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    assert [user.number for user in again.users] == [user.number for user in model.users]


def test_what_is_written_is_a_trace(model, tmp_path):
    from predictor.swf import Header

    path = tmp_path / "made.swf.gz"
    jobs = list(some(generate(model, 1), 200, None))
    header = Header(max_procs=model.procs, unix_start_time=model.begins_at, time_zone_s=3600)
    assert write_trace(path, jobs, header, {"Note": "made"}) == 200
    read_back = read_workload(path)
    assert [job.submit_s for job in read_back.jobs] == [job.submit_s for job in jobs]
    assert (read_back.procs, read_back.local_at % 86_400) == (100, 0)
    assert workload_of(read(path, FIELDS)) == read_back
    again = tmp_path / "again.swf.gz"
    write_trace(again, jobs, header, {"Note": "made"})
    assert again.read_bytes() == path.read_bytes()


def test_jobs_come_as_many_as_were_wanted(model):
    assert len(list(some(generate(model, 1), 50, 10_000))) == 50
    assert all(job.submit_s < 86_400 * 3 for job in some(generate(model, 1), None, 3))
