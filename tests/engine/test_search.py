"""Searching for the first start, judged by trying every instant; both kinds of engine the same."""

from engine_scenes import Scene, busy, job, members
from hypothesis import given, settings
from hypothesis import strategies as st

NODES, CPUS = 6, 4
EVERYBODY = (1 << NODES) - 1
LICENSES = 3
LONGEST = 400
"""Until then everything has ended that these problems can hold, and its slots too."""

sets = st.integers(1, EVERYBODY)
requests = st.fixed_dictionaries(
    {"nodes": st.integers(1, 4), "s": st.integers(1, 20), "candidates": sets},
    optional={
        "cpus": st.integers(1, CPUS),
        "licenses": st.integers(1, LICENSES).map(lambda amount: [[0, amount]]),
        "contiguous": st.just(True),
    },
)
occupants = st.builds(
    lambda node, until, cpus: busy(1 << node, until, cpus=cpus),
    st.integers(0, NODES - 1),
    st.integers(1, 30),
    st.integers(1, CPUS),
)
eras = st.lists(st.tuples(st.integers(1, 40), st.integers(0, EVERYBODY)), max_size=3)
problems = st.tuples(
    st.lists(requests, max_size=8),
    st.lists(occupants, max_size=4, unique_by=lambda one: one["nodes"]),
    eras,
)


def planned(asked, occupied, closed):
    """Return when each job starts, and on which nodes, if each is placed before the next."""
    calendar = [[-1, [EVERYBODY]], *([at, [nodes]] for at, nodes in sorted(dict(closed).items()))]
    calendar.append([50, [EVERYBODY]])
    scene = Scene(
        {str(number): job(**one) for number, one in enumerate(asked)},
        {f"r{number}": one for number, one in enumerate(occupied)},
        machine={
            "nodes": NODES,
            "cpus": CPUS,
            "licenses": [LICENSES],
            "calendars": [[0, calendar]],
        },
    )
    starts, nodes = scene.plan(), scene.planned_nodes()
    return [[starts[name], members(nodes[name])] if name in starts else None for name in scene.jobs]


class World:
    """Each second of each node, written down one by one."""

    def __init__(self, occupied, closed):
        self.free = [[CPUS] * NODES for _ in range(LONGEST)]
        self.licenses = [LICENSES] * LONGEST
        self.open = [EVERYBODY] * LONGEST
        for one in occupied:
            self.take(members(one["nodes"]), one["cpus"], 0, 0, one["until"])
        for at, nodes in sorted(dict(closed).items()):
            self.open[at:50] = [nodes] * (50 - at)

    def take(self, nodes, cpus, licenses, start_at, end_at):
        for at in range(start_at, end_at):
            self.licenses[at] -= licenses
            for node in nodes:
                self.free[at][node] -= cpus

    def usable(self, one, at):
        """Return the nodes that the job could have all the time if it started then."""
        span = range(at, at + one["s"])
        if any(self.licenses[t] < licenses_of(one) for t in span):
            return []
        return [
            node
            for node in members(one["candidates"])
            if all(self.free[t][node] >= cpus_of(one) and self.open[t] >> node & 1 for t in span)
        ]

    def first(self, one):
        for at in range(LONGEST - one["s"]):
            if self.would_do(one, self.usable(one, at)):
                return at
        return None

    @staticmethod
    def would_do(one, nodes):
        if len(nodes) < one["nodes"]:
            return False
        runs = (range(n, n + one["nodes"]) for n in nodes)
        return not one.get("contiguous") or any(set(run) <= set(nodes) for run in runs)


def cpus_of(one):
    return one.get("cpus", CPUS)


def licenses_of(one):
    return sum(amount for _, amount in one.get("licenses", ()))


@given(problems)
@settings(max_examples=300, deadline=None)
def test_each_start_is_the_first_that_trying_every_second_finds(problem):
    asked, occupied, closed = problem
    world = World(occupied, closed)
    for one, found in zip(asked, planned(*problem), strict=True):
        first = world.first(one)
        assert (found and found[0]) == first
        if found is None:
            continue
        at, nodes = found
        assert len(nodes) == one["nodes"]
        assert set(nodes) <= set(world.usable(one, at))
        assert world.would_do(one, nodes)
        world.take(nodes, cpus_of(one), licenses_of(one), at, at + one["s"])


@given(problems)
@settings(max_examples=100, deadline=None)  # the first waits for a process
def test_both_kinds_of_engine_plan_the_same(same_in_both, problem):
    same_in_both(planned, *problem)
