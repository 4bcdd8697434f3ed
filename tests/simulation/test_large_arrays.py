"""Arrays of a million tasks cost what those of them cost that are simulated."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, array, cluster, running, unread, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import StandingClock

from predictor.domain import (
    ArrayTasks,
    Dependency,
    DependencyKind,
    PassSettings,
    SchedulerSettings,
    Unpredictable,
)
from predictor.experience import Experience
from predictor.forecast import forecast
from predictor.outlooks import likely, with_outlooks
from predictor.simulation.dependencies import Roll, single_ids
from predictor.site import Site
from predictor.supposing import suppose
from predictor.suppositions import Supposition

FEW = Site.model_validate({"forecast": {"array_tasks_max": 3, "draws": 2, "arrivals": False}})
SLURM = SchedulerSettings(passes=PassSettings(interval_s=30), limits_enforced=True)


def after(job, kind, other):
    return replace(job, dependencies=(Dependency(kind=kind, job_id=other),))


@pytest.mark.parametrize("at_once", [None, 2])
def test_no_more_tasks_are_looked_at_than_are_simulated(at_once):
    same = after(unread(array("6", 90)), DependencyKind.AFTER_CORR, "5")
    jobs = unread(array("5", 90, at_once=at_once)), same, waiting("7")
    scene = cluster(1, running("r", "n1", 30), *jobs, settings=SLURM)
    experience = Experience.of(FEW)
    made = likely(scene, FEW, experience)
    clock, budget_s = StandingClock(), 60.0
    told = with_outlooks(made, scene, FEW, experience, clock=clock, budget_s=budget_s)
    assert {p.job_id: p.outlook is not None for p in told.forecast.predictions} == {
        job.spec.id: True for job in jobs
    }
    other = Supposition(job=waiting("8"), instead_of=jobs[0].spec.id)
    found = suppose([other], made, scene, FEW, experience, clock=clock, budget_s=budget_s)
    assert found["8"].outlook is not None


def minutes(scene):
    return {p.job_id: (p.start_at - NOW) / MINUTE for p in forecast(scene, FEW).predictions}


def causes(scene):
    return {a.job_id: a.cause for a in forecast(scene, FEW).abstentions}


@pytest.mark.parametrize("other", ["5_8", "5"])
def test_who_waits_for_a_task_that_is_not_simulated_is_not_foreseen(other):
    job = after(waiting("6"), DependencyKind.AFTER_ANY, other)
    assert causes(cluster(4, array("5", 9), job)) == {"6": Unpredictable.DEPENDENCY}


@pytest.mark.parametrize("other", ["5_9", "5_08", "5_-1", "5_" + 5000 * "9", "5_x", "4_8"])
def test_who_waits_for_a_task_that_is_none_of_the_array_waits_for_nobody(other):
    job = after(waiting("6"), DependencyKind.AFTER_ANY, other)
    assert minutes(cluster(4, array("5", 9), job))["6"] == 0


def test_of_an_array_each_task_waits_for_its_own_even_if_that_is_not_simulated():
    def tasks(id_, *numbers):
        job = array(id_, 2)
        spec = replace(job.spec, id=id_, array=ArrayTasks(job_id=id_, tasks=numbers))
        return after(replace(job, spec=spec), DependencyKind.AFTER_CORR, "5")

    scene = cluster(9, array("5", 9), tasks("6", 7, 8), tasks("7", 7, 9), tasks("8", 1, 8))
    assert causes(scene) == {"6": Unpredictable.DEPENDENCY}
    assert minutes(scene) | {"5_[0-8]": 0} == {"5_[0-8]": 0, "7": 0, "8": 10}


def plain(id_):
    return waiting(id_).spec


@given(
    st.lists(st.sets(st.integers(0, 12), max_size=4)),
    st.lists(st.sampled_from(["5", "5_3", "6", "6_1"])),
)
def test_a_roll_knows_the_ids_of_all_records_and_single_jobs(arrays, others):
    specs = [plain(id_) for id_ in others]
    for tasks in map(sorted, arrays):
        members = ArrayTasks(job_id="5", tasks=tuple(tasks))
        specs.append(replace(plain(f"5_{tasks}"), array=members))
    roll = Roll.of(specs)
    taken = {spec.id for spec in specs} | {id_ for spec in specs for id_ in single_ids(spec)}
    asked = taken | {f"5_{task}" for task in range(14)} | {"5", "6", "", "_", "5_"}
    assert {id_ for id_ in asked if id_ in roll} == taken
