"""What somebody tells who does not know a truth, and what that leaves of a story."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, cluster, waiting

from predictor.domain import Hold, NodeState, Reservation
from predictor.simulation.story import Story
from predictor.simulation.telling import Clearing
from verification.ladder.climb import hidden_alone, hidden_but, hidden_sets
from verification.ladder.truths import ORDER, Estimates, Truth, without

HERE = cluster(2, waiting("1"), waiting("2", hold=Hold.USER))
COMER = waiting("3", of_job={"submitted_at": NOW + 60})
MADE = Reservation(name="m", start_at=NOW, end_at=NOW + HOUR, node_names=("n1",))
DOWN = replace(HERE.nodes[0], state=NodeState.DOWN)
TOLD = Story(
    run_s={"1": 100, "2": 200, "3": 300},
    ends_at={"0": NOW + 50},
    arrivals=(COMER,),
    leaves_at={"1": NOW + 9, "3": NOW + 99},
    held={"1": ((NOW + 5, NOW + 6),), "3": ((NOW + 70, None),)},
    changes=((NOW + 7, waiting("1", 2)), (NOW + 80, COMER)),
    closed={"batch": ((NOW + 4, NOW + 6),)},
    priorities=((NOW + 5, "1", ()),),
    reservations=((NOW + 8, (MADE,)),),
    nodes=((NOW + 9, (DOWN,)),),
    clearings=(Clearing(since=NOW + 3, until=NOW + 5, node_name="n1"),),
)
GUESS = Estimates(run_s={"1": 7}, ends_at={"0": NOW + 3})


def left(*hidden):
    return without(TOLD, HERE, frozenset(hidden), GUESS)


def test_who_knows_everything_tells_everything():
    assert left() == TOLD


@pytest.mark.parametrize(
    ("hidden", "changed"),
    [
        (Truth.PRIORITIES, {"priorities": ()}),
        (Truth.NODES, {"nodes": (), "reservations": (), "closed": {}, "clearings": ()}),
        (
            Truth.CANCELLATIONS,
            {"leaves_at": {}, "changes": (), "held": {"2": ((0, None),)}},
        ),
        (
            Truth.ARRIVALS,
            {
                "arrivals": (),
                "run_s": {"1": 100, "2": 200},
                "leaves_at": {"1": NOW + 9},
                "held": {"1": ((NOW + 5, NOW + 6),)},
                "changes": TOLD.changes[:1],
            },
        ),
        (Truth.RUN_TIMES, {"run_s": GUESS.run_s, "ends_at": GUESS.ends_at}),
        (Truth.ESTIMATES, {}),
    ],
)
def test_each_truth_takes_its_own_part_away_and_nothing_else(hidden, changed):
    assert left(hidden) == replace(TOLD, **changed)


def test_without_run_times_and_estimates_limits_are_left():
    told = left(Truth.RUN_TIMES, Truth.ESTIMATES)
    assert (told.run_s, told.ends_at) == ({}, {})


def test_who_knows_nothing_tells_only_of_holds_that_are_seen():
    assert left(*ORDER) == Story(held={"2": ((0, None),)})


def test_every_set_that_the_figures_need_is_climbed_once():
    sets = hidden_sets()
    assert len(sets) == len(set(sets))
    assert frozenset() in sets
    assert frozenset(ORDER) in sets
    assert {hidden_alone(truth) for truth in ORDER} <= set(sets)
    assert {hidden_but(truth) for truth in ORDER} <= set(sets)
