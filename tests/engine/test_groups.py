"""Groups of ends: whatever is asked about many at once, it is found what one by one would be."""

from engine_scenes import AHEAD_ONLY, Scene, busy, job, members
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.engine import codes

NODES = 90
"""More than a word has bits, and more running jobs than are asked about at once."""
MARK_S, FIRST_S = 30, 30

EVERYWHERE = (1 << NODES) - 1
few = st.sets(st.integers(0, NODES - 1), min_size=1, max_size=3)
partitions = st.one_of(
    st.sampled_from([EVERYWHERE, EVERYWHERE >> 70 << 70]),
    few.map(lambda nodes: sum(1 << node for node in nodes)),
)
instants = st.one_of(st.integers(1, 300), st.integers(1, 9000))
ends = st.lists(instants, max_size=NODES)
edges = st.sampled_from([0, 31, 32, 33, 63, 64, NODES - 1])
"""The first and the last in batches."""


def first_start(busy_until, among, size):
    """Return the start of a job on `size` nodes `among` those that there are, one by one."""
    line = sorted((at, node) for node, at in enumerate(busy_until) if at)
    held = [at for at, node in line if node in among]
    free = len(among) - len(held)
    if size <= free:
        return 0
    roomy_at = held[size - free - 1]
    found = {node for node in among if node >= len(busy_until) or busy_until[node] <= roomy_at}
    mine = [i for i, (_, node) in enumerate(line) if node in among]
    mark = (line[mine[0]][0] // MARK_S + 1) * MARK_S
    first, width = mine[0], FIRST_S
    while True:
        last = last_of_group(line, mine, first, mark + width)
        ends_at, behind = line[last][0], [i for i in mine if i > last]
        tied = {node for at, node in line[last + 1 :] if at == ends_at}
        if not behind or (ends_at >= roomy_at and len(found - tied) >= size):
            return max(ends_at, roomy_at)
        first = behind[0]
        width *= 2
        while width < line[last + 1][0] - mark:
            width *= 2


def last_of_group(line, mine, first, until):
    in_time = sum(at <= until for at, _ in line) - 1
    if in_time <= first:
        return first
    return next((i for i in mine if i >= in_time), mine[-1])


def check_first_start(busy_until, nodes, exact):
    among = members(nodes)
    running = {f"r{node}": busy(1 << node, at) for node, at in enumerate(busy_until)}
    given = {"partitions": {"p": nodes}, "machine": {"nodes": NODES, "exact": exact}}
    for size in {1, len(among) // 2 or 1, len(among)}:
        scene = Scene({"j": job(size, 10)}, running, group_s=FIRST_S, **given)
        assert scene.look() == {"j": first_start(busy_until, set(among), size)}


@given(ends, partitions, st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_group_ends_where_a_slow_search_says(busy_until, nodes, exact):
    check_first_start(busy_until, nodes, exact)


@given(st.sets(edges, min_size=2), st.integers(1, 200))
@settings(max_examples=100, deadline=None)
def test_also_if_the_first_and_the_last_of_batches_are_needed(nodes, apart_s):
    # Node by node they end one after another.
    busy_until = [apart_s * (node + 1) for node in range(NODES)]
    check_first_start(busy_until, sum(1 << node for node in nodes), exact=True)


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 300)), max_size=40), ends)
@settings(max_examples=60, deadline=None)
def test_what_is_held_together_is_known_while_some_start_and_end(queue, busy_until):
    running = {f"r{node}": busy(1 << node, at) for node, at in enumerate(busy_until)}
    wanted = {str(n): job(nodes, s) for n, (nodes, s) in enumerate(queue)}
    # Looked at last, and blocked while anybody runs: no start makes old what was counted for it.
    wanted["wide"] = job(NODES, 10)
    scene = Scene(wanted, running, machine={"nodes": NODES}, group_s=FIRST_S)
    for until in (1, 100, 200, 1000):
        scene.run(until)
        scene.look()
        groups = scene.forward.groups
        for first in range(0, groups.count if groups.counted else 0, codes.BATCH):
            alive = range(first, min(first + codes.BATCH, groups.count))
            held = {node for i in alive for node in held_by(groups, groups.alive[i])}
            row = first // codes.BATCH * groups.words
            assert members(groups.layout.bitmap(groups.held, row)) == sorted(held)


def held_by(groups, holding):
    return members(groups.layout.bitmap(groups.nodes, holding * groups.words))


FOUR = {"nodes": 4, "cpus": 4, "exact": False}
ALL_DAY = {"filler": busy(0b1100, 9_000, cpus=4)}


def anywhere(total):
    """A job of tasks of one CPU each, wherever some are free."""
    return job(s=60, total=total, cpus=1, spread={"task": 1}, allocation=codes.CONSECUTIVE)


def told(jobs, running):
    scene = Scene(
        jobs,
        ALL_DAY | running,
        machine=FOUR,
        partitions={"p": 0b0111},
        group_s=FIRST_S,
        group_step_s=0,
        **AHEAD_ONLY,
    )
    return scene.look()


def test_different_amounts_of_one_job_are_one_end():
    running = {
        "here and elsewhere": busy(0b0001, 100, cpus=2, beside=[{"nodes": 0b1000, "cpus": 0}]),
        "beside it": busy(0b0001, 8_000, cpus=2),
        "later": busy(0b0010, 200, cpus=4),
    }
    # Were they two, the second one, elsewhere, would let the group go on to the next end here.
    assert told({"a": job(1, 60, cpus=2)}, running) == {"a": 100}


def test_who_ends_in_the_same_second_behind_a_group_still_holds_its_cpus():
    running = {
        "first": busy(0b0001, 100, cpus=1),
        # The group goes on to whoever is next here, and ends there.
        "elsewhere": busy(0b1000, 130, cpus=0),
        "next": busy(0b0011, 1_000, cpus=2),
        "tied": busy(0b0010, 1_000, cpus=2),
        "beside": busy(0b0001, 8_000, cpus=1),
    }
    jobs = {"a": anywhere(4), "b": job(1, 5_000, cpus=1)}
    # Without what is tied four CPUs are on two nodes; with it on one, and b would begin then.
    found = told(jobs, running)
    assert found["a"] == 1_000
    assert found["b"] > 1_000
    # Whoever is noted first, the list of all jobs decides who is next.
    later = {name: one | {"ordinal": i} for i, (name, one) in enumerate(running.items())}
    assert told(jobs, dict(reversed(later.items()))) == found
    earlier = later | {"next": later["next"] | {"ordinal": 9}}
    assert told(jobs, earlier)["b"] == 1_000
