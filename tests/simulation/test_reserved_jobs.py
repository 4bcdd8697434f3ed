"""Who asks for a reservation: nobody looks at it before that has begun.

Source: Slurm 22.05, job_test_resv_now, and as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import (
    Association,
    Cause,
    PassSettings,
    Reservation,
    ReservationFlag,
    SchedulerSettings,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=60))


def asking(id_, count=1, minutes=10):
    return waiting(id_, count, minutes, of_job={"reservation": "course"})


def reserved(name, names, begins, ends, *flags):
    return Reservation(
        name=name,
        start_at=NOW + begins * MINUTE,
        end_at=NOW + ends * MINUTE,
        node_names=tuple(names.split()),
        flags=frozenset(flags),
    )


def scene(*jobs, begins=60, flags=(), count=2):
    """n1 n2, reserved for two hours, behind which n3, if there is one, is."""
    course = reserved("course", "n1 n2", begins, begins + 120, *flags)
    before = (reserved("before", "n3", -10, begins),) if count > 2 else ()
    return cluster(count, *jobs, settings=SETTINGS, reservations=(course, *before))


def minutes(starts):
    return {id_: (at - NOW) / MINUTE for id_, at in starts}


def planned(*jobs, **more):
    found = plan(scene(*jobs, **more), default())
    return minutes((id_, one.start_at) for id_, one in found.items())


def simulated(*jobs, **more):
    made = forecast(scene(*jobs, **more), default())
    return minutes((one.job_id, one.start_at) for one in made.predictions)


# n1 n2   held for 30 minutes, reserved from 60 minutes on
@pytest.mark.parametrize(
    ("flags", "lasts", "starts"),
    [
        pytest.param((), 45, 30, id="not even where they would meet the reservation"),
        pytest.param((ReservationFlag.FLEX,), 15, 40, id="unless it may run before"),
    ],
)
def test_no_plan_of_its_own_keeps_others_off(flags, lasts, starts):
    """Who is planned behind those who run meets reservations unawares, as in Slurm's plans."""
    there = running("a", "n1 n2", 30)
    found = planned(there, asking("1", 2, 10), waiting("2", 2, lasts), flags=flags, count=3)
    assert found["2"] == pytest.approx(starts, abs=0.5)


def test_it_starts_when_its_reservation_begins():
    assert simulated(asking("1"), begins=20)["1"] == pytest.approx(20, abs=1.1)


def test_once_that_has_begun_it_starts_at_once():
    assert simulated(asking("1"), begins=-20)["1"] == 0


def test_that_is_why_it_waits():
    made = forecast(scene(asking("1"), begins=20), default(), explained=True)
    assert [one.cause for one in made.predictions] == [Cause.RESERVATION]
    why = made.predictions[0].explanation
    assert (why.reservation, why.own_reservation, why.not_before) == ("course", True, None)


def test_where_it_may_run_before_it_starts_at_once():
    found = simulated(asking("1"), asking("2", 2), begins=20, flags=(ReservationFlag.FLEX,))
    assert found == {"1": 0, "2": 10}


# n1 n2   reserved, free        n3   held for 30 minutes
@pytest.mark.parametrize(
    ("named", "begins", "start"),
    [
        pytest.param({"users": ("ada",)}, -10, 0, id="its user"),
        pytest.param({"users": ("bob",)}, -10, 30, id="another"),
        pytest.param({"users": ("-ada",)}, -10, 30, id="all but its user"),
        pytest.param({"users": ("-bob",)}, -10, 0, id="all but another"),
        pytest.param({"accounts": ("science",)}, -10, 0, id="an account above its own"),
        pytest.param({"accounts": ("arts",)}, -10, 30, id="another account"),
        pytest.param({"users": ("ada",), "accounts": ("arts",)}, -10, 30, id="not both"),
        pytest.param({"qos": ("fast",)}, -10, 0, id="its QOS"),
        pytest.param({"qos": ("slow",)}, -10, 30, id="another QOS"),
        pytest.param({"qos": ("-fast",)}, -10, 30, id="all but its QOS"),
        pytest.param({"allowed_partitions": ("batch", "x")}, -10, 0, id="its partition"),
        pytest.param({"allowed_partitions": ("x",)}, -10, 30, id="another partition"),
        pytest.param({"users": ("ada",), "qos": ("slow",)}, -10, 30, id="its user, another QOS"),
        pytest.param({}, -10, 30, id="nobody"),
        pytest.param({"users": ("ada",)}, 10, 10, id="once it begins"),
    ],
)
def test_a_magnetic_reservation_draws_in_who_may_use_it(named, begins, start):
    magnet = replace(
        reserved("m", "n1 n2", begins, 300, ReservationFlag.MAGNETIC, ReservationFlag.OVERLAP),
        **named,
    )
    job = waiting("1", 1, 30, of_job={"user": "ada", "account": "physics", "qos": "fast"})
    tree = tuple(
        Association(account=one, parent=above)
        for one, above in (("physics", "science"), ("science", "root"), ("root", ""))
    )
    found = cluster(
        3,
        running("a", "n3", 30),
        job,
        settings=SETTINGS,
        reservations=(magnet,),
        associations=tree,
    )
    (one,) = forecast(found, default()).predictions
    assert minutes([(one.job_id, one.start_at)])["1"] == pytest.approx(start, abs=1.1)


# n1   held for 30 minutes, reserved, but not bound to it        n2   free
@pytest.mark.parametrize(
    ("count", "starts"),
    [
        pytest.param(1, {"1": 10, "2": 0}, id="before those ahead of it in the queue"),
        pytest.param(2, {"1": 0, "2": 30}, id="but nothing is kept for it"),
    ],
)
def test_who_is_drawn_in_comes_first(count, starts):
    magnet = replace(
        reserved("m", "n1", -10, 300, ReservationFlag.MAGNETIC, ReservationFlag.FLEX),
        users=("ada",),
    )
    found = cluster(
        2,
        running("a", "n1", 30),
        waiting("1", 1, 10, of_job={"user": "bob"}),
        waiting("2", count, 10, of_job={"user": "ada"}),
        settings=SETTINGS,
        reservations=(magnet,),
    )
    made = forecast(found, default())
    started = minutes((one.job_id, one.start_at) for one in made.predictions)
    assert started == pytest.approx(starts, abs=1.1)


def test_who_also_asks_for_a_later_begin_waits_for_that():
    late = replace(asking("1"), begin_at=NOW + 30 * MINUTE)
    assert simulated(late, begins=20)["1"] == pytest.approx(30, abs=1.1)
