"""Searches: right where there is no chance, and with few runs."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from verification.sweep.searching import coordinate, halving, rungs


def searched(search, value, replications):
    """Let `search` ask until it ends; return what it found and how many runs it took."""
    known = {}

    def cost(point, count):
        have = known.get(point, 0)
        return (0, sum(value(point, k) for k in range(count)) / count) if have >= count else None

    while (step := search(cost)).best is None:
        assert step.asked
        for point, count in step.asked:
            assert known.get(point, 0) < count <= replications, "asked for what is known"
            known[point] = count
    return step.best, sum(known.values())


def test_rounds_double_until_all_replications_are_made():
    assert rungs(16, 8) == [1, 2, 4, 8]
    assert rungs(4, 30) == [8, 15, 30]
    assert rungs(100, 1) == [1]
    assert rungs(1, 8) == [8]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=40), st.integers(1, 20))
def test_halving_finds_the_best_where_there_is_no_chance(values, replications):
    best, _ = searched(
        lambda cost: halving(len(values), replications, cost),
        lambda point, k: values[point],
        replications,
    )
    assert values[best] == min(values)


def test_two_at_least_are_tried_on_all():
    asked = []

    def cost(point, count):
        asked.append((point, count))
        return 0, float(point)

    assert halving(8, 8, cost).best == 0
    assert {point for point, count in asked if count == 8} == {0, 1}


def test_halving_takes_a_fraction_of_the_runs():
    _, runs = searched(lambda cost: halving(64, 32, cost), lambda point, k: point, 32)
    assert runs <= 64 * 32 / 8


def test_a_point_that_only_seems_good_at_first_is_found_out():
    # Point 1 is best in the first replication, point 2 in all others.
    def value(point, k):
        return {1: 0 if k == 0 else 9, 2: 1}.get(point, 5)

    assert searched(lambda cost: halving(4, 8, cost), value, 8)[0] == 2


@given(
    st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=5), min_size=1, max_size=3),
    st.integers(1, 4),
)
def test_coordinates_lead_to_the_best_where_axes_do_not_depend_on_one_another(parts, replications):
    points = list(product(*parts))
    best, runs = searched(
        lambda cost: coordinate([len(one) for one in parts], replications, cost),
        lambda point, k: sum(points[point]),
        replications,
    )
    assert sum(points[best]) == sum(map(min, parts))
    assert runs <= (1 + sum(len(one) - 1 for one in parts) * 2) * replications


@given(st.data())
def test_no_neighbour_along_an_axis_is_better_than_what_coordinates_lead_to(data):
    lengths = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    places = list(product(*map(range, lengths)))
    values = data.draw(st.lists(st.integers(0, 9), min_size=len(places), max_size=len(places)))
    best, _ = searched(lambda cost: coordinate(lengths, 1, cost), lambda point, k: values[point], 1)
    for place, value in zip(places, values, strict=True):
        differing = sum(one != other for one, other in zip(place, places[best], strict=True))
        assert differing > 1 or values[best] <= value
