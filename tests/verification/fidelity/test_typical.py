"""Which of several simulations stands for them all."""

import pytest

from predictor.simulation.story import Start
from verification.fidelity.typical import most_typical


def said(**starts):
    return {id_: Start(at=at, node_names=()) for id_, at in starts.items()}


@pytest.mark.parametrize(
    ("simulations", "number"),
    [
        pytest.param([said(a=0)], 0, id="a single one"),
        pytest.param([said(b=0), said(a=0), said(a=9)], 1, id="who starts in most of them starts"),
        pytest.param([said(a=0), said(), said()], 1, id="who starts in few of them does not"),
        pytest.param([said(a=0), said(a=70), said(a=130)], 1, id="starts a minute apart are close"),
        pytest.param([said(a=0), said(a=61), said(a=122)], 0, id="of equals the first"),
    ],
)
def test_the_one_that_is_least_apart_from_the_others(simulations, number):
    assert most_typical(simulations) is simulations[number]


def test_of_none_there_is_none():
    with pytest.raises(ValueError, match="empty"):
        most_typical([])
