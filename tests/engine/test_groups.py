"""Groups of ends: whatever is asked about many at once, it is found what one by one would be."""

from engine_scenes import Scene, busy, job, members
from hypothesis import given, settings
from hypothesis import strategies as st

NODES = 90
"""More than a word has bits, and more running jobs than are asked about at once."""
MARK_S, FIRST_S = 30, 30

partitions = st.sampled_from([(1 << NODES) - 1, (1 << NODES) - (1 << 70), 0b111 << 62, 1 << 5])
ends = st.lists(st.one_of(st.integers(1, 300), st.integers(1, 9000)), max_size=NODES)


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
    mark = -(-line[mine[0]][0] // MARK_S) * MARK_S
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


@given(ends, partitions, st.data())
@settings(max_examples=300, deadline=None)
def test_a_group_ends_where_a_slow_search_says(busy_until, nodes, data):
    among = members(nodes)
    size = data.draw(st.integers(1, len(among)))
    running = {f"r{node}": busy(1 << node, at) for node, at in enumerate(busy_until)}
    machine = {"nodes": NODES, "exact": data.draw(st.booleans())}
    parts = {"p": nodes}
    scene = Scene({"j": job(size, 10)}, running, machine=machine, partitions=parts, group_s=FIRST_S)
    assert scene.look() == {"j": first_start(busy_until, set(among), size)}
