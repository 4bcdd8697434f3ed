"""Which jobs take different numbers of CPUs of their nodes, as Slurm is asked for them."""

from dataclasses import replace

import pytest

from predictor.domain import Node, NodeSharing, NodeState, Partition, PassSettings, Request, Sharing
from predictor.domain import SchedulerSettings as Settings
from predictor.scheduling.machine import ALL_MEMORY, Machine
from predictor.scheduling.placing import Trimming
from predictor.scheduling.spreading import portion, spread_of, trimming_of

CLUSTER = [
    Node(name=f"n{number}", state=NodeState.IDLE, cpus=8, cpus_per_core=2, memory_mb=4_000)
    for number in range(4)
]
EVERYBODY = 0b1111
MAIN = Partition(name="main", node_names=tuple(node.name for node in CLUSTER))
SITE = Settings(passes=PassSettings())


def asked(nodes, cpus, **more):
    return Request(nodes=nodes, cpus=cpus, uneven=True, **more)


def spread(request, partition=MAIN, settings=SITE):
    return spread_of(request, partition, settings, Machine(CLUSTER))


@pytest.mark.parametrize(
    ("request_", "least", "wanted", "most"),
    [
        pytest.param(asked(1, 5, nodes_max=5), 1, 1, 0, id="-n 5"),
        pytest.param(asked(3, 20, nodes_max=20), 1, 1, 0, id="-n 20, which take three nodes"),
        pytest.param(asked(2, 12, nodes_max=6, cpus_per_node=2), 1, 1, 0, id="-n 6 -c 2"),
        pytest.param(asked(2, 5), 2, 2, 2, id="-N 2 -n 5"),
        pytest.param(asked(2, 20, nodes_max=4), 2, 4, 4, id="-N 2-4 -n 20"),
        pytest.param(asked(3, 5, nodes_max=5), 3, 3, 0, id="-N 3-5 -n 5"),
        pytest.param(
            asked(2, 20, nodes_max=4, gres_total=(("gpu", 2),)), 2, 2, 4, id="-N 2-4 -n 20 --gpus=2"
        ),
    ],
)
def test_on_how_many_nodes(request_, least, wanted, most):
    found = spread(request_)
    assert (found.nodes_least, found.nodes_wanted, found.nodes_most) == (least, wanted, most)


TRIMS = Settings(passes=PassSettings(tasks_trim=True))
ON_EACH = Request(nodes=2, cpus=8, tasks_per_node=4)


@pytest.mark.parametrize(
    ("request_", "partition", "trimming"),
    [
        pytest.param(ON_EACH, MAIN, Trimming.SHARED, id="so many tasks on each"),
        pytest.param(Request(nodes=2, cpus=8), MAIN, Trimming.NEVER, id="it does not say that"),
        pytest.param(
            replace(ON_EACH, gres_per_node=(("gpu", 1),)), MAIN, Trimming.ALWAYS, id="GPUs"
        ),
        pytest.param(
            replace(ON_EACH, sharing=Sharing.EXCLUSIVE), MAIN, Trimming.NEVER, id="nodes of its own"
        ),
        pytest.param(
            ON_EACH,
            replace(MAIN, sharing=NodeSharing.EXCLUSIVE),
            Trimming.NEVER,
            id="its partition's are",
        ),
        pytest.param(asked(2, 5), MAIN, Trimming.NEVER, id="any number on each"),
    ],
)
def test_how_nodes_are_compared(request_, partition, trimming):
    found = trimming_of(request_, partition, TRIMS, spread(request_, partition))
    assert found is trimming


def test_all_cpus_may_count_of_who_says_how_many_tasks_are_on_each_node():
    assert trimming_of(ON_EACH, MAIN, SITE, None) is Trimming.NEVER


def test_a_range_of_shared_nodes_ends_at_the_partition_s_bound():
    found = spread(asked(2, 20, nodes_max=4), replace(MAIN, max_nodes=3))
    assert (found.nodes_least, found.nodes_wanted, found.nodes_most) == (2, 3, 3)


@pytest.mark.parametrize(
    ("request_", "partition"),
    [
        pytest.param(replace(asked(2, 5), uneven=False), MAIN, id="it says how many on each"),
        pytest.param(asked(1, 5), MAIN, id="one node"),
        pytest.param(asked(2, 2, nodes_max=2), MAIN, id="one CPU on each"),
        pytest.param(asked(2, 8, cpus_per_node=4), MAIN, id="just the least on each"),
        pytest.param(asked(2, 16), MAIN, id="all of each"),
        pytest.param(asked(2, 5, features="[a*1&b*1]"), MAIN, id="so many of each kind"),
        pytest.param(asked(2, 5, gres_total=(("gpu", 1),)), MAIN, id="one GPU in total"),
        pytest.param(
            asked(2, 5), replace(MAIN, sharing=NodeSharing.EXCLUSIVE), id="whole nodes anyway"
        ),
    ],
)
def test_every_node_gives_the_same_of(request_, partition):
    assert spread(request_, partition) is None


@pytest.mark.parametrize(
    ("request_", "cpus", "task", "memory_mb"),
    [
        pytest.param(asked(2, 6, nodes_max=6, memory_per_cpu_mb=300), 12, 2, 150, id="of one"),
        pytest.param(asked(2, 9, nodes_max=3, cpus_per_node=3), 18, 6, 0, id="of three"),
    ],
)
def test_who_leaves_half_of_each_core_to_nobody(request_, cpus, task, memory_mb):
    found = spread(replace(request_, cpus_per_core=1))
    assert (found.cpus, found.task, found.memory_per_cpu_mb) == (cpus, task, memory_mb)
    mixed = Machine([*CLUSTER, replace(CLUSTER[0], name="other", cpus_per_core=1)])
    assert spread_of(replace(request_, cpus_per_core=1), MAIN, SITE, mixed) is None


def test_neighbours_that_must_give_all_are_joined_by_others():
    assert spread(asked(2, 16, contiguous=True)).nodes_most == 2


WHOLE = replace(MAIN, sharing=NodeSharing.EXCLUSIVE)


@pytest.mark.parametrize(
    ("request_", "partition", "least", "most"),
    [
        pytest.param(asked(2, 2, nodes_max=4), WHOLE, 2, 4, id="-N 2-4"),
        pytest.param(asked(2, 2, nodes_max=4), replace(WHOLE, max_nodes=3), 2, 3, id="bounded"),
        pytest.param(asked(3, 3, required_nodes=("n1",)), WHOLE, 3, 3, id="-N 3 -w n1"),
        pytest.param(
            asked(2, 2, nodes_max=4, sharing=Sharing.EXCLUSIVE), MAIN, 2, 4, id="--exclusive"
        ),
    ],
)
def test_how_many_whole_nodes(request_, partition, least, most):
    found = spread(request_, partition)
    assert found.whole
    assert (found.nodes_least, found.nodes_wanted, found.nodes_most) == (least, most, most)


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(asked(3, 20, nodes_max=20), id="-n 20"),
        pytest.param(asked(3, 24, nodes_max=12, cpus_per_node=2), id="-n 12 -c 2"),
        pytest.param(asked(2, 12, nodes_max=12, cpus_per_node=4), id="-n 12 --mincpus 4"),
        pytest.param(asked(2, 2), id="-N 2"),
        pytest.param(asked(2, 2, required_nodes=("n1", "n2")), id="-N 2 -w n1,n2"),
        pytest.param(asked(2, 2, nodes_max=4, contiguous=True), id="neighbours"),
    ],
)
def test_just_so_many_whole_nodes(request_):
    assert spread(request_, WHOLE) is None


MIXED = [replace(node, cpus=4 * number + 4) for number, node in enumerate(CLUSTER)]
"""4, 8, 12 and 16 CPUs."""


@pytest.mark.parametrize(
    ("request_", "names", "counts"),
    [
        pytest.param(asked(1, 10, nodes_max=10), ("n0", "n1"), (1, 1, 0), id="-n 10"),
        pytest.param(asked(3, 14, nodes_max=14), ("n0", "n1"), (3, 3, 14), id="-N 3-14 -n 14"),
        pytest.param(asked(2, 14), ("n1", "n2"), (2, 2, 2), id="-N 2 -n 14"),
        pytest.param(asked(1, 1), ("n1", "n2"), (1, 1, 1), id="-N 1"),
        pytest.param(asked(1, 10, nodes_max=10), ("n1",), None, id="in a partition of one sort"),
    ],
)
def test_whole_nodes_that_are_not_all_as_wide(request_, names, counts):
    partition = replace(WHOLE, node_names=names)
    found = spread_of(request_, partition, SITE, Machine(MIXED))
    if counts is None:
        assert found is None
        return
    least, wanted, most = counts
    assert found.whole
    assert (found.nodes_least, found.nodes_wanted) == (least, max(wanted, most))
    assert found.nodes_most == most


@pytest.mark.parametrize(
    ("more", "per_node", "per_cpu"),
    [
        ({"memory_per_cpu_mb": 100}, 0, 100),
        ({"memory_per_node_mb": 500}, 500, 0),
        ({"memory_per_node_mb": 0}, ALL_MEMORY, 0),
    ],
)
def test_memory_goes_with_nodes_or_with_cpus(more, per_node, per_cpu):
    machine = Machine(CLUSTER)
    found = spread_of(asked(2, 6, nodes_max=3, cpus_per_node=2, **more), MAIN, SITE, machine)
    assert machine.shape(found.besides).memory_mb == per_node
    assert found.memory_per_cpu_mb == per_cpu
    assert machine.shape(found.share).cpus == 2
    assert machine.shape(found.share).memory_mb == per_node
    assert machine.shape(found.share).memory_per_cpu_mb == per_cpu


@pytest.mark.parametrize(
    ("request_", "cpus"),
    [
        pytest.param(asked(2, 20, nodes_max=20), 32, id="all there are"),
        pytest.param(asked(2, 12), 16, id="of two nodes"),
        pytest.param(asked(2, 20, nodes_max=20, memory_per_cpu_mb=1_000), 16, id="with memory"),
        pytest.param(asked(2, 20, nodes_max=20, memory_per_cpu_mb=1_300), 8, id="in whole cores"),
        pytest.param(asked(2, 20, nodes_max=20, memory_per_cpu_mb=5_000), 0, id="none"),
    ],
)
def test_how_many_cpus_there_could_ever_be(request_, cpus):
    machine = Machine(CLUSTER)
    found = spread_of(request_, MAIN, SITE, machine)
    assert machine.most_cpus(EVERYBODY, found) == cpus


WITH_GPUS = [replace(node, gres=(("gpu:a100", 2),)) for node in CLUSTER]


@pytest.mark.parametrize(
    ("request_", "pieces", "gres", "loose", "cpus", "most"),
    [
        pytest.param(
            asked(1, 8, nodes_max=4, cpus_per_node=2, gres_total=(("gpu", 4),)),
            *(4, (("gpu", 1),), False, 16, 8),
            id="one for each task",
        ),
        pytest.param(
            asked(1, 8, nodes_max=8, gres_total=(("gpu:a100", 2),)),
            *(2, (("gpu:a100", 1),), True, 32, 8),
            id="one for several tasks",
        ),
        pytest.param(
            asked(1, 8, nodes_max=8, gres_total=(("gpu", 4),)),
            *(4, (("gpu", 1),), True, 32, 8),
            id="more than one for several tasks",
        ),
        pytest.param(
            asked(1, 9, nodes_max=9, gres_total=(("gpu", 2),)),
            *(2, (("gpu", 1),), True, 32, 8),
            id="no tasks share them alike",
        ),
        pytest.param(
            asked(1, 6, nodes_max=6, gres_total=(("gpu", 4),), gres_per_node=(("gpu", 1),)),
            *(4, (("gpu", 1),), True, 32, 4),
            id="besides those on every node",
        ),
    ],
)
def test_generic_resources_go_with_pieces(request_, pieces, gres, loose, cpus, most):
    machine = Machine(WITH_GPUS)
    found = spread_of(request_, MAIN, SITE, machine)
    assert (found.pieces, found.piece_gres, found.loose) == (pieces, gres, loose)
    assert machine.most_cpus(EVERYBODY, found) == cpus
    assert machine.most_pieces(EVERYBODY, found) == most
    held = machine.shape(portion(machine, found, -(-2 * request_.cpus // pieces))).gres
    besides = dict(request_.gres_per_node)
    assert held == tuple((name, 2 * n + besides.get(name, 0)) for name, n in gres)


@pytest.mark.parametrize(
    ("whole", "more", "cpus"),
    [
        pytest.param(False, {}, 32, id="no"),
        pytest.param(True, {}, 24, id="as of late"),
        pytest.param(False, {"memory_per_node_mb": 100}, 32, id="nor for memory of a node"),
        pytest.param(False, {"memory_per_cpu_mb": 100}, 24, id="ever if memory goes with CPUs"),
    ],
)
def test_whole_tasks_of_a_node(whole, more, cpus):
    settings = replace(SITE, passes=PassSettings(whole_tasks=whole))
    machine = Machine(CLUSTER)
    request = asked(3, 12, nodes_max=4, cpus_per_node=3, **more)
    found = spread_of(request, MAIN, settings, machine)
    assert machine.most_cpus(EVERYBODY, found) == cpus


@pytest.mark.parametrize(
    ("request_", "partition", "least", "most"),
    [
        pytest.param(asked(1, 6, nodes_max=6), MAIN, 1, 6, id="a node for each task"),
        pytest.param(asked(3, 20, nodes_max=20), MAIN, 3, 20, id="as many as hold them, at least"),
        pytest.param(asked(1, 6, nodes_max=6), replace(MAIN, max_nodes=3), 1, 3, id="bounded"),
        pytest.param(asked(1, 6, nodes_max=6), WHOLE, 1, 6, id="whole ones"),
    ],
)
def test_who_wants_to_be_scattered_takes_as_many_nodes_as_it_may(request_, partition, least, most):
    found = spread(replace(request_, scattered=True), partition)
    assert (found.nodes_least, found.nodes_wanted, found.nodes_most) == (least, most, most)
