"""Jobs of several components where each has its own place in the queue."""

import pytest
from engine_scenes import AHEAD_ONLY, Scene, busy, job

from predictor.engine import bound
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limit_tables import Binding, Claim, Group, LimitTables, Rule
from predictor.engine.limits import Limits

OVERLAPS_FIRST = {"overlaps_first": True}


def at_most(cap):
    """Return the limit on how many jobs of claim 0 run at a time."""
    rule = Rule(kind=bound.HELD, resource=bound.ONE, cap=cap, group=0)
    binding = Binding(groups=[0], early=[rule], late=[], held_weight=1, asked_weight=1)
    tables = LimitTables(
        nodes=4,
        opened_at=0,
        resources=2,
        holders=10,
        claims=[Claim(binding=0, form=0, nodes=1, node_class=0, limit_s=100)],
        classes=[0b1111],
        forms=[[[0, 1]]],
        groups=[Group(held=[bound.ONE])],
        bindings=[binding],
        running=[],
    )
    return Limits(LimitLayout(tables))


def look(jobs, running=None, **more):
    return Scene(jobs, running, **more).look()


# n0 r r r r [small  ]
# n1 r r r r [pair+1 ]
# n2 [pair+0 ]            keeps its nodes, although the job cannot start yet
# n3 [pair+0 ]
def test_components_get_slots_one_after_the_other():
    jobs = {"pair": job(2, 100, parts=[job(1, 100)]), "small": job(1, 100)}
    found = look(jobs, {"r": busy(0b0011, 40)})
    assert found == {"pair+0": 0, "pair+1": 40, "small": 40}


def test_components_start_together_once_the_pass_is_over():
    jobs = {"pair": job(1, 100, parts=[job(1, 50)]), "wide": job(2, 100), "small": job(1, 10)}
    found = Scene(jobs, period_s=60, **AHEAD_ONLY).run(500)
    assert list(found.items()) == [("wide", 0), ("pair", 0), ("small", 60)]


# n0 r [80    100] soon [200] pair+0    which would have begun at 80, were it shorter
# n1 s s s s [100] soon
# n3         [80 ] pair+1               or, where what a slot is in the way of counts for nobody,
# n3                    [200] pair+1
@pytest.mark.parametrize(
    ("rules", "start"),
    [pytest.param({}, 80, id="the first"), pytest.param(OVERLAPS_FIRST, 200, id="the one it gets")],
)
def test_a_component_is_sought_from_when_another_would_have_begun_at_first(rules, start):
    jobs = {
        "soon": job(2, 100, candidates=0b0011),
        "pair": job(1, 50, candidates=0b0001, parts=[job(1, 10, candidates=0b1000)]),
    }
    running = {"r": busy(0b0001, 80), "s": busy(0b0010, 100)}
    assert look(jobs, running, **rules) == {"soon": 100, "pair+0": 200, "pair+1": start}


def test_where_nothing_is_found_for_a_component_the_others_are_not_looked_at():
    jobs = {"pair": job(9, 100, parts=[job(4, 100)]), "wide": job(4, 10)}
    assert look(jobs) == {"wide": 0}
    jobs = {"pair": job(4, 100, parts=[job(9, 100)]), "wide": job(4, 10)}
    assert look(jobs) == {"pair+0": 0, "wide": 100}


def test_without_room_for_all_of_them_none_starts():
    jobs = {"pair": job(3, 10, parts=[job(2, 10)]), "small": job(1, 10)}
    # pair+1 is planned behind pair+0; only small gets by.
    assert Scene(jobs, **AHEAD_ONLY).run(500) == {"small": 0}


@pytest.mark.parametrize(
    ("most", "found"),
    [pytest.param(2, {"pair": 0}, id="enough for both"), pytest.param(1, {}, id="not for both")],
)
def test_components_count_one_by_one_for_a_limit(most, found):
    pair = job(1, 100, claim=0, parts=[job(1, 100, claim=0)])
    assert Scene({"pair": pair}, limits=at_most(most), **AHEAD_ONLY).run(50) == found
