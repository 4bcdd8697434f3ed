"""Nodes of groups and leaves, beside trying every combination."""

from itertools import combinations

from engine_scenes import STRICT_ONLY, Scene, busy, job
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from predictor.engine import codes

NODES = 7
FREE = st.integers(1, (1 << NODES) - 1)
GROUP = st.tuples(st.integers(1, (1 << NODES) - 1), st.integers(1, 2))
LEAVES = (0b0000011, 0b0011100, 0b1100000)


def placed(one, free, **machine):
    """The nodes that it gets at once where only some are free; None: it does not start."""
    taken = ((1 << NODES) - 1) & ~free
    running = {"r": busy(taken, 100)} if taken else {}
    scene = Scene({"a": one}, running, machine={"nodes": NODES, "cpus": 4} | machine, **STRICT_ONLY)
    scene.run(until=1)
    return scene.nodes().get("a")


def serves(nodes, groups):
    """Whether some of the nodes can be dealt out to the groups, each node once."""
    if not groups:
        return True
    (members, least), *others = groups
    return any(
        serves([node for node in nodes if node not in mine], others)
        for mine in combinations([node for node in nodes if members >> node & 1], least)
    )


@given(FREE, st.lists(GROUP, min_size=1, max_size=2), st.integers(0, 2))
def test_a_job_starts_just_if_its_groups_can_be_served(free, groups, more):
    size = sum(least for _, least in groups) + more
    members = [node for node in range(NODES) if free >> node & 1]
    possible = len(members) >= size and serves(members, groups)
    found = placed(job(size, groups=groups), free)
    assert (found is not None) is possible
    assert found is None or (len(found) == size and serves(found, groups))


@given(FREE, st.integers(1, NODES))
def test_a_job_that_fits_under_one_leaf_stays_under_one(free, size):
    tree = [*((nodes, 3, True) for nodes in LEAVES), ((1 << NODES) - 1, -1, False)]
    found = placed(job(size, allocation=codes.TREE), free, switches=tree)
    if free.bit_count() < size:
        assert found is None
        return
    assert len(found) == size and all(free >> node & 1 for node in found)
    used = [leaf for leaf in LEAVES if any(leaf >> node & 1 for node in found)]
    room = sorted(((leaf & free).bit_count() for leaf in LEAVES), reverse=True)
    fewest = next(count for count in range(1, 4) if sum(room[:count]) >= size)
    assert len(used) == fewest


def outcome(sizes, groups, insists_s, users):
    """Who starts when and where: under switches, of groups, in nodes of one's own."""
    jobs = {
        f"j{place}": job(
            size,
            30,
            cpus=1,
            groups=groups if size > 3 else [],
            switches_max=1,
            insists_s=insists_s,
            allocation=codes.TREE,
            tenant=user,
            alone=user == 1,
        )
        for place, (size, user) in enumerate(zip(sizes, users, strict=True))
    }
    tree = [*((nodes, 3, True) for nodes in LEAVES), ((1 << NODES) - 1, -1, False)]
    scene = Scene(
        jobs,
        {"r": busy(0b0010001, 40, cpus=2, tenant=2)},
        machine={"nodes": NODES, "cpus": 4, "switches": tree},
        owners_leave=False,
        main_period_s=7,
        period_s=11,
    )
    return [scene.run(until=500), scene.nodes()]


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(1, 3)), min_size=1, max_size=8),
    st.sampled_from([[], [[0b0011111, 2]], [[0b0000111, 1], [0b0011100, 2]]]),
    st.sampled_from([-1, 0, 25]),
)
def test_both_kinds_of_engine_choose_alike(same_in_both, jobs, groups, insists_s):
    sizes, users = zip(*jobs, strict=True)
    same_in_both(outcome, sizes, groups, insists_s, users)
