"""Preemption: what holds whoever asks, and whoever may be ended."""

from engine_scenes import Scene
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predictor.engine import codes

CPUS = 4
requests = st.fixed_dictionaries(
    {"nodes": st.integers(1, 4), "s": st.integers(1, 90), "station": st.integers(0, 2)},
    optional={
        "level": st.integers(0, 3),
        "cpus": st.integers(1, CPUS),
        "run_s": st.integers(1, 120),
        "enters_at": st.integers(0, 200),
        "stays": st.booleans(),
        "later_runs": st.lists(st.tuples(st.integers(0, 200), st.integers(1, 50)), max_size=1),
    },
)
occupants = st.lists(
    st.fixed_dictionaries(
        {"until": st.integers(1, 300), "station": st.integers(0, 2)},
        optional={
            "cpus": st.integers(1, CPUS),
            "planned_s": st.integers(1, 300),
            "level": st.integers(0, 3),
        },
    ),
    max_size=4,
)
kinds_of_stations = st.tuples(
    *(
        st.fixed_dictionaries(
            {
                "ends": st.sets(st.integers(0, station - 1)) if station else st.just(set()),
                "ends_lower": st.sets(st.integers(0, 2)),
                "fate": st.integers(codes.SPARED, codes.SENT_BACK),
                "order": st.integers(0, 2),
                "grace_s": st.sampled_from([0, 0, 15]),
                "exempt_s": st.sampled_from([0, 0, 25]),
            }
        ).map(lambda one: one | {name: sorted(one[name]) for name in ("ends", "ends_lower")})
        for station in range(3)
    )
)
preemptions = st.fixed_dictionaries(
    {
        "youngest_first": st.booleans(),
        "keeps_order": st.booleans(),
        "tries": st.integers(0, 2),
        "back_after_s": st.sampled_from([2, 30]),
        "patience_s": st.sampled_from([0, 40]),
        "vacating": st.sampled_from([(), (), (17, 0), (17, 5)]),
    }
)
problems = st.tuples(st.lists(requests, max_size=8), occupants, kinds_of_stations, preemptions)


def scene_of(asked, occupied, kinds, preemption):
    jobs = {str(number): dict(one) for number, one in enumerate(asked)}
    running = {f"r{n}": one | {"nodes": 1 << n} for n, one in enumerate(occupied)}
    return Scene(jobs, running, stations=kinds, preemption=preemption, period_s=1)


def simulated(asked, occupied, kinds, preemption):
    scene = scene_of(asked, occupied, kinds, preemption)
    scene.run(3000)
    return [scene.all_starts(), list(scene.starts().items()), scene.nodes(), scene.forward.now]


@given(problems)
@settings(max_examples=100, deadline=None)  # the first waits for a process
def test_both_kinds_of_engine_do_the_same(same_in_both, problem):
    same_in_both(simulated, *problem)


@given(problems)
@settings(max_examples=150, deadline=None)
def test_no_node_ever_holds_more_than_it_can(problem):
    scene = scene_of(*problem)
    for until in range(0, 600, 7):
        scene.run(until)
        assert all(amount >= 0 for amount in scene.free_cpus())


SHORT = {"nodes": 1, "s": 1, "station": 0}
BEYOND_ITS_TIME = {"until": 26, "station": 0, "cpus": 1, "planned_s": 1}
# A pass at 25, when those grow ripe who began at 0, would find another slot for the last but one.
RIPENS_UNHEARD = (
    [*[SHORT] * 5, SHORT | {"s": 18}, SHORT, SHORT | {"cpus": 1}],
    [{"until": until, "station": 0} for until in (3, 26, 26)] + [BEYOND_ITS_TIME],
    ({"ends": [], "exempt_s": 25}, {"ends": []}, {"ends": []}),
    {"back_after_s": 2},
)


@given(problems)
@example(RIPENS_UNHEARD)
@settings(max_examples=100, deadline=None)
def test_where_nobody_may_be_ended_all_is_as_without_preemption(problem):
    asked, occupied, kinds, preemption = problem
    spared = [one | {"fate": codes.SPARED, "ends": [], "ends_lower": []} for one in kinds]
    scene, plain = scene_of(asked, occupied, spared, preemption), scene_of(*problem[:2], (), None)
    scene.run(3000)
    plain.run(3000)
    assert (scene.all_starts(), scene.starts(), scene.nodes()) == (
        plain.all_starts(),
        plain.starts(),
        plain.nodes(),
    )
