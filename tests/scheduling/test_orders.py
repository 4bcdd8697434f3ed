"""Orders of nodes by what they have, and by chance."""

from predictor.domain import Node, NodeState
from predictor.scheduling.machine import ALL_MEMORY, Machine, Shape
from predictor.scheduling.orders import drawn, thrifty, unasked


def machine(*gres, weights=(1, 1, 1, 1), memory_mb=0):
    return Machine(
        [
            Node(
                name=f"n{n}",
                cpus=4,
                memory_mb=memory_mb,
                state=NodeState.IDLE,
                gres=of_node,
                weight=weight,
            )
            for n, (of_node, weight) in enumerate(zip(gres, weights, strict=True))
        ]
    )


FOUR = machine((("gpu:a100", 4),), (), (("gpu:v100", 1),), ())


def by(places):
    return sorted(range(len(places)), key=lambda node: (places[node], node))


def test_who_needs_no_gpu_wastes_least_where_there_is_none():
    shape = FOUR.intern(Shape(whole=False, cpus=1, memory_mb=0))
    assert by(thrifty(FOUR, unasked(FOUR, shape))) == [1, 3, 2, 0]


def test_who_needs_one_wastes_none():
    shape = FOUR.intern(Shape(whole=False, cpus=1, memory_mb=0, gres=(("gpu", 1),)))
    places = thrifty(FOUR, unasked(FOUR, shape))
    assert places[0] > places[1] == places[3]  # its type is scarce, whoever may have it


def test_an_order_drawn_is_the_same_for_the_same_seed():
    orders = [tuple(drawn(FOUR, seed)) for seed in range(20)]
    assert orders == [tuple(drawn(FOUR, seed)) for seed in range(20)]
    assert len(set(orders)) > 5
    assert all(sorted(by(order)) == [0, 1, 2, 3] for order in orders)


def test_weight_comes_first():
    heavy = machine((), (), (), (), weights=(1, 1, 9, 9))
    assert all(set(by(drawn(heavy, seed))[:2]) == {0, 1} for seed in range(20))
    gpus = machine((("gpu", 4),), (), (), (), weights=(1, 1, 2**40, 2**40))
    bare = gpus.intern(Shape(whole=False, cpus=1, memory_mb=0))
    assert list(thrifty(gpus, unasked(gpus, bare))) == [1, 0, 2, 2]


def test_who_asks_for_all_memory_wastes_none():
    some = machine((), (), (), (), memory_mb=8)
    asked = [some.intern(Shape(whole=False, cpus=1, memory_mb=mb)) for mb in (0, 1, ALL_MEMORY)]
    assert [unasked(some, shape) for shape in asked] == [(1,), (), ()]
