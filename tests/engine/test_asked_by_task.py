"""Both kinds of engine place who asks for GPUs by task, in total or per node, on the same nodes."""

from itertools import chain, combinations

from gpu_scenes import CPUS, GPUS, asks, planned
from hypothesis import given, settings
from hypothesis import strategies as st


def by_task(tasks, cpus, gpus):
    more = {"cpus": tasks * cpus, "cpus_per_node": cpus, "nodes_max": tasks, "uneven": tasks > 1}
    return {"gpus": tasks * gpus} | more


def in_total(tasks, gpus):
    return {"gpus": gpus, "cpus": tasks, "nodes_max": tasks, "uneven": tasks > 1}


def per_node(nodes, cpus, gpus):
    return {"per_node": gpus, "nodes": nodes, "cpus": nodes * cpus, "cpus_per_node": cpus}


asked = st.one_of(
    st.builds(by_task, st.integers(1, 10), st.integers(1, 6), st.integers(1, 2)),
    st.builds(in_total, st.integers(1, 16), st.integers(1, 8)),
    st.builds(per_node, st.integers(1, 3), st.integers(1, 12), st.integers(0, GPUS)),
)
used = st.lists(st.tuples(st.integers(0, CPUS), st.integers(0, GPUS)), min_size=4, max_size=4)


def plans(used, asked):
    return planned(used, *(asks(str(n), **wishes) for n, wishes in enumerate(asked)))


@settings(deadline=None, max_examples=60)
@given(used, st.lists(asked, min_size=1, max_size=5))
def test_both_kinds_of_engine_plan_the_same(same_in_both, used, asked):
    same_in_both(plans, used, asked)


half_used = st.lists(
    st.tuples(st.integers(0, CPUS // 2), st.integers(0, GPUS // 2)), min_size=4, max_size=4
)
modest = st.one_of(
    st.builds(by_task, st.integers(1, 4), st.integers(1, 2), st.just(1)),
    st.builds(in_total, st.sampled_from([4, 6, 8]), st.integers(1, 4)),
    st.builds(per_node, st.just(1), st.integers(1, 4), st.integers(1, GPUS)),
)


@settings(deadline=None, max_examples=100)
@given(half_used, st.lists(modest, min_size=2, max_size=8))
def test_no_nodes_give_more_gpus_than_they_have(used, asked):
    """Whoever lies on nothing but some of the nodes has all it asks for from these."""
    begun = [
        (asked[int(number)], {int(name[1:]) - 1 for name in where})
        for number, (at, where) in plans(used, asked).items()
        if at == 0
    ]
    for some in chain.from_iterable(combinations(range(4), n) for n in range(1, 5)):
        taken = sum(
            wishes.get("per_node", 0) * len(here.intersection(some))
            + wishes.get("gpus", 0) * here.issubset(some)
            for wishes, here in begun
        )
        assert taken <= sum(GPUS - used[node][1] for node in some)
