"""Courses of one snapshot: one of them as a forecast, many as the starts in each."""

from dataclasses import replace
from itertools import repeat

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, running, waiting
from hypothesis import given, settings
from hypothesis import strategies as st
from services import StandingClock

from predictor.domain import (
    Cause,
    Dependency,
    DependencyKind,
    Hold,
    PassSettings,
    RunState,
    SchedulerSettings,
    Snapshot,
)
from predictor.forecast import forecast
from predictor.sampling import Sampled, starts_of
from predictor.scheduling.policy import POLICIES
from predictor.simulation.courses import Course
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story, retell
from predictor.site import Site, default

SITE = default()
SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1))
UNTIL = NOW + SITE.forecast.horizon_s


def scene(count, *jobs, **more):
    return cluster(count, *jobs, settings=SETTINGS, **more)


def under(policy: str) -> Site:
    return Site.model_validate({"policy": {"name": policy}})


def sampled(
    snapshot, *courses, scenarios=((),), site=SITE, threads=1, budget_s=1.0, clock=None
) -> Sampled:
    return starts_of(
        snapshot,
        site,
        courses,
        scenarios,
        clock=clock or StandingClock(),
        budget_s=budget_s,
        threads=threads,
    )


def first_starts(made):
    return {p.job_id: p.start_at for p in made.predictions}


@st.composite
def crowds(draw) -> Snapshot:
    """A small cluster with more work than it can begin at once."""
    count = draw(st.integers(1, 4))
    shapes = st.tuples(st.integers(1, count), st.integers(1, 120))
    queue = [
        waiting(str(100 + i), nodes, minutes, of_job={"submitted_at": NOW - HOUR + i})
        for i, (nodes, minutes) in enumerate(draw(st.lists(shapes, max_size=8)))
    ]
    if draw(st.booleans()):
        tasks = array("200", draw(st.integers(1, 4)), draw(st.integers(1, 90)), draw(st.just(2)))
        queue.append(tasks)
    if queue and draw(st.booleans()):
        after = Dependency(kind=DependencyKind.AFTER_ANY, job_id=queue[0].spec.id)
        queue.append(waiting("300", dependencies=(after,)))
    left = draw(st.lists(st.integers(-9, 90), max_size=count))
    busy = [running(str(i), f"n{i}", minutes) for i, minutes in enumerate(left, start=1)]
    return scene(count, *queue, *busy)


def limits_of(snapshot: Snapshot) -> Course:
    """The course in which everybody runs into the limit, and says so."""
    waits = ((id_, job) for job in snapshot.pending for id_ in single_ids(job.spec))
    return Course(
        run_s={id_: job.spec.request.limit_s for id_, job in waits},
        ends_at={job.spec.id: job.ends_by for job in snapshot.running if job.ends_by > NOW},
    )


@st.composite
def courses_of(draw, snapshot: Snapshot) -> Course:
    """Any course of the snapshot, shorter and longer than the limits."""
    ids = [id_ for job in snapshot.pending for id_ in single_ids(job.spec)]
    some = st.integers(1, 3 * HOUR)
    return Course(
        run_s={id_: draw(some) for id_ in ids},
        ends_at={job.spec.id: NOW + draw(some) for job in snapshot.running},
        leaves_at={id_: NOW + draw(some) for id_ in ids if draw(st.integers(0, 4)) == 0},
    )


# -- one course -------------------------------------------------------------------------------


def test_the_run_time_moves_the_clock_and_the_limit_the_plans():
    # n1 [ running, limit 60, really 10 ]
    # n2   free          "wide" waits for n1; "long" would end after minute 60, "short" before
    queue = (
        waiting("wide", 2, 30, of_job={"submitted_at": NOW - 9}),
        waiting("long", 1, 90, of_job={"submitted_at": NOW - 8}),
        waiting("short", 1, 50, of_job={"submitted_at": NOW - 7}),
    )
    course = Course(
        ends_at={"r": NOW + 10 * MINUTE}, run_s={"wide": 60, "long": 60, "short": 20 * MINUTE}
    )
    made = forecast(scene(2, running("r", "n1", 60), *queue), SITE, course)
    told = {
        p.job_id: ((p.start_at - NOW) // MINUTE, p.end_at - p.start_at) for p in made.predictions
    }
    assert told == {"short": (0, 20 * MINUTE), "wide": (20, 60), "long": (21, 60)}


@settings(deadline=None)
@given(crowds(), st.sampled_from(sorted(POLICIES)))
def test_a_course_of_limits_is_the_forecast_without_a_course(snapshot, policy):
    site = under(policy)
    plain = forecast(snapshot, site, explained=True)
    assert forecast(snapshot, site, limits_of(snapshot), explained=True) == plain


@settings(deadline=None)
@given(st.data())
def test_a_course_starts_whom_a_story_of_the_same_starts(data):
    snapshot = data.draw(crowds())
    course = data.draw(courses_of(snapshot))
    story = Story(run_s=course.run_s, ends_at=course.ends_at, leaves_at=course.leaves_at)
    told = retell(snapshot, story, UNTIL)
    firsts = {
        job.spec.id: min(
            (told[id_].at for id_ in single_ids(job.spec) if id_ in told), default=None
        )
        for job in snapshot.pending
    }
    found = sampled(snapshot, course).starts
    assert {id_: found.get(id_, (None,))[0] for id_ in firsts} == firsts
    said = first_starts(forecast(snapshot, SITE, course, explained=True))
    assert said == {id_: at for id_, at in firsts.items() if at is not None}


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_every_policy_goes_by_the_course(policy):
    snapshot = scene(1, running("r", "n1", 60), waiting("1", 1, 60), waiting("2", 1, 60))
    course = Course(ends_at={"r": NOW + 77}, run_s={"1": 100, "2": 100})
    at = sampled(snapshot, course, site=under(policy)).starts
    assert at == {"1": (NOW + 77,), "2": (NOW + 177,)}


@pytest.mark.parametrize("number", [-(10**30), -1, 0, 1, 10**30])
def test_numbers_that_cannot_be_are_taken_for_the_nearest_that_can(number):
    snapshot = scene(1, running("r", "n1", 10), waiting("1"), waiting("2"))
    course = Course(
        run_s={"1": number, "none of these": 5}, ends_at={"r": number, "9": 1}, leaves_at={"8": 1}
    )
    at = sampled(snapshot, course).starts
    if number > 1:
        assert at == {"1": (None,), "2": (None,)}
    else:
        assert at == {"1": (NOW + 1,), "2": (NOW + 2,)}


@pytest.mark.parametrize(("leaves_at", "start"), [(-5, None), (NOW + 9, None), (10**30, NOW + 10)])
def test_who_leaves_in_time_does_not_start(leaves_at, start):
    snapshot = scene(1, running("r", "n1", 10), waiting("1"))
    course = Course(ends_at={"r": NOW + 10}, leaves_at={"1": leaves_at})
    assert sampled(snapshot, course).starts == {"1": (start,)}


def test_the_nodes_of_whoever_is_only_being_completed_are_free_in_a_moment():
    ending = replace(running("r", "n1", 60), state=RunState.COMPLETING)
    course = Course(ends_at={"r": NOW + HOUR})
    assert sampled(scene(1, ending, waiting("1")), course).starts == {"1": (NOW + 1,)}


def test_an_explanation_names_the_end_in_the_course():
    snapshot = scene(1, running("r", "n1", 60), waiting("1"))
    course = Course(ends_at={"r": NOW + 77})
    [told] = forecast(snapshot, SITE, course, explained=True).predictions
    assert told.cause is Cause.RESOURCES
    assert [(one.job_id, one.at) for one in told.explanation.waits_for] == [("r", NOW + 77)]


# -- many courses -----------------------------------------------------------------------------


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_draws_are_the_same_in_any_number_of_threads(data):
    snapshot = data.draw(crowds())
    courses = data.draw(st.lists(courses_of(snapshot), max_size=5))
    assert sampled(snapshot, *courses, threads=3) == sampled(snapshot, *courses)


def test_of_whom_nothing_can_be_told_is_missing():
    snapshot = scene(1, waiting("1", hold=Hold.USER), waiting("2", 5), waiting("3"))
    assert sampled(snapshot, Course(), Course()).starts == {"3": (NOW, NOW)}


def test_of_an_array_it_is_the_next_task():
    snapshot = scene(1, running("r", "n1", 10), array("5", 3))
    course = Course(ends_at={"r": NOW + 10}, leaves_at={"5_0": NOW + 5}, run_s={"5_1": 7})
    assert sampled(snapshot, course).starts == {"5_[0-2]": (NOW + 10,)}


@settings(deadline=None, max_examples=30)
@given(crowds())
def test_newcomers_behind_everybody_change_nobody_where_nobody_may_pass(snapshot):
    come = tuple(waiting(f"9{i}", of_job={"submitted_at": NOW + 1 + i}) for i in range(3))
    site = under("fcfs")
    alone = sampled(snapshot, Course(), site=site)
    assert sampled(snapshot, Course(), scenarios=(come,), site=site) == alone


def test_a_newcomer_takes_its_place_by_priority_when_it_comes():
    # n1 [ running until 10 ]   "1" waits; who comes at 5 with a higher priority is before it
    snapshot = scene(1, running("r", "n1", 10), waiting("1", of_job={"priority": 50}))
    course = Course(run_s={"2": 60})
    for priority, at in ((90, NOW + 11 * MINUTE), (10, NOW + 10 * MINUTE)):
        comer = waiting("2", of_job={"submitted_at": NOW + 300, "priority": priority})
        found = sampled(snapshot, course, Course(scenario=1), scenarios=((comer,), ()))
        assert found.starts == {"1": (at, NOW + 10 * MINUTE)}


def test_each_course_has_the_newcomers_of_its_scenario_alone():
    # n1 [ running until 10 ]   whoever comes is before "1" and runs for a minute
    snapshot = scene(1, running("r", "n1", 10), waiting("1", of_job={"priority": 50}))
    a, b = (waiting(id_, of_job={"submitted_at": NOW + 300, "priority": 90}) for id_ in ("2", "3"))
    scenarios, run_s = ((a,), (a, b), (), (b,)), {"2": 60, "3": 120}
    courses = [Course(scenario=number, run_s=run_s) for number in range(4)]
    found = sampled(snapshot, *courses, scenarios=scenarios).starts["1"]
    assert [at - NOW - 10 * MINUTE for at in found] == [60, 180, 0, 120]
    alone = [
        sampled(snapshot, Course(run_s=run_s), scenarios=(come,)).starts["1"] for come in scenarios
    ]
    assert [(at,) for at in found] == alone


def test_newcomers_under_a_taken_id_do_not_come():
    snapshot = scene(1, running("r", "n1", 10), waiting("1"))
    come = tuple(waiting(id_, 1, 60, of_job={"submitted_at": NOW + 1}) for id_ in ("r", "1"))
    assert sampled(snapshot, Course(), scenarios=(come,)) == sampled(snapshot, Course())


@pytest.mark.parametrize("number", [-1, 1])
def test_a_scenario_that_is_not_there_is_an_error(number):
    with pytest.raises(IndexError, match=f"there is no scenario {number}"):
        sampled(scene(1, waiting("1")), Course(scenario=number))


class Ticking(StandingClock):
    """A second passes with each look at it."""

    def monotonic(self):
        self.at += 1
        return self.at


def test_draws_end_with_the_time_for_them():
    snapshot = scene(1, running("r", "n1", 10), waiting("1"))
    found = sampled(snapshot, *repeat(Course(), 100), clock=Ticking(), budget_s=30)
    assert 1 < found.draws < 30
    assert found.starts == {"1": (NOW + 10 * MINUTE,) * found.draws}
    assert sampled(snapshot, Course(), budget_s=0) == Sampled(draws=0, starts={})


def test_without_a_proper_date_nothing_is_drawn():
    snapshot = replace(scene(1, waiting("1")), taken_at=-1)
    assert sampled(snapshot, Course()) == Sampled(draws=0, starts={})
