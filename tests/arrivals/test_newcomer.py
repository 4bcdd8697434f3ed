"""What was submitted once comes again as a job of its own."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, array, waiting

from predictor.arrivals.newcomer import newcomer
from predictor.arrivals.submission import submission_of
from predictor.domain import (
    Dependency,
    DependencyKind,
    HetComponent,
    Hold,
    Obstacle,
    PriorityFactors,
    Untrusted,
)

MARK = "\0later."
THEN = NOW - HOUR
SOON = THEN + 24 * HOUR


def again(job, company=(), released_s=None, keep_points=False):
    """Return the job as it comes a day later."""
    submission = submission_of([job], keep_points=keep_points)
    if released_s is not None:
        submission = replace(submission, released_s=released_s)
    return newcomer(submission, 24 * HOUR, MARK, set(company))


def after(*ids, kind=DependencyKind.AFTER_ANY):
    return tuple(Dependency(kind=kind, job_id=id_) for id_ in ids)


def test_it_is_another_job_of_the_same_kind():
    asked = waiting("7", 4, 30, of_job={"name": Untrusted("md"), "eligible_at": THEN + 1})
    job = again(asked)
    spec = job.spec
    assert (spec.id, spec.user, spec.name, spec.request) == (
        MARK + "7",
        asked.spec.user,
        asked.spec.name,
        asked.spec.request,
    )
    assert (spec.submitted_at, spec.eligible_at, spec.accrues_age_since) == (SOON, SOON, SOON)


def test_its_priority_is_for_the_formula_to_find():
    factors = PriorityFactors(partition="batch", priority=120, age=20, fairshare=100)
    asked = waiting("7", of_job={"priority": 120}, priorities=(factors,))
    assert again(asked).priorities == ()
    assert again(asked).spec.priority is None
    hidden = again(asked, keep_points=True).priorities
    assert hidden == (replace(factors, priority=100, age=0),)


@pytest.mark.parametrize(
    ("company", "released_s", "waits_for", "begins_s"),
    [
        pytest.param({"5", "6"}, None, ("5", "6"), None, id="for those who come with it"),
        pytest.param({"6"}, None, ("6",), None, id="for one of them"),
        pytest.param((), 900, (), 900, id="for nobody else, but as long as then"),
    ],
)
def test_what_it_depended_on(company, released_s, waits_for, begins_s):
    job = again(waiting("7", dependencies=after("5", "6")), company, released_s)
    assert job.dependencies == after(*(MARK + id_ for id_ in waits_for))
    assert job.begin_at == (None if begins_s is None else SOON + begins_s)
    assert job.spec.eligible_at == (None if waits_for else SOON + begins_s)


def test_an_arrays_task_stands_for_the_array():
    job = again(waiting("7", dependencies=after("5_3")), {"5"})
    assert job.dependencies == after(MARK + "5")


def test_it_waits_for_its_namesakes_whoever_they_are():
    alone = after("", kind=DependencyKind.SINGLETON)
    assert again(waiting("7", dependencies=alone)).dependencies == alone


@pytest.mark.parametrize(
    "kept",
    [{"hold": Hold.USER}, {"hold": Hold.ADMIN}, {"dependencies": after("5")}],
    ids=["held by its user", "held by an administrator", "waiting for a job of before"],
)
def test_who_was_not_let_go_does_not_come_and_who_was_comes_free(kept):
    assert again(waiting("7", **kept)) is None
    job = again(waiting("7", **kept), released_s=1200)
    assert (job.hold, job.dependencies, job.begin_at) == (Hold.NONE, (), SOON + 1200)


def test_a_begin_time_is_as_far_ahead_as_it_was():
    assert again(waiting("7", begin_at=THEN + 2 * HOUR)).begin_at == SOON + 2 * HOUR
    assert again(waiting("7", begin_at=THEN - 2 * HOUR)).begin_at is None


def test_an_array_comes_with_all_its_tasks():
    job = again(array("7", 3, at_once=2))
    assert job.spec.array.job_id == MARK + "7"
    assert (job.spec.array.tasks, job.spec.array.max_running) == ((0, 1, 2), 2)


def test_components_stay_together():
    het = HetComponent(job_id="7", offset=1)
    job = again(waiting("7+1", of_job={"het": het}))
    assert (job.spec.id, job.spec.het.job_id) == (MARK + "7+1", MARK + "7")


@pytest.mark.parametrize(
    "job",
    [
        waiting("7", of_job={"restarts": 1}),
        waiting("7", obstacle=Obstacle.NEVER),
        waiting("7", obstacle=Obstacle.ADMIN),
    ],
    ids=["sent back into the queue", "cannot start", "somebody must act"],
)
def test_who_is_no_submission_to_be_met_again(job):
    assert submission_of([job], keep_points=False) is None
