"""The slots of a pass: whatever it remembers, it finds what a slow and simple pass finds."""

from functools import reduce
from operator import or_

from engine_scenes import AHEAD_ONLY, Scene, busy, job, members
from hypothesis import example, given, settings
from hypothesis import strategies as st
from slow_ahead import Wish, slow_pass

from predictor.engine import codes

NODES = 70
"""More than a word has bits."""
PARTITIONS = {"p": (1 << NODES) - 1, "q": (1 << NODES) - (1 << 55), "r": (1 << 60) - (1 << 50)}

sizes = st.one_of(st.sampled_from([1, 2, 4, 16]), st.integers(1, NODES))
jobs = st.tuples(sizes, st.integers(1, 12).map(lambda tens: 10 * tens), st.sampled_from("pqr"))
queues = st.one_of(
    st.lists(jobs, min_size=1, max_size=60), st.lists(jobs, min_size=30, max_size=60)
)
ends = st.lists(st.one_of(st.just(0), st.integers(1, 300)), min_size=NODES, max_size=NODES)
rules = st.fixed_dictionaries(
    {
        "step_s": st.sampled_from([1, 10, 60]),
        "window_s": st.sampled_from([200, 86_400]),
        "overlaps_first": st.booleans(),
    }
)


def scene_of(queue, busy_until, exact, **more):
    running = {f"r{node}": busy(1 << node, at) for node, at in enumerate(busy_until) if at}
    wanted = {
        str(n): job(size, length, partitions=[name]) for n, (size, length, name) in enumerate(queue)
    }
    machine = {"nodes": NODES, "exact": exact}
    return Scene(wanted, running, machine=machine, partitions=PARTITIONS, **AHEAD_ONLY, **more)


# nodes    50   100  105 110    The second looks from 50 on for a node of 60 to 69, but none is free
# 50-59  r | 1  | 2, 3          at 100, when the first one's slot ends: it gets node 55. The third
# 60-69    s         |          gets the rest, so nothing opens at 100 any more: now the fourth,
#                               looking from 50 on, looks until 110.
NO_OPENING_ANY_MORE = (
    [(10, 50, "r"), (1, 10, "q"), (9, 50, "r"), (1, 10, "q")],
    [0] * 50 + [50] * 10 + [105] * 10,
)


@given(queues, ends, st.booleans(), rules)
@example([(1, 30, "p"), (70, 10, "p"), (1, 20, "p")], [0] * NODES, True, {"step_s": 60})
@example(*NO_OPENING_ANY_MORE, True, {"step_s": 1})
@settings(max_examples=150, deadline=None)
def test_a_pass_finds_what_a_slow_one_finds(queue, busy_until, exact, given_rules):
    wishes = [
        Wish(name=str(n), nodes=size, length=length, among=frozenset(members(PARTITIONS[name])))
        for n, (size, length, name) in enumerate(queue)
    ]
    window, step = given_rules.get("window_s", 86_400), given_rules["step_s"]
    overlaps_first = given_rules.get("overlaps_first", False)
    told, placed = slow_pass(wishes, busy_until, step, window, exact, overlaps_first)
    whole = scene_of(queue, busy_until, exact, **given_rules)
    assert whole.look() == told
    check_blocks(whole.forward.ahead.bookings, whole.forward.layout)
    assert {name: frozenset(nodes) for name, nodes in whole.nodes().items()} == placed
    # Who stops as soon as nobody may start any more starts the same.
    hasty = scene_of(queue, busy_until, exact, **given_rules)
    hasty.run(until=1)
    assert {name: frozenset(nodes) for name, nodes in hasty.nodes().items()} == placed


def check_blocks(bookings, layout):
    """What is known of several slots together is what is known of each."""

    def nodes(rows, place):
        return layout.bitmap(rows, bookings.row[place] * bookings.words)

    places = range(bookings.count)
    leads = [place for place in places if bookings.leads[place]]
    assert leads[0] == 0
    for first, end in zip(leads, [*leads[1:], bookings.count], strict=True):
        assert 1 <= end - first <= codes.BLOCK
        for place in range(first, end):
            before = [nodes(bookings.booked, i) for i in range(first, place + 1)]
            behind = [nodes(bookings.booked, i) for i in range(place, end)]
            assert nodes(bookings.so_far, place) == reduce(or_, before)
            assert nodes(bookings.onward, place) == reduce(or_, behind)


def test_nodes_of_the_partition_that_it_cannot_have_open_as_well():
    # Were they not seen, "b" and "c" would end the search before "a" gives its nodes back.
    jobs = {
        "a": job(2, 1000, candidates=0b0011),
        "b": job(1, 10, candidates=0b0100),
        "c": job(1, 20, candidates=0b1000),
        "narrow": job(1, 5, candidates=0b0011),
    }
    scene = Scene(jobs, {"r": busy(0b1111, 100)}, **AHEAD_ONLY)
    assert scene.look() == {"a": 100, "b": 100, "c": 100, "narrow": 1100}
