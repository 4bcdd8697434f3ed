"""Nodes that sleep to save power: told is when the job begins to run there, not when it is placed.

So does the batch system: it sets the start of such a job anew when its nodes have booted.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, running, waiting

from predictor.domain import NodeFlag, PassSettings, RunState, SchedulerSettings
from predictor.forecast import forecast
from predictor.site import Site, default, overlay

SETTINGS = SchedulerSettings(
    multifactor=False, passes=PassSettings(interval_s=30, step_s=1), boot_s=5 * MINUTE
)
SLEEPY = (
    replace(nodes(2)[0], flags=frozenset({NodeFlag.POWERED_DOWN})),
    nodes(2)[1],
)
"""n1 sleeps, n2 does not."""


def told(*jobs, site=None, **more):
    snapshot = cluster(2, *jobs, **({"nodes": SLEEPY, "settings": SETTINGS} | more))
    made = forecast(overlay(site or default(), snapshot), default())
    return {
        p.job_id: ((p.start_at - NOW) / MINUTE, (p.end_at - NOW) / MINUTE, p.node_names)
        for p in made.predictions
    }


def test_a_job_begins_when_its_node_has_booted_and_has_its_whole_time_from_then_on():
    found = told(waiting("1", 1, 10), waiting("2", 1, 10), waiting("3", 1, 10))
    assert found["1"] == (0, 10, ("n2",))
    assert found["2"] == (5, 15, ("n1",))
    assert found["3"][0] == 10


def test_the_second_job_on_it_finds_it_awake():
    found = told(running("r", "n2", 60), waiting("1", 1, 10), waiting("2", 1, 10))
    assert (found["1"][0], found["2"][0]) == (5, 15)


def test_the_site_knows_better_how_long_nodes_take():
    site = Site.model_validate({"forecast": {"boot_s": 120}})
    assert told(waiting("1", 2, 10), site=site)["1"][0] == 2


@pytest.mark.parametrize(("state", "next_at"), [(RunState.RUNNING, 10), (RunState.CONFIGURING, 15)])
def test_who_waits_for_its_nodes_now_ends_so_much_later(state, next_at):
    busy = replace(running("r", "n1 n2", 10), state=state)
    assert told(busy, waiting("1", 2, 10), nodes=nodes(2))["1"][0] == next_at


def test_a_node_that_boots_for_somebody_is_awake_for_who_comes_after():
    booting = replace(nodes(1)[0], flags=frozenset({NodeFlag.POWERING_UP}))
    busy = replace(running("r", "n1", 10), state=RunState.CONFIGURING)
    assert told(busy, waiting("1", 1, 10), nodes=(booting, nodes(2)[1]))["1"][0] == 0
    assert told(busy, waiting("1", 2, 10), nodes=(booting, nodes(2)[1]))["1"][0] == 15
