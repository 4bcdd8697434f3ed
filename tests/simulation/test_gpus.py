"""Where jobs go that ask for GPUs by task, in total or per node, beside others on the same nodes.

What nodes weigh and count with is what the log of Slurm 22.05 (`DebugFlags=SelectType`) shows of a
cluster of nodes with 32 CPUs and 4 GPUs each.
"""

from dataclasses import replace

import pytest
from gpu_scenes import BY_TASK, TASKS, asks, placed, snapshot_of

from predictor.forecast import forecast
from predictor.site import default

IDLE, FULL = (0, 0), (8, 4)


@pytest.mark.parametrize(
    ("used", "job", "where"),
    [
        pytest.param([IDLE] * 3, asks("1", 8, **BY_TASK), ("n1", "n2"), id="more than a node has"),
        pytest.param(
            [(3, 3), (4, 1), IDLE, (8, 1), IDLE],
            asks("1", 8, **BY_TASK),
            ("n3", "n5"),
            id="where most are free, though run n1-n3 would be tighter",
        ),
        pytest.param(
            [(3, 3), (4, 1), IDLE, (8, 3), (8, 2)],
            asks("1", 8, **BY_TASK),
            ("n2", "n3", "n5"),
            id="then where fewer are, down to the last task",
        ),
        pytest.param(
            [(28, 1), IDLE, (8, 2), (8, 2)],
            asks("1", 8, **BY_TASK),
            ("n1", "n2", "n3", "n4"),
            id="where more are free than CPUs suffice for",
        ),
        pytest.param(
            [(30, 0), IDLE, (16, 0)], asks("1", 8, **BY_TASK), ("n2", "n3"), id="tasks need CPUs"
        ),
        pytest.param([FULL, (8, 3), (8, 2)], asks("1", 8, **BY_TASK), None, id="too few GPUs"),
        pytest.param(
            [FULL, (4, 0), FULL, (20, 1)],
            asks("1", 2, **TASKS),
            ("n4",),
            id="in total: where the fewest CPUs are free, though more GPUs are elsewhere",
        ),
        pytest.param(
            [(20, 3), FULL, (4, 3), FULL],
            asks("1", 2, **TASKS),
            ("n1", "n3"),
            id="in total: on several nodes where none has all",
        ),
        pytest.param(
            [(31, 3), FULL, (14, 3)],
            asks("1", 2, **TASKS),
            ("n1", "n3"),
            id="in total: a single CPU beside a GPU is enough if there are more elsewhere",
        ),
        pytest.param(
            [(31, 3), (28, 3), FULL],
            asks("1", 2, **TASKS),
            None,
            id="in total: too few CPUs where there are GPUs",
        ),
        pytest.param(
            [(4, 1), FULL, (28, 2), FULL],
            asks("1", per_node=2, cpus=2),
            ("n1",),
            id="on one node: the first, however many CPUs are free",
        ),
        pytest.param(
            [(4, 0), FULL, (28, 0), FULL], asks("1", cpus=2), ("n3",), id="no GPUs: the tightest"
        ),
        pytest.param([IDLE] * 3, asks("1", 8, cpus=1), ("n1", "n2"), id="in total, of one task"),
    ],
)
def test_where_a_job_goes(used, job, where):
    assert placed(used, job) == ({"1": where} if where else {})


def test_what_a_job_holds_of_each_node_others_do_not_get():
    used = [(1, 1), (8, 3), FULL]
    first, second = asks("1", 3, **BY_TASK | {"cpus": 12}), asks("2", per_node=1, cpus=1)
    assert placed(used, first, second) == {"1": ("n1",), "2": ("n2",)}
    assert placed(used, first, replace_gpus(second, 2)) == {"1": ("n1",)}


def replace_gpus(job, per_node):
    """Return the job with another number of GPUs on each node."""
    request = replace(job.spec.request, gres_per_node=(("gpu", per_node),))
    return replace(job, spec=replace(job.spec, request=request))


def test_of_a_total_each_node_gives_what_it_has():
    # One CPU and one GPU of n1, the others of n2: there, 9 CPUs and 2 GPUs are left.
    used, first = [(31, 3), (16, 1), FULL], asks("1", 2, **TASKS | {"required_nodes": ("n1", "n2")})
    for cpus, gpus, starts in ((9, 2, True), (10, 2, False), (9, 3, False)):
        found = placed(used, first, asks("2", per_node=gpus, cpus=cpus))
        assert found == {"1": ("n1", "n2")} | ({"2": ("n2",)} if starts else {})


def test_what_tasks_cannot_share_alike_lies_anywhere():
    assert placed([IDLE, IDLE], asks("1", 3, **TASKS)) == {"1": ("n1",)}
    assert placed([IDLE, IDLE], asks("1", 5, **TASKS)) == {"1": ("n1", "n2")}
    assert placed([IDLE, IDLE], asks("1", 9, **TASKS)) == {}


def test_who_asks_for_more_than_there_is_hears_of_both():
    snapshot = snapshot_of([IDLE, IDLE], asks("1", 16, **BY_TASK | {"cpus": 64}))
    (told,) = forecast(snapshot, default()).abstentions
    assert told.detail == (
        "never in partition batch: 64 CPUs with 16 gpu needed, 32 with 8 could ever be had"
    )
