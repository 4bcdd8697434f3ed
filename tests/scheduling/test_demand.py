from dataclasses import replace

import pytest

from predictor.domain import (
    CpuGranularity,
    Node,
    NodeSharing,
    NodeState,
    Partition,
    Request,
    SchedulerSettings,
    Sharing,
)
from predictor.scheduling.demand import shape_of
from predictor.scheduling.machine import ALL_MEMORY, Machine, Shape

SHARED = Partition(name="p", node_names=("n1",))
SITE = SchedulerSettings()


@pytest.mark.parametrize(
    ("asked", "partition", "settings", "memory_mb"),
    [
        ({"memory_per_node_mb": 500}, {}, {}, 500),
        ({"memory_per_cpu_mb": 500}, {}, {}, 1000),
        ({"memory_per_node_mb": 0}, {}, {}, ALL_MEMORY),
        ({}, {"default_memory_per_cpu_mb": 100}, {"default_memory_per_node_mb": 9}, 200),
        ({}, {}, {}, ALL_MEMORY),
        ({"memory_per_node_mb": 500}, {}, {"memory_is_consumable": False}, 0),
    ],
)
def test_memory_taken_of_each_node(asked, partition, settings, memory_mb):
    request = Request(nodes=2, cpus=4, **asked)
    shape = shape_of(request, replace(SHARED, **partition), replace(SITE, **settings))
    assert shape.memory_mb + 2 * shape.memory_per_cpu_mb == memory_mb


@pytest.mark.parametrize(
    ("request_", "partition", "whole"),
    [
        (Request(nodes=1, cpus=1), SHARED, False),
        (Request(nodes=1, cpus=1, sharing=Sharing.EXCLUSIVE), SHARED, True),
        (Request(nodes=1, cpus=1), replace(SHARED, sharing=NodeSharing.EXCLUSIVE), True),
        (Request(nodes=1, cpus=1), replace(SHARED, exclusive_user=True), True),
    ],
)
def test_who_takes_whole_nodes(request_, partition, whole):
    assert shape_of(request_, partition, SITE).whole is whole


@pytest.mark.parametrize(
    ("granularity", "taken", "counted"),
    [
        pytest.param(CpuGranularity.CPU, 4, 3, id="not even then two jobs share a core"),
        pytest.param(CpuGranularity.CORE, 4, 4, id="cores"),
        pytest.param(CpuGranularity.SOCKET, 8, 8, id="sockets"),
        pytest.param(CpuGranularity.NODE, 16, 16, id="nodes"),
    ],
)
def test_cpus_are_handed_out_in_whole_pieces(granularity, taken, counted):
    node = Node(name="n1", cpus=16, memory_mb=1, state=NodeState.IDLE, cpus_per_core=2, sockets=2)
    machine = Machine([node])
    shape = machine.intern(Shape(whole=False, cpus=3, memory_mb=0, granularity=granularity))
    assert machine.amounts(shape)[0][0] == machine.taken(shape, 0) == taken
    assert machine.cpus(shape, 0) == counted


@pytest.mark.parametrize(
    ("asked", "cpus", "memory_mb"),
    [
        pytest.param({}, 4, 400, id="the core's other CPU counts too"),
        pytest.param({"cpus_per_core": 1}, 6, 300, id="but not where it stays unused"),
        pytest.param({"cpus_per_core": 2}, 4, 400, id="nobody uses more than there are"),
        pytest.param({"sharing": Sharing.EXCLUSIVE}, 16, 1_600, id="who has all needs it for all"),
    ],
)
def test_cpus_and_memory_in_whole_cores(asked, cpus, memory_mb):
    node = Node(name="n1", cpus=16, memory_mb=2_000, state=NodeState.IDLE, cpus_per_core=2)
    machine = Machine([node])
    request = Request(nodes=1, cpus=3, memory_per_cpu_mb=100, **asked)
    shape = machine.intern(shape_of(request, SHARED, SITE))
    assert machine.cpus(shape, 0) == cpus
    assert machine.amounts(shape)[0][1] == memory_mb


@pytest.mark.parametrize(
    ("granularity", "able"), [(CpuGranularity.CORE, 0b01), (CpuGranularity.NODE, 0b11)]
)
def test_whole_nodes_need_memory_for_all_their_cpus(granularity, able):
    rich = Node(name="rich", cpus=16, memory_mb=64_000, state=NodeState.IDLE)
    machine = Machine([rich, replace(rich, name="poor", memory_mb=63_000)])
    request = Request(nodes=1, cpus=2, memory_per_cpu_mb=4_000, sharing=Sharing.EXCLUSIVE)
    shape = shape_of(request, SHARED, replace(SITE, granularity=granularity))
    assert machine.fits_empty(machine.intern(shape)) == able


@pytest.mark.parametrize(
    ("each_mb", "per_core", "able"),
    [
        (2_100, None, 0b11),
        (2_200, None, 0b10),
        (3_500, None, 0b10),
        (4_200, None, 0b00),
        (4_200, 1, 0b11),
        (4_300, 1, 0b10),
        (6_000, 1, 0b10),
        (9_000, 1, 0b00),
    ],
)
def test_memory_goes_with_all_threads_of_a_whole_node_that_may_be_used(each_mb, per_core, able):
    """As Slurm 22.05.8 answered, asked for one task on a node (`--hint=nomultithread`)."""
    threads = Node(name="n1", cpus=28, memory_mb=60_000, state=NodeState.IDLE, cpus_per_core=2)
    machine = Machine([threads, replace(threads, name="n2", cpus=32, memory_mb=128_000)])
    request = Request(
        nodes=1,
        cpus=1,
        cpus_per_core=per_core,
        memory_per_cpu_mb=each_mb,
        sharing=Sharing.EXCLUSIVE,
    )
    assert machine.fits_empty(machine.intern(shape_of(request, SHARED, SITE))) == able


@pytest.mark.parametrize(("tasks", "able"), [(14, 0b11), (16, 0b10), (17, 0b00)])
def test_whole_nodes_have_as_many_cores_as_its_tasks_use(tasks, able):
    threads = Node(name="n1", cpus=28, memory_mb=1, state=NodeState.IDLE, cpus_per_core=2)
    machine = Machine([threads, replace(threads, name="n2", cpus=32)])
    request = Request(nodes=1, cpus=tasks, cpus_per_core=1, sharing=Sharing.EXCLUSIVE)
    unbound = replace(SITE, memory_is_consumable=False)
    assert machine.fits_empty(machine.intern(shape_of(request, SHARED, unbound))) == able


def test_an_untyped_resource_is_met_by_any_type_and_an_unknown_one_by_none():
    machine = Machine(
        [
            Node(name="a", cpus=1, memory_mb=1, state=NodeState.IDLE, gres=(("gpu:a100", 2),)),
            Node(name="b", cpus=1, memory_mb=1, state=NodeState.IDLE, gres=(("gpu:v100", 1),)),
            Node(name="c", cpus=1, memory_mb=1, state=NodeState.IDLE),
        ]
    )

    def holders(*gres: tuple[str, int]) -> tuple[str, ...]:
        shape = Shape(whole=False, cpus=1, memory_mb=0, gres=gres)
        return machine.names(machine.fits_empty(machine.intern(shape)))

    assert holders(("gpu", 1)) == ("a", "b")
    assert holders(("gpu", 2)) == ("a",)
    assert holders(("gpu:v100", 1)) == ("b",)
    assert holders(("fpga", 1)) == ()
