import os

import pytest

from predictor.errors import QueuecastError
from verification.parallel import Processes, in_order


@pytest.mark.parametrize("jobs", [1, 3, 50])
def test_results_come_in_the_order_of_the_items(jobs):
    squares = Processes(jobs).each(lambda n: n * n, range(20))
    assert list(squares) == [n * n for n in range(20)]


def test_results_may_arrive_in_any_order():
    assert list(in_order([(2, "c"), (0, "a"), (3, "d"), (1, "b")])) == ["a", "b", "c", "d"]


def test_nothing_to_do_is_done():
    assert list(Processes(4).each(str, [])) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_where_it_is_awaited(jobs):
    with pytest.raises(ZeroDivisionError):
        list(Processes(jobs).each(lambda n: 1 // n, [1, 2, 0, 3]))


def test_a_worker_that_dies_is_told_of():
    with pytest.raises(QueuecastError, match="died"):
        list(Processes(2).each(lambda n: os._exit(1), [1, 2]))
