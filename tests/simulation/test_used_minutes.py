"""Limits on what is used up in all: jobs that wait for its decay.

Source: Slurm 22.05, GrpTRESMins, as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, waiting

from predictor.domain import (
    Association,
    Fairshare,
    Limits,
    Obstacle,
    PassSettings,
    Qos,
    QosFlag,
    SchedulerSettings,
    Unpredictable,
    Usage,
)
from predictor.forecast import forecast
from predictor.site import default

HALF_LIFE_MIN = 60
SETTINGS = SchedulerSettings(
    multifactor=True,
    limits_enforced=True,
    limits_safe=True,
    priority_half_life_s=HALF_LIFE_MIN * MINUTE,
    passes=PassSettings(interval_s=30, step_s=1),
)
CAP = Limits(group_tres_minutes=(("cpu", 1_000),))
# 4 CPUs for 10 minutes
JOB = replace(waiting("1", of_job={"account": "physics", "qos": "tight"}), obstacle=Obstacle.USAGE)


def used(cpu_minutes):
    return Usage(tres_minutes=(("billing", cpu_minutes), ("cpu", cpu_minutes)))


def account(usage, fairshare=None):
    return Association(account="physics", limits=CAP, usage=usage, fairshare=fairshare)


def told(settings=SETTINGS, **more):
    """In how many minutes the job starts, or why that is not told."""
    made = forecast(cluster(1, JOB, settings=settings, **more), default())
    if made.abstentions:
        return made.abstentions[0].cause
    return (made.predictions[0].start_at - NOW) / MINUTE


# It fits under the cap once 960 minutes are left of twice as many, or of 1,000.
@pytest.mark.parametrize(("minutes", "start"), [(1_920, 60), (1_000, 3.53), (900, 0)])
def test_it_starts_once_enough_has_decayed(minutes, start):
    assert told(associations=(account(used(minutes)),)) == pytest.approx(start, abs=0.6)
    qos = Qos(name="tight", limits=CAP, usage=used(minutes))
    assert told(qos=(qos,)) == pytest.approx(start, abs=0.6)


def test_what_does_not_decay_keeps_it_back_for_good():
    qos = Qos(name="tight", limits=CAP, usage=used(1_920), flags=frozenset({QosFlag.NO_DECAY}))
    assert told(qos=(qos,)) is Unpredictable.LIMIT


def test_what_is_not_counted_does_not_decay():
    basic = replace(SETTINGS, multifactor=False)
    assert told(basic, associations=(account(used(1_920)),)) is Unpredictable.LIMIT


def test_where_nobody_tells_what_is_used_up_it_is_not_told():
    assert told(qos=(Qos(name="tight", limits=CAP),)) is Unpredictable.LIMIT


@pytest.mark.parametrize(("seconds", "start"), [(900 * 60, 0), (1_920 * 60, 60), (0, 3.53)])
def test_what_fair_share_tells_later_counts(seconds, start):
    """Of nothing it may be that nobody counts."""
    known = account(used(1_000), Fairshare(usage_raw=seconds))
    assert told(associations=(known,)) == pytest.approx(start, abs=0.6)
