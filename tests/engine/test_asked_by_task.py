"""Both kinds of engine place who asks for GPUs by task, in total or per node, on the same nodes."""

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


@settings(deadline=None, max_examples=60)
@given(used, st.lists(asked, min_size=1, max_size=5))
def test_nobody_who_starts_makes_a_node_give_more_gpus_than_it_has(used, asked):
    free = [GPUS - gpus for _, gpus in used]
    for number, (at, where) in plans(used, asked).items():
        if at > 0:
            continue
        wishes = asked[int(number)]
        here = [int(name[1:]) - 1 for name in where]
        assert wishes.get("gpus", 0) <= sum(free[node] for node in here)
        for node in here:
            assert wishes.get("per_node", 0) <= free[node]
            free[node] -= wishes.get("per_node", 0)
        if "gpus" in wishes and len(here) == 1:
            free[here[0]] -= wishes["gpus"]
