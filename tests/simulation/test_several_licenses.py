"""Who asks for licenses any of which will do."""

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import License, Limits, PassSettings, Qos, Request, SchedulerSettings
from predictor.forecast import forecast
from predictor.site import Site, default

PASSES = SchedulerSettings(limits_enforced=True, passes=PassSettings())


def asking(id_, licenses, *others, **of_job):
    request = Request(nodes=1, cpus=1, limit_s=600, licenses=licenses, other_licenses=others)
    return waiting(id_, of_job=of_job | {"request": request})


def minutes(made):
    return {one.job_id: (one.start_at - NOW) // MINUTE for one in made.predictions}


@pytest.mark.parametrize("policy", ["easy", "conservative", "two-pass"])
def test_it_starts_with_the_first_that_is_free(policy):
    held = Request(nodes=1, cpus=1, limit_s=1800, licenses=(("matlab", 1),))
    user = running("9", "n1", 30, request=held)
    pools = License(name="matlab", total=2), License(name="vasp", total=1)
    jobs = (asking(id_, (("matlab", 2),), ("fluent", 1), ("vasp", 1)) for id_ in "12")
    site = Site.model_validate({"policy": {"name": policy}})
    assert minutes(forecast(cluster(4, user, *jobs, licenses=pools), site)) == {"1": 0, "2": 10}


def test_limits_count_the_one_that_is_taken():
    capped = Qos(name="q", limits=Limits(group_tres=(("license/fluent", 1),)))
    jobs = (asking(id_, (("matlab", 1),), ("fluent", 1), qos="q") for id_ in "12")
    pools = (License(name="fluent", total=2),)
    made = forecast(cluster(2, *jobs, licenses=pools, qos=(capped,), settings=PASSES), default())
    assert minutes(made) == {"1": 0, "2": 10}
