"""How far nodes are from one another, against a search through the links themselves."""

from collections import deque
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.experiments.network import Levels, Torus, dragonfly, fat_tree


def walked(links, one, other):
    """The hops between two, found by going there."""
    seen, todo = {one}, deque([(one, 0)])
    while todo:
        at, hops = todo.popleft()
        if at == other:
            return hops
        for following in links[at] - seen:
            seen.add(following)
            todo.append((following, hops + 1))
    raise AssertionError("not joined")


def torus_links(extents):
    places = list(product(*map(range, extents)))
    numbers = {place: number for number, place in enumerate(places)}
    links = {number: set() for number in numbers.values()}
    for place, number in numbers.items():
        for axis, extent in enumerate(extents):
            for step in (-1, 1):
                there = (*place[:axis], (place[axis] + step) % extent, *place[axis + 1 :])
                links[number] |= {numbers[there]} - {number}
    return links


def tree_links(down):
    links, below, names = {}, 1, list(range(_product(down)))
    for level, many in enumerate(down):
        above = []
        for first in range(0, len(names), many):
            switch = (level, first)
            above.append(switch)
            for name in names[first : first + many]:
                links.setdefault(name, set()).add(switch)
                links.setdefault(switch, set()).add(name)
        names, below = above, below * many
    return links


def _product(numbers):
    found = 1
    for number in numbers:
        found *= number
    return found


extents = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)


@given(extents, st.data())
def test_a_torus_is_as_wide_as_its_links(extents, data):
    torus, links = Torus(extents=extents), torus_links(extents)
    chosen = data.draw(st.sets(st.sampled_from(sorted(links)), max_size=6))
    expected = sum(walked(links, one, other) for one, other in combinations(chosen, 2))
    assert torus.hops(list(chosen)) == expected


@given(st.lists(st.integers(2, 4), min_size=1, max_size=3), st.data())
def test_a_tree_is_as_high_as_its_links(down, data):
    tree, links = fat_tree(down), tree_links(down)
    chosen = data.draw(st.sets(st.integers(0, tree.nodes - 1), max_size=6))
    expected = sum(walked(links, one, other) for one, other in combinations(chosen, 2))
    assert tree.hops(list(chosen)) == expected


def test_a_dragonfly_is_near_by_router_by_group_and_far_beyond():
    found = dragonfly(nodes=2, routers=3, groups=4)
    assert found.nodes == 24
    assert [found.hops([0, other]) for other in (1, 2, 5, 6, 23)] == [2, 3, 3, 5, 5]
    assert found.hops([0, 1, 2, 6]) == 2 + 3 + 3 + 5 + 5 + 5


def test_a_dragonfly_of_single_nodes_has_one_level_less():
    assert dragonfly(nodes=1, routers=4, groups=2).hops([0, 3, 4]) == 3 + 5 + 5


@pytest.mark.parametrize(
    ("sizes", "between"), [((4, 6), (2, 4)), ((4, 4), (2, 4)), ((4, 8), (4, 2)), ((), ())]
)
def test_levels_that_hold_nothing_are_refused(sizes, between):
    with pytest.raises(ValueError):
        Levels(sizes=sizes, between=between)
