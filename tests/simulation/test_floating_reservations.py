"""Reservations that move along with the clock: always as far ahead, for shorter jobs to go before.

Source: Slurm 22.05.8, as measured on a real one.
"""

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import (
    PassSettings,
    Request,
    Reservation,
    ReservationFlag,
    SchedulerSettings,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.site import Site

PASSES = SchedulerSettings(passes=PassSettings(interval_s=30, step_s=1))
FLOATING = Reservation(
    name="float",
    start_at=NOW + 30 * MINUTE - 1,
    end_at=NOW + 90 * MINUTE - 1,
    node_names=("n1",),
    flags=frozenset({ReservationFlag.TIME_FLOAT}),
)
"""Half an hour ahead. What tells of it was asked a second before."""


def minutes(*jobs, policy="two-pass", count=1):
    site = Site.model_validate({"policy": {"name": policy}})
    made = forecast(cluster(count, *jobs, reservations=(FLOATING,), settings=PASSES), site)
    starts = {one.job_id: (one.start_at - NOW) // MINUTE for one in made.predictions}
    return starts | {one.job_id: one.cause for one in made.abstentions}


# n1   held for 20 minutes: 10 more, and 1 would be in what is reserved as seen now
@pytest.mark.parametrize("policy", ["easy", "conservative", "two-pass"])
def test_who_is_shorter_starts_before_it_whenever_that_is(policy):
    there = running("9", "n1", 20)
    assert minutes(there, waiting("1", 1, 30), waiting("2"), policy=policy) == {"1": 20, "2": 50}


@pytest.mark.parametrize("policy", ["easy", "conservative", "two-pass"])
def test_who_is_longer_never_starts_there(policy):
    assert minutes(waiting("1", 1, 31), policy=policy) == {"1": Unpredictable.NEVER_FITS}
    others = running("8", "n2", 20), waiting("1", 1, 31), waiting("2", 1, 30)
    assert minutes(*others, policy=policy, count=2) == {"1": 20, "2": 0}


def test_nor_is_anybody_kept_from_it_who_would_accept_less():
    request = Request(nodes=1, cpus=1, limit_s=60 * MINUTE, limit_min_s=30 * MINUTE)
    assert minutes(waiting("1", of_job={"request": request})) == {"1": 0}
