"""How far chance moves what a sweep finds."""

import pytest

from verification.sweep.certainty import interval, resamples, share_best, verdict


def test_seeds_are_drawn_within_their_input_where_there_are_several():
    drawn = resamples(["a", "b", "a", "b"])
    assert len(drawn) == 1000
    assert all(sorted(place % 2 for place in one) == [0, 0, 1, 1] for one in drawn)


def test_else_inputs_are_drawn():
    drawn = resamples(["a", "b", "c"])
    assert {place for one in drawn for place in one} == {0, 1, 2}
    assert any(one.count(0) > 1 for one in drawn)


@pytest.mark.parametrize("few", [["a"], ["a", "a"], ["a", "b"]])
def test_of_few_replications_nothing_can_be_told(few):
    assert resamples(few) == []
    assert interval([3.0] * len(few), few) is None
    assert share_best([[3.0], [4.0]], 0, ()) is None


def test_an_interval_holds_the_mean_and_no_more_than_the_values():
    low, high = interval([1.0, 2, 3, 4, 5, 6, 7, 8], ["a"] * 8)
    assert 1 < low < 4.5 < high < 8
    assert (low + high) / 2 == pytest.approx(4.5)


def test_what_differs_between_inputs_does_not_widen_what_draws_leave_open():
    values = [1.0, 101, 2, 102, 3, 103]
    low, high = interval(values, ["a", "b"] * 3)
    assert 0 < high - low < 5
    low, high = interval(values, list("abcdef"))
    assert high - low > 80


def test_where_chance_moves_nothing_the_interval_is_a_point():
    assert interval([3.0] * 4, ["a"] * 4) == (3.0, 3.0)


def test_a_point_is_surely_best_if_it_is_in_every_replication():
    drawn = resamples(["a"] * 4)
    assert share_best([[1.0] * 4, [2.0] * 4], 0, drawn) == 1.0
    assert share_best([[1.0, 9, 1, 9], [2.0, 2, 9, 9]], 0, drawn) < 1.0


@pytest.mark.parametrize(
    ("difference", "between", "said"),
    [
        (-3.0, (-4.0, -1.0), "lower"),
        (3.0, (1.0, 4.0), "higher"),
        (1.0, (-1.0, 3.0), "no_detectable_change"),
        (1.0, None, "not_known_yet"),
        (0.0, None, "same"),
    ],
)
def test_what_is_said_of_a_difference(difference, between, said):
    assert verdict(difference, between) == said


def test_a_point_that_stands_alone_is_not_surely_the_best():
    assert share_best([[1.0] * 4], 0, resamples(["a"] * 4)) is None
