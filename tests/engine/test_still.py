"""Who stands still for whom: it keeps what it holds, and goes on when its CPUs are free again."""

import pytest
from engine_scenes import AHEAD_ONLY, FAR, STRICT_ONLY, Scene, busy, job
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predictor.engine import codes

LOW, HIGH = 0, 1
EARLY = {"period_s": 1}
STATIONS = [{"ends": [], "fate": codes.STANDS_STILL}, {"ends": [LOW]}]


def high(nodes=1, s=10, **more):
    return job(nodes, s, station=HIGH, **more)


def played(jobs, running=None, until=FAR, stations=STATIONS, **more):
    scene = Scene(jobs, running, stations=stations, preemption={"back_after_s": 20}, **more)
    scene.run(until)
    return scene


def starts(*arguments, **more):
    return played(*arguments, **more).starts()


BOTH = pytest.mark.parametrize("passes", [STRICT_ONLY, AHEAD_ONLY | EARLY], ids=["strict", "ahead"])
FULL = {"r": busy(0b1111, 100)}


@BOTH
def test_who_is_stopped_makes_room_at_once(passes):
    assert starts({"a": high(2)}, FULL, **passes) == {"a": 0}


@BOTH
def test_whom_nobody_stops_keeps_its_nodes(passes):
    assert starts({"a": job(2, station=LOW)}, FULL, **passes) == {"a": 100}


@BOTH
def test_time_does_not_run_for_who_stands_still(passes):
    # r would end at 100, but stands still from 0 to 10
    found = starts({"a": high(1), "b": job(4, 5, station=LOW)}, FULL, **passes, arrival_delay_s=0)
    assert found["a"] == 0
    assert found["b"] in range(110, 111 + (passes is not STRICT_ONLY))


def test_its_other_nodes_are_lent_to_nobody_of_its_rank():
    # n0 is taken from r, which holds all four
    found = starts({"a": high(1, 50), "b": job(1, 5, station=LOW)}, FULL, **EARLY)
    assert found == {"a": 0, "b": 150}


def test_what_is_left_of_its_cpus_is_lent_to_nobody_of_its_rank():
    running = {"r": busy(0b1, 100, cpus=4)}
    jobs = {"a": high(cpus=1, s=50), "b": job(cpus=1, s=5, station=LOW), "c": high(cpus=3, s=20)}
    found = starts(jobs, running, machine={"nodes": 1}, **EARLY)
    assert found == {"a": 0, "c": 0, "b": 150}


def test_it_goes_on_only_when_all_are_gone_for_whom_it_stands_still():
    jobs = {"a": high(1, 10), "b": high(1, 30, enters_at=5), "c": job(4, 5, station=LOW)}
    found = starts(jobs, FULL, **EARLY, arrival_delay_s=0)
    assert found == {"a": 0, "b": 5, "c": 135}


def test_the_oldest_of_those_on_a_node_stand_still_as_far_as_cpus_lack():
    running = {
        "new": busy(0b1, 100, cpus=2, since=-5),
        "old": busy(0b1, 100, cpus=2, since=-9),
    }
    jobs = {"a": high(cpus=2, s=10), "b": job(cpus=2, s=5, station=LOW)}
    scene = played(jobs, running, machine={"nodes": 1}, **EARLY, until=1)
    assert list(scene.forward.victims.still.left_s) == [-1, -1, -1, 100, -1]
    assert starts(jobs, running, machine={"nodes": 1}, **EARLY) == {"a": 0, "b": 100}


def test_who_stands_still_at_the_beginning_goes_on_when_the_other_ends():
    running = {"low": busy(0b0011, 60, still=True), "high": busy(0b0111, 30, station=HIGH)}
    jobs = {"b": job(4, 5, station=LOW)}
    assert starts(jobs, running, **EARLY) == {"b": 90}


def test_whom_somebody_else_stopped_ends_as_told():
    running = {"low": busy(0b0011, 60, still=True)}
    assert starts({"b": job(4, 5, station=LOW)}, running, **EARLY) == {"b": 60}


def test_some_are_ended_and_some_stand_still():
    stations = [*STATIONS, {"ends": [0, 3]}, {"ends": [], "fate": codes.ENDED}]
    running = {"still": busy(0b0011, 100), "ended": busy(0b1100, 100, station=3)}
    scene = played({"a": job(4, 10, station=2)}, running, stations=stations, until=50, **EARLY)
    assert scene.starts() == {"a": codes.DIES_S}
    assert list(scene.forward.roster.gone_at)[2] == codes.DIES_S


@pytest.mark.parametrize(
    ("high_s", "at"),
    [
        pytest.param(10, 100, id="the end told before"),
        pytest.param(150, 150, id="but not before the other's"),
    ],
)
def test_who_looks_ahead_does_not_see_that_its_end_is_put_off(high_s, at):
    jobs = {"a": high(2, high_s), "b": job(3, 5, station=LOW)}
    scene = Scene(jobs, FULL, stations=STATIONS)
    assert scene.look() == {"a": 0, "b": at}


# -- laws --------------------------------------------------------------------------------------

CPUS = 4
requests = st.fixed_dictionaries(
    {"nodes": st.integers(1, 4), "s": st.integers(1, 90), "station": st.integers(0, 2)},
    optional={
        "cpus": st.integers(1, CPUS),
        "run_s": st.integers(1, 120),
        "enters_at": st.integers(0, 200),
    },
)
occupants = st.lists(
    st.fixed_dictionaries(
        {"until": st.integers(1, 300), "station": st.integers(0, 2)},
        optional={
            "cpus": st.integers(1, CPUS),
            "planned_s": st.integers(1, 300),
            "still": st.booleans(),
        },
    ),
    max_size=4,
)
fates = st.tuples(*[st.integers(codes.SPARED, codes.STANDS_STILL)] * 3)
alone = st.lists(st.integers(0, 2), max_size=3)
problems = st.tuples(st.lists(requests, max_size=8), occupants, fates, alone)


def scene_of(asked, occupied, fates, alone):
    """Those of a station that is `alone` are beside nobody on a node, whoever stands still."""
    jobs = {str(number): dict(one) for number, one in enumerate(asked)}
    running = {f"r{n}": one | {"nodes": 1 << n} for n, one in enumerate(occupied)}
    stations = [
        {
            "ends": list(range(n)),
            "fate": fate,
            "apart": frozenset(
                other
                for other in range(n)
                if fates[other] == codes.STANDS_STILL and {n, other} & set(alone)
            ),
        }
        for n, fate in enumerate(fates)
    ]
    return Scene(jobs, running, stations=stations, preemption={"back_after_s": 9}, **EARLY)


def simulated(*problem):
    scene = scene_of(*problem)
    scene.run(3000)
    return [scene.all_starts(), list(scene.starts().items()), scene.nodes(), scene.forward.now]


@given(problems)
@settings(max_examples=100, deadline=None)  # the first waits for a process
def test_both_kinds_of_engine_do_the_same(same_in_both, problem):
    same_in_both(simulated, *problem)


THREE_DEEP = (
    [
        {"nodes": 1, "s": 1, "station": 0},
        {"nodes": 1, "s": 3, "station": 0},
        {"nodes": 2, "s": 2, "station": 2, "cpus": 1, "enters_at": 1},
        {"nodes": 3, "s": 2, "station": 1},
    ],
    [],
    (codes.STANDS_STILL, codes.STANDS_STILL, codes.SPARED),
    [],
)
"""Somebody stands still for one who then stands still for a third, and so lasts longer."""


@given(problems)
@example(THREE_DEEP)
@settings(max_examples=150, deadline=None)
def test_nobody_gets_more_cpus_than_a_node_has(problem):
    scene = scene_of(*problem)
    for until in range(0, 600, 7):
        scene.run(until)
        assert all(0 <= cpus <= CPUS for cpus in scene.free_cpus())


TAKING_TURNS = (
    [
        {"nodes": 1, "s": 1, "station": 0},
        {"nodes": 3, "s": 8, "station": 1, "cpus": 1, "run_s": 17},
        {"nodes": 3, "s": 8, "station": 1, "enters_at": 0, "run_s": 17},
        {"nodes": 3, "s": 1, "station": 0},
        {"nodes": 2, "s": 8, "station": 2},
    ],
    [],
    (codes.SPARED, codes.SENT_BACK, codes.SPARED),
    [],
)
"""In this order the two of station 1 would take turns on what the last one has cleared."""


@given(problems)
@example(TAKING_TURNS)
@settings(max_examples=150, deadline=None)
def test_everybody_starts_and_all_is_free_again(problem):
    asked, occupied, fates, apart = problem
    if codes.SENT_BACK in fates:
        # Who sends others back comes before them: else these may take turns on what it clears.
        asked = sorted(asked, key=lambda one: one["station"], reverse=True)
    scene = scene_of(asked, occupied, fates, apart)
    scene.run(5000)
    assert len(scene.starts()) == len(scene.jobs)
