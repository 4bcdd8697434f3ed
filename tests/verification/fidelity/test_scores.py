import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.fidelity.scores import Decisions, Window, kendall_tau

pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30)


def test_decisions_count_hits_false_alarms_and_misses():
    found = Decisions.of(real={"a": 0, "b": 100, "c": 7}, said={"a": 60, "b": 161, "d": 5})
    assert found == Decisions(hits=2, close=1, false=1, missed=1)
    assert (found.precision, found.recall, found.close_share) == (2 / 3, 2 / 3, 1 / 2)


def test_nothing_to_decide_has_no_precision():
    nothing = Decisions.of({}, {})
    assert (nothing.precision, nothing.recall, nothing.close_share) == (None, None, None)


@given(st.lists(st.tuples(pairs, pairs), max_size=5))
def test_pooled_decisions_add_up(looks):
    single = [Decisions.of(dict(real), dict(said)) for real, said in looks]
    pooled = Decisions.pooled(single)
    assert pooled.hits == sum(one.hits for one in single)
    assert pooled.hits + pooled.missed == sum(len(dict(real)) for real, _ in looks)
    assert pooled.hits + pooled.false == sum(len(dict(said)) for _, said in looks)


def test_who_is_missing_counts_as_not_close_and_as_far_off_as_the_end():
    window = Window.of(
        real={"a": 100, "b": 200, "late": 900},
        said={"a": 100, "b": 230, "early": 400},
        begin_at=0,
        end_at=1000,
    )
    assert (window.jobs, window.missed) == (4, 1)
    assert window.close_share == 2 / 4
    assert sorted(window.bounds_s) == [100, 600]
    assert (window.off_s(0.5), window.off_s(0.9)) == (30, 600)


def test_errors_are_positive_where_a_job_starts_later_than_said():
    window = Window.of({"a": 130, "b": 90}, {"a": 100, "b": 100}, 0, 1000)
    assert sorted(window.errors_s) == [-10, 30]
    assert window.mean_s == 10
    assert window.sigma_s == pytest.approx(math.sqrt(800))


def test_an_empty_window_says_nothing():
    window = Window.of({}, {}, 0, 1000)
    assert (window.close_share, window.off_s(0.5), window.mean_s, window.sigma_s) == (None,) * 4


def test_pooling_nothing_is_refused():
    with pytest.raises(ValueError, match="no window"):
        Window.pooled([])


def test_order_is_judged_within_windows_only():
    one, other = [(0, 0), (5, 5)], [(1, 900), (2, 901)]
    assert kendall_tau([one, other]) == 1.0
    assert kendall_tau([[*one, *other]]) < 1.0


@given(pairs)
def test_tau_agrees_with_comparing_every_two(some):
    signs = [(_sign(a[0] - b[0]), _sign(a[1] - b[1])) for a, b in combinations(some, 2)]
    real = sum(a != 0 for a, _ in signs)
    said = sum(b != 0 for _, b in signs)
    expected = sum(a * b for a, b in signs) / math.sqrt(real * said) if real and said else None
    assert kendall_tau([some]) == (expected if expected is None else pytest.approx(expected))


def _sign(number):
    return (number > 0) - (number < 0)
