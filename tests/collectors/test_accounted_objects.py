"""Accounting by JSON tells what sacct tells."""

import json
from dataclasses import replace

import pytest

from collectors.slurm.objects.accounting import parse_ended
from collectors.slurm.text.accounting import parse_accounting
from predictor.domain import UNLIMITED, Outcome
from predictor.errors import SourceError

VERSIONS = ("22.05", "24.11", "26.05")


@pytest.fixture
def accounted(recorded):
    """Return what was recorded of a version's accounting."""

    def read(version, name):
        return (recorded / f"slurm-{version}" / "accounting" / name).read_text()

    return read


def one(answer, number, **changed):
    record = next(job for job in json.loads(answer)["jobs"] if job["job_id"] == number)
    jobs, bad = parse_ended(json.dumps({"jobs": [record | changed], "errors": []}), "here")
    assert not bad
    return jobs[0] if jobs else None


@pytest.mark.parametrize("version", VERSIONS)
def test_the_same_jobs_as_by_sacct(accounted, version):
    by_text, _ = parse_accounting(accounted(version, "sacct.txt"))
    by_json, bad = parse_ended(accounted(version, "jobs.json"), "here")
    assert len(by_json) > 1
    assert not bad
    told = {job.spec.id: job for job in by_json}
    for job in by_text:
        theirs = told.pop(job.spec.id)
        if job.spec.reservation != theirs.spec.reservation:  # sacct tells it from 26.05 on
            theirs = replace(theirs, spec=replace(theirs.spec, reservation=job.spec.reservation))
        assert theirs == job
    assert not told


@pytest.mark.parametrize("version", VERSIONS)
def test_the_tasks_of_an_array_that_was_given_up_while_it_waited(accounted, version):
    answer = accounted(version, "jobs.json")
    waiting = next(job for job in json.loads(answer)["jobs"] if job["job_id"] == 7)
    words = ["CANCELLED"] if isinstance(waiting["state"]["current"], list) else "CANCELLED"
    job = one(answer, 7, state={"current": words})
    first = 1 if version == "24.11" else 0
    assert job.spec.id == f"7_[{first}-9%2]"
    assert (job.spec.array.tasks, job.spec.array.max_running) == (tuple(range(first, 10)), 2)
    assert (job.outcome, job.started_at) == (Outcome.CANCELLED, None)


def test_who_waits_or_runs_has_not_ended_whatever_end_is_told(accounted):
    assert one(accounted("26.05", "jobs.json"), 4) is None


def test_a_run_that_was_sent_back_has_ended(accounted):
    job = one(accounted("26.05", "jobs.json"), 10, state={"current": ["REQUEUED"]})
    assert job.outcome is Outcome.PREEMPTED


def test_exit_codes_and_limits(accounted):
    answer = accounted("26.05", "jobs.json")
    failed = {"status": ["ERROR"], "return_code": {"set": True, "infinite": False, "number": 3}}
    killed = {"status": ["SIGNALED"], "return_code": {"set": False, "infinite": False}}
    state = {"current": ["FAILED"]}
    assert one(answer, 10, exit_code=failed, state=state).exit_code == 3
    assert one(answer, 10, exit_code=killed, state=state).exit_code is None
    limit = {"set": False, "infinite": True, "number": 0}
    times = {"submission": 5, "start": 6, "end": 7, "limit": limit}
    assert one(answer, 10, time=times).spec.request.limit_s is UNLIMITED


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("[]", id="a list"),
        pytest.param('{"jobs": 1}', id="no jobs"),
        pytest.param('{"jobs": [], "errors": [{"error": "down"}]}', id="an error reported"),
        pytest.param('{"jobs": [{}, 7, {"state": {"current": ["COMPLETED"]}}]}', id="no sense"),
    ],
)
def test_what_makes_no_sense_is_refused(text):
    with pytest.raises(SourceError):
        parse_ended(text, "here")


def test_absurd_instants_and_masks_are_bad_records(accounted):
    records = json.loads(accounted("26.05", "jobs.json"))["jobs"]
    record = next(one for one in records if one["job_id"] == 10)
    bad = [
        record | {"time": {"submission": 2**39, "end": 2**39}},
        record | {"array": {"job_id": 1, "task": "0x" + "f" * 1_100_000}},
        record | {"array": {"job_id": 1, "task": "0xZZ"}},
    ]
    jobs, (quarantined,) = parse_ended(json.dumps({"jobs": bad + [record] * 4}), "here")
    assert (len(jobs), quarantined.count) == (4, 3)
