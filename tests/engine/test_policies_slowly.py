"""Policies against a second opinion that decides anew each second; both kinds of engine alike."""

from engine_scenes import Scene, busy, job
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_policies import Machine, held_by, slow_pass, slow_starts

NODES, CPUS = 4, 4
EVERYBODY = (1 << NODES) - 1
POLICIES = {
    "fcfs": {"reservations": 0, "skips": False},
    "list": {"reservations": 0, "skips": True},
    "easy": {"reservations": 1, "skips": True},
    "two": {"reservations": 2, "skips": True},
    "one, no passing": {"reservations": 1, "skips": False},
    "conservative": {"reservations": -1, "skips": True, "forgets": True},
}
requests = st.fixed_dictionaries(
    {"nodes": st.integers(1, 3), "s": st.integers(1, 12)},
    optional={"cpus": st.integers(1, CPUS), "candidates": st.integers(1, EVERYBODY)},
)
later = st.fixed_dictionaries({"not_before": st.sampled_from((0, 0, 3, 8))})
queues = st.lists(st.builds(lambda one, when: one | when, requests, later), max_size=7)
occupants = st.lists(
    st.builds(
        lambda node, until, cpus: busy(1 << node, until, cpus=cpus),
        st.integers(0, NODES - 1),
        st.integers(1, 15),
        st.integers(1, CPUS),
    ),
    max_size=3,
    unique_by=lambda one: one["nodes"],
)


def scene_of(asked, occupied):
    jobs = {str(number): job(**one) for number, one in enumerate(asked)}
    running = {f"r{number}": one for number, one in enumerate(occupied)}
    return Scene(jobs, running, machine={"nodes": NODES, "cpus": CPUS})


def followed(asked, occupied, policy):
    """Return when and where each job starts."""
    scene = scene_of(asked, occupied)
    starts, nodes = scene.follow(**policy), scene.nodes()
    return {name: [starts[name], nodes[name]] for name in starts}


def possible(asked):
    """Return those for whom there are enough nodes, were the machine empty."""
    return [one for one in asked if one.get("candidates", EVERYBODY).bit_count() >= one["nodes"]]


@settings(deadline=None, max_examples=150)
@given(queues, occupants, st.sampled_from(sorted(POLICIES)))
def test_everybody_starts_when_the_second_opinion_says(asked, occupied, name):
    asked = possible(asked)
    scene = scene_of(asked, occupied)
    expected = slow_starts(scene.jobs, scene.running, NODES, CPUS, POLICIES[name])
    assert followed(asked, occupied, POLICIES[name]) == expected


@settings(deadline=None, max_examples=100)
@given(queues, occupants)
def test_a_conservative_plan_is_kept(asked, occupied):
    """Who is planned with everybody before it starts then, if nobody comes later."""
    asked = [one | {"not_before": 0} for one in possible(asked)]
    scene = scene_of(asked, occupied)
    held = held_by(scene.running, NODES, CPUS)
    policy = {"reservations": -1, "skips": True}
    plan = slow_pass(Machine(NODES, CPUS), list(scene.jobs.items()), held, 0, policy)
    expected = {name: [ps[0].start, [p.node for p in ps]] for name, ps in plan.items()}
    assert followed(asked, occupied, policy) == expected


@settings(deadline=None, max_examples=40)
@given(queues, occupants, st.sampled_from(sorted(POLICIES)), st.sampled_from((0, 0, 5)))
def test_both_kinds_of_engine_start_the_same(same_in_both, asked, occupied, name, every_s):
    same_in_both(followed, asked, occupied, POLICIES[name] | {"every_s": every_s})
