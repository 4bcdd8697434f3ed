"""Jobs on one node beside others: by which of its CPUs nodes are compared.

Source: Slurm 22.05, select/cons_tres (can_job_run_on_node, _eval_nodes), as read, and as the log of
its passes tells.
"""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, nodes, partition, running, waiting

from predictor.domain import NodeShare, NodeSharing, PassSettings, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=False,
    memory_is_consumable=True,
    passes=PassSettings(interval_s=30, step_s=1),
)
MB = 8_000
"""Of each node, with 4 CPUs."""


def busy(name, cpus, memory_mb):
    held = NodeShare(node=name, cpus=cpus, memory_mb=memory_mb)
    return replace(running(f"on-{name}", name, 20), allocation=(held,))


def asking(cpus, *, of_task=None, per_cpu=None, per_node=None, **more):
    one = waiting("1")
    request = replace(
        one.spec.request,
        cpus=cpus,
        cpus_per_node=of_task,
        memory_per_cpu_mb=per_cpu,
        memory_per_node_mb=per_node,
        **more,
    )
    return replace(one, spec=replace(one.spec, request=request))


def chosen(job, *there, settings=SETTINGS):
    members = nodes(3)
    shared = partition("batch", members, sharing=NodeSharing.NO)
    scene = cluster(3, job, *there, nodes=members, partitions=(shared,), settings=settings)
    one = plan(scene, default())["1"]
    assert one.start_at == NOW
    return " ".join(one.node_names)


# n1   four CPUs free        n2   all in use        n3   three CPUs free
HELD = busy("n2", 4, 400), busy("n3", 1, 100)
LATER = replace(SETTINGS, passes=replace(SETTINGS.passes, whole_tasks=True))
UNCOUNTED = {"memory_is_consumable": False}


@pytest.mark.parametrize(
    ("job", "settings", "name"),
    [
        pytest.param(asking(1, per_cpu=100), SETTINGS, "n3", id="the tightest"),
        pytest.param(asking(2, of_task=2, per_cpu=100), SETTINGS, "n3", id="of one task, not two"),
        pytest.param(asking(3, of_task=3, per_cpu=100), SETTINGS, "n1", id="each has room for one"),
        pytest.param(asking(3, of_task=3, per_node=100), SETTINGS, "n3", id="memory by the node"),
        pytest.param(asking(3, of_task=3, per_node=100), LATER, "n1", id="and tasks all the same"),
        pytest.param(
            asking(3, of_task=3, per_cpu=100), replace(SETTINGS, **UNCOUNTED), "n3", id="uncounted"
        ),
        pytest.param(
            asking(3, of_task=3, per_cpu=100),
            replace(LATER, **UNCOUNTED),
            "n1",
            id="uncounted, and tasks all the same",
        ),
    ],
)
def test_free_cpus_count_in_whole_tasks_where_memory_goes_with_them(job, settings, name):
    assert chosen(job, *HELD, settings=settings) == name


def test_free_cpus_count_as_far_as_they_have_memory():
    held = busy("n1", 1, MB - 2_000), busy("n2", 4, 400), busy("n3", 2, 200)
    assert chosen(asking(1, per_cpu=100), *held) == "n3"
    assert chosen(asking(1, per_cpu=2_000), *held) == "n1"
