import os

import pytest

from predictor.errors import QueuecastError
from verification.fidelity.spread import Spread


@pytest.mark.parametrize("jobs", [1, 3, 50])
def test_every_item_is_worked_on_once(jobs):
    assert sorted(Spread(lambda n: n * n, range(20), jobs)) == [n * n for n in range(20)]


def test_nothing_to_do_is_done():
    assert list(Spread(str, [], 4)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_where_it_is_awaited(jobs):
    with pytest.raises(ZeroDivisionError):
        list(Spread(lambda n: 1 // n, [1, 2, 0, 3], jobs))


def test_a_worker_that_dies_is_told_of():
    with pytest.raises(QueuecastError, match="died"):
        list(Spread(lambda n: os._exit(1), [1, 2], 2))
