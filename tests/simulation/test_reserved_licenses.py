"""Reservations of licenses, as Slurm makes them: without nodes, and for jobs on any nodes.

Source: Slurm 22.05, as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import (
    Cause,
    License,
    PassSettings,
    Request,
    Reservation,
    ReservationFlag,
    SchedulerSettings,
)
from predictor.forecast import forecast
from predictor.site import Site

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=60))
POOL = License(name="matlab", total=10)


def licensed(id_, amount, minutes, **of_job):
    request = Request(nodes=1, cpus=1, limit_s=minutes * MINUTE, licenses=(("matlab", amount),))
    return waiting(id_, of_job=of_job | {"request": request})


def reserved(begins, ends, flags=(ReservationFlag.ANY_NODES,)):
    return Reservation(
        name="course",
        start_at=NOW + begins * MINUTE,
        end_at=NOW + ends * MINUTE,
        flags=frozenset(flags),
        licenses=(("matlab", 8),),
    )


def told(*jobs, policy="two-pass", pool=POOL, **more):
    snapshot = cluster(4, *jobs, settings=SETTINGS, licenses=(pool,), **more)
    site = Site.model_validate({"policy": {"name": policy}})
    return forecast(snapshot, site, explained=True)


def minutes(made):
    return {one.job_id: round((one.start_at - NOW) / MINUTE) for one in made.predictions}


@pytest.mark.parametrize("policy", ["easy", "conservative", "two-pass"])
def test_who_would_run_into_it_starts_behind_it(policy):
    jobs = licensed("1", 2, 10), licensed("2", 3, 11), waiting("3", 1, 60)
    made = told(*jobs, policy=policy, reservations=(reserved(10, 30),))
    assert minutes(made) == {"1": 0, "2": 30, "3": 0}
    why = next(one for one in made.predictions if one.job_id == "2")
    assert why.cause is Cause.LICENSES
    assert why.explanation.reservation == "course"


@pytest.mark.parametrize("policy", ["easy", "conservative", "two-pass"])
def test_they_are_back_once_it_is_over(policy):
    pool = replace(POOL, reserved=8)
    made = told(licensed("1", 3, 5), policy=policy, pool=pool, reservations=(reserved(-10, 20),))
    assert minutes(made) == {"1": 20}


def test_of_what_nobody_tells_they_are_kept():
    pool = replace(POOL, reserved=8)
    made = told(licensed("1", 2, 5), licensed("2", 2, 5), pool=pool)
    assert minutes(made) == {"1": 0, "2": 5}


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        pytest.param((ReservationFlag.ANY_NODES,), {"1": 10}, id="on any nodes"),
        pytest.param((), {}, id="on its own, of which there are none"),
    ],
)
def test_where_its_own_jobs_start(flags, expected):
    job = licensed("1", 8, 5, reservation="course")
    assert minutes(told(job, reservations=(reserved(10, 30, flags),))) == expected


def test_what_its_own_jobs_hold_is_kept_besides():
    request = Request(nodes=1, cpus=1, limit_s=900, licenses=(("matlab", 5),))
    own = running("9", "n1", 5, request=request, reservation="course")
    made = told(own, licensed("1", 2, 5), reservations=(reserved(-10, 20),))
    assert minutes(made) == {"1": 5}
