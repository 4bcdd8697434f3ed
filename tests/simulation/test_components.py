"""Heterogeneous jobs under the batch system's own two passes: each component in its own place."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, waiting

from predictor.domain import PassSettings, SchedulerSettings
from predictor.domain.job import HetComponent
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.simulation.story import Story, retell
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30))


def component(offset, count, minutes=10, **of_job):
    het = HetComponent(job_id="5", offset=offset)
    return waiting(f"5+{offset}", count, minutes, of_job={"het": het} | of_job)


def told(count, *jobs):
    found = plan(cluster(count, *jobs, settings=SETTINGS), default())
    return {id_: round((one.start_at - NOW) / MINUTE) for id_, one in found.items()}


# minute 0      10         20
# n1   r r r r | 6        |          6 has a slot before 5+1 is looked at
# n2   5+0     |          |
# n3           | 6        | 5+1
@pytest.mark.parametrize(("minutes", "start"), [(60, 20), (5, 0)])
def test_others_may_stand_between_two_components(minutes, start):
    found = told(
        3,
        running("1", "n1", 10),
        component(0, 1, 60, priority=30),
        waiting("6", 2, of_job={"priority": 20}),
        component(1, 1, minutes, priority=10),
    )
    assert found == {"5+0": 0, "6": 10, "5+1": start}


def test_they_start_together_and_run_as_long_as_told():
    jobs = running("1", "n1", 10), component(0, 1), component(1, 2)
    snapshot = cluster(3, *jobs, waiting("6", 3), settings=SETTINGS)
    story = Story(run_s={"5": 100}, ends_at={"1": NOW + 70})
    starts = retell(snapshot, story, NOW + HOUR)
    # The passes at 90 and at 210 are the first that see the ends.
    assert {id_: one.at - NOW for id_, one in starts.items()} == {"5": 90, "6": 190}
    assert starts["5"].node_names == ("n1", "n2", "n3")


def test_an_arrival_comes_with_all_its_components():
    come = tuple(
        replace(one, spec=replace(one.spec, submitted_at=NOW + 40))
        for one in (component(0, 1), component(1, 1))
    )
    starts = retell(cluster(2, settings=SETTINGS), Story(arrivals=come), NOW + HOUR)
    assert (starts["5"].at - NOW, starts["5"].node_names) == (60, ("n1", "n2"))


def test_one_of_them_may_be_changed():
    slim = component(1, 1)
    jobs = running("1", "n1", 50), component(0, 1), component(1, 2)
    snapshot = cluster(3, *jobs, settings=SETTINGS)
    starts = retell(snapshot, Story(changes=((NOW + 100, slim),)), NOW + HOUR)
    assert (starts["5"].at - NOW, starts["5"].node_names) == (120, ("n2", "n3"))


def test_a_forecast_has_one_start_for_all():
    jobs = running("1", "n1", 10), component(0, 1), component(1, 2)
    made = forecast(cluster(3, *jobs, settings=SETTINGS), default())
    assert {one.job_id: one.start_at - NOW for one in made.predictions} == {
        "5+0": 10 * MINUTE,
        "5+1": 10 * MINUTE,
    }
