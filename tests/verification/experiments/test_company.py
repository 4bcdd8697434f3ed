"""Jobs whose speed depends on who is beside them, and on where they are."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from predictor.errors import QueuecastError, SiteError
from verification.experiments.machine import CORE, Group, Machine
from verification.experiments.machine_file import machine_of
from verification.experiments.neighbours import Speedups
from verification.experiments.network import Torus, fat_tree
from verification.experiments.rates import rate_of
from verification.experiments.schedulers import SCHEDULERS
from verification.experiments.schedulers.sharing.policies import POLICIES

PAIRS = Speedups(
    kinds=("calm", "greedy"),
    # Beside:   calm greedy
    beside=((1.25, 0.5), (1.0, 0.8)),
    alone=(2.0, 1.2),
)
CALM, GREEDY = 0, 1


def machine(nodes=2, cores=4, **more):
    return Machine(groups=(Group(name="nodes", nodes=nodes, has={CORE: cores}),), **more)


@pytest.fixture
def played(replayed):
    """Replay rows of a trace; return start, end and nodes of each job."""

    def play(rows, on, scheduler="co-fastest"):
        found = replayed(rows, on, scheduler=scheduler, rate=rate_of(on)).courses
        ordered = sorted(found, key=lambda one: one.rank)
        return [(one.start_s, one.end_s, [node for node, _ in one.places]) for one in ordered]

    return play


def row(submit, run, procs, program, limit=10_000):
    """A line of a trace: its executable is what its speed depends on."""
    return (submit, run, procs, limit, -1, 1, program)


def test_alone_on_halves_a_job_has_the_speed_measured_so(played):
    assert played([row(0, 100, 2, CALM)], machine(speedups=PAIRS)) == [(0, 50, [0])]


def test_what_is_left_is_rescaled_as_company_comes_and_goes(played):
    # Alone at 2 until 10, then at 0.5 beside a greedy one that ends at 60; 55 of 100 are left.
    rows = [row(0, 100, 2, CALM), row(10, 50, 2, GREEDY)]
    found = played(rows, machine(nodes=1, speedups=PAIRS))
    assert found == [(0, 60 + 28, [0]), (10, 60, [0])]


def test_the_worst_of_several_neighbours_counts(played):
    rows = [row(0, 1000, 2, CALM), row(0, 1000, 2, GREEDY), row(1, 100, 4, CALM)]
    found = played(rows, machine(speedups=PAIRS), scheduler="co-fastest")
    # Idle nodes first: the two are apart, and the third feels the greedy one: 0.5, not 1.25.
    assert [nodes for _, _, nodes in found] == [[0], [1], [0, 1]]
    assert found[2][:2] == (1, 201)


def test_who_is_too_wide_for_halves_gets_whole_nodes_at_full_speed(played):
    found = played([row(0, 100, 5, CALM), row(0, 10, 1, CALM)], machine(speedups=PAIRS))
    assert found == [(0, 100, [0, 1]), (100, 105, [0])]


def test_nobody_passes_who_would_keep_the_first_waiting(played):
    rows = [
        row(0, 100, 4, GREEDY, limit=100),
        row(0, 100, 2, GREEDY, limit=100),
        row(0, 10, 4, GREEDY, limit=10),
        row(0, 500, 2, GREEDY, limit=500),
        row(0, 40, 2, GREEDY, limit=40),
    ]
    found = played(rows, machine(speedups=PAIRS), scheduler="co-fastest")
    # The third wants a half of both nodes; the last is gone by then, the fourth would not be.
    starts = [start for start, _, _ in found]
    assert starts[4] == 0
    assert 0 < starts[2] <= starts[3]


@pytest.mark.parametrize(
    ("scheduler", "nodes"),
    [
        pytest.param("co-fastest", [1], id="its own speed: idle is best"),
        pytest.param("co-random-ranks", [0], id="in use first"),
        pytest.param("co-filler", [0], id="in use first, too"),
        pytest.param("co-jungle", [1], id="the pair's speed"),
        pytest.param("co-slowdown", [1], id="nobody may lose"),
        pytest.param("co-bester", [1], id="idle first"),
    ],
)
def test_each_policy_has_its_own_taste(played, scheduler, nodes):
    rows = [row(0, 1000, 2, GREEDY), row(1, 100, 2, CALM)]
    assert played(rows, machine(speedups=PAIRS), scheduler=scheduler)[1][2] == nodes


RULED = Speedups(
    kinds=("spread", "compact", "frail", "robust"),
    beside=(
        (1.2, 1.1, 1.1, 1.1),
        (0.9, 0.9, 0.9, 0.9),
        (1.2, 0.8, 0.9, 1.1),
        (1.0, 1.0, 1.0, 1.0),
    ),
    alone=(1.3, 1.0, 1.2, 1.0),
)


def test_characters_follow_from_speeds():
    assert [RULED.character(kind) for kind in range(4)] == ["spread", "compact", "frail", "robust"]


def test_by_rules_only_characters_that_agree_share_a_node(played):
    spread, compact, robust = 0, 1, 3
    rows = [row(0, 1000, 2, spread), row(0, 1000, 2, robust), row(0, 1000, 2, compact)]
    found = played(rows, machine(nodes=3, speedups=RULED), scheduler="co-rules")
    assert [nodes for _, _, nodes in found] == [[0], [0], [1]]


rows = st.lists(
    st.builds(
        row,
        st.integers(0, 50),
        st.integers(1, 60),
        st.integers(1, 20),
        st.sampled_from([CALM, GREEDY]),
        st.integers(60, 90),
    ),
    min_size=1,
    max_size=25,
).map(sorted)


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(rows=rows, scheduler=st.sampled_from(sorted(POLICIES)))
def test_everybody_runs_and_no_half_is_given_twice(played, rows, scheduler):
    found = played(rows, machine(nodes=5, speedups=PAIRS), scheduler=scheduler)
    assert len(found) == len(rows)
    for start, _, nodes in found:
        for node in nodes:
            beside = [n for s, e, n in found if node in n and s <= start < e]
            assert len(beside) <= 2


def test_distance_costs_what_is_spent_on_messages(played):
    ring = machine(nodes=8, cores=1, grid=(8,), network=Torus(extents=(8,)), talks=0.5)
    found = played([row(0, 100, 2, CALM), row(0, 100, 1, CALM)], ring, scheduler="fcfs")
    assert found == [(0, 100, [0, 1]), (0, 100, [2])]


def test_four_neighbours_in_a_ring_are_slower_than_two(played):
    ring = machine(nodes=8, cores=1, grid=(8,), network=Torus(extents=(8,)), talks=0.5)
    # Six pairs, 10 hops: 5/3 on average, so half of the time lasts 5/3 as long.
    assert played([row(0, 300, 4, CALM)], ring, scheduler="fcfs") == [(0, 400, [0, 1, 2, 3])]


def test_a_machine_is_told_in_a_file():
    found = machine_of(
        {
            "groups": [{"name": "n", "nodes": 8, "has": {"core": 4}}],
            "speedups": {
                "kinds": ["a", "b"],
                "beside": [[1.0, 0.9], [1.1, 1.0]],
                "alone": [1.0, 1.2],
                "programs": {"7": "b"},
            },
            "network": {"kind": "fat-tree", "below": [4, 2], "talks": 0.25},
        },
        "here",
    )
    assert found.network == fat_tree((4, 2))
    assert found.talks == 0.25
    assert [found.speedups.kind(number) for number in (0, 7, 8)] == [0, 1, 0]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"speedups": {"kinds": ["a"], "beside": [[1.0, 2.0]], "alone": [1.0]}}, "1 kinds need 1"),
        ({"speedups": {"kinds": ["a"], "beside": [[0.0]], "alone": [1.0]}}, "more than 0"),
        ({"network": {"kind": "torus", "talks": 0.1}}, "told by the machine's grid"),
        ({"network": {"kind": "fat-tree", "below": [2], "talks": 0.1}}, "joins 2 nodes of 8"),
        ({"network": {"kind": "dragonfly", "below": [2, 2], "talks": 0.1}}, "a dragonfly has"),
    ],
)
def test_what_contradicts_itself_is_named(told, words):
    with pytest.raises(SiteError, match=words):
        machine_of({"groups": [{"name": "n", "nodes": 8, "has": {"core": 4}}], **told}, "here")


def test_sharing_needs_speedups():
    with pytest.raises(QueuecastError, match="with speedups"):
        SCHEDULERS["co-jungle"](machine())
