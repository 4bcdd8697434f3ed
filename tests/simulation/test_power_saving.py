"""Nodes that sleep to save power: told is when the job begins to run there, not when it is placed.

So does the batch system: it sets the start of such a job anew when its nodes have booted.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import UNLIMITED, NodeFlag, PassSettings, RunState, SchedulerSettings
from predictor.forecast import forecast
from predictor.simulation.courses import Course
from predictor.site import Site, default, overlay

SETTINGS = SchedulerSettings(
    multifactor=False, passes=PassSettings(interval_s=30, step_s=1), boot_s=5 * MINUTE
)
SLEEPY = (
    replace(nodes(2)[0], flags=frozenset({NodeFlag.POWERED_DOWN})),
    nodes(2)[1],
)
"""n1 sleeps, n2 does not."""


def told(*jobs, site=None, course=None, **more):
    snapshot = cluster(2, *jobs, **({"nodes": SLEEPY, "settings": SETTINGS} | more))
    made = forecast(overlay(site or default(), snapshot), default(), course)
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


@pytest.mark.parametrize(("boots_s", "start"), [(60, 1), (600, 5), (None, 5)])
def test_a_course_may_tell_that_it_takes_less(boots_s, start):
    assert told(waiting("1", 2, 10), course=Course(boots_s=boots_s))["1"][0] == start


@pytest.mark.parametrize(("state", "next_at"), [(RunState.RUNNING, 10), (RunState.CONFIGURING, 15)])
def test_who_waits_for_its_nodes_now_ends_so_much_later(state, next_at):
    busy = replace(running("r", "n1 n2", 10), state=state)
    assert told(busy, waiting("1", 2, 10), nodes=nodes(2))["1"][0] == next_at


def test_a_node_that_boots_for_somebody_is_awake_for_who_comes_after():
    booting = replace(nodes(1)[0], flags=frozenset({NodeFlag.POWERING_UP}))
    busy = replace(running("r", "n1", 10), state=RunState.CONFIGURING)
    assert told(busy, waiting("1", 1, 10), nodes=(booting, nodes(2)[1]))["1"][0] == 0
    assert told(busy, waiting("1", 2, 10), nodes=(booting, nodes(2)[1]))["1"][0] == 15


DOZING = replace(SETTINGS, sleeps_after_s=20 * MINUTE)


def later(id_, names, at):
    """A job that may begin at that minute, on nodes of these names."""
    request = replace(waiting(id_).spec.request, required_nodes=tuple(names.split()))
    return waiting(id_, of_job={"request": request}, begin_at=NOW + at * MINUTE)


@pytest.mark.parametrize(
    ("idle_min", "settings", "starts"),
    [
        pytest.param(None, DOZING, 15, id="idle from now on, if nothing is told"),
        pytest.param(4, DOZING, 15, id="not long enough"),
        pytest.param(6, DOZING, 20, id="long enough"),
        pytest.param(99, DOZING, 20, id="it was not put to sleep yet"),
        pytest.param(6, replace(DOZING, sleepless_nodes=("n1",)), 15, id="it never sleeps"),
        pytest.param(6, replace(DOZING, sleepless_nodes=("n2",)), 20, id="another never does"),
        pytest.param(
            6, replace(DOZING, sleepless_partitions=("batch",)), 15, id="nor its partition"
        ),
    ],
)
def test_an_idle_node_falls_asleep(idle_min, settings, starts):
    since = None if idle_min is None else NOW - idle_min * MINUTE
    members = tuple(replace(node, idle_since=since) for node in nodes(2))
    found = told(later("1", "n1", 15), nodes=members, settings=settings)
    assert found["1"][0] == starts


@pytest.mark.parametrize(
    ("spans_min", "starts"),
    [
        pytest.param((None,), 15, id="as the cluster"),
        pytest.param((5,), 20, id="sooner than elsewhere"),
        pytest.param((5, 60), 15, id="the longest of its partitions counts"),
        pytest.param((5, UNLIMITED), 15, id="in one of them it never does"),
    ],
)
def test_partitions_say_when_their_nodes_fall_asleep(spans_min, starts):
    spans = [span * MINUTE if isinstance(span, int) else span for span in spans_min]
    names = ("batch", *(f"other{n}" for n in range(len(spans) - 1)))
    partitions = tuple(
        partition(name, nodes(2), sleeps_after_s=span)
        for name, span in zip(names, spans, strict=True)
    )
    found = told(later("1", "n1", 15), nodes=nodes(2), settings=DOZING, partitions=partitions)
    assert found["1"][0] == starts


@pytest.mark.parametrize(
    ("spans_min", "starts"),
    [
        pytest.param((None,), 5, id="as the cluster"),
        pytest.param((2,), 2, id="faster than elsewhere"),
        pytest.param((2, 7), 7, id="the longest of its partitions counts"),
    ],
)
def test_partitions_say_how_long_their_nodes_take_to_wake(spans_min, starts):
    spans = [span and span * MINUTE for span in spans_min]
    names = ("batch", *(f"other{n}" for n in range(len(spans) - 1)))
    partitions = tuple(
        partition(name, nodes(2), boot_s=span) for name, span in zip(names, spans, strict=True)
    )
    assert told(waiting("1", 2, 10), partitions=partitions)["1"][0] == starts
    booting = replace(running("r", "n1 n2", 10), state=RunState.CONFIGURING)
    found = told(booting, waiting("1", 2, 10), nodes=nodes(2), partitions=partitions)
    assert found["1"][0] == 10 + starts


def test_the_site_knows_better_than_partitions_too():
    site = Site.model_validate({"forecast": {"boot_s": 180}})
    found = told(waiting("1", 2), site=site, partitions=(partition("batch", SLEEPY, boot_s=9),))
    assert found["1"][0] == 3


@pytest.mark.parametrize(
    ("flag", "idle_min", "starts"),
    [
        pytest.param(NodeFlag.POWERED_DOWN, 99, 5, id="sleeps"),
        pytest.param(NodeFlag.POWERING_DOWN, None, 7, id="has just begun to fall asleep"),
        pytest.param(NodeFlag.POWERING_DOWN, 21, 6, id="began a minute ago"),
    ],
)
def test_who_falls_asleep_is_woken_once_it_sleeps(flag, idle_min, starts):
    since = None if idle_min is None else NOW - idle_min * MINUTE
    members = (replace(nodes(1)[0], flags=frozenset({flag}), idle_since=since), nodes(2)[1])
    settings = replace(DOZING, dozes_s=2 * MINUTE)
    assert told(waiting("1", 2, 10), nodes=members, settings=settings)["1"][0] == starts


def test_so_many_of_a_list_stay_awake():
    idle = tuple(replace(node, idle_since=NOW - 6 * MINUTE) for node in nodes(2))
    settings = replace(DOZING, sleepless_some=(("n[1-2]", 1),))
    found = told(later("1", "n1", 15), later("2", "n2", 15), nodes=idle, settings=settings)
    assert (found["1"][0], found["2"][0]) == (15, 20)


def test_a_list_that_names_no_nodes_keeps_none_awake():
    idle = tuple(replace(node, idle_since=NOW - 6 * MINUTE) for node in nodes(2))
    settings = replace(DOZING, sleepless_some=(("n[", 1),))
    assert told(later("1", "n1", 15), nodes=idle, settings=settings)["1"][0] == 20
