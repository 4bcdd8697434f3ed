"""When nodes were being cleared of ended jobs, by the snapshots that show them so."""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, running

from predictor.domain import Outcome
from predictor.domain.node import NodeFlag
from predictor.engine.victim_tables import Vacating
from predictor.simulation.telling import Clearing
from verification.fidelity.clearing import Clearings, clearings
from verification.fidelity.runs import Run


def shown(*minutes):
    """Return four snapshots, a minute apart; those of these minutes show n1 being cleared."""
    there = cluster(2)
    first = replace(there.nodes[0], flags=frozenset({NodeFlag.COMPLETING}))
    flagged = replace(there, nodes=(first, *there.nodes[1:]))
    return [
        replace(flagged if minute in minutes else there, taken_at=NOW + 60 * minute)
        for minute in range(4)
    ]


def ran(since, until, *nodes):
    spec = running("0", "n1", 5).spec
    return Run(spec=spec, started_at=NOW + since, ended_at=NOW + until, node_names=nodes)


@pytest.mark.parametrize(
    ("minutes", "runs", "since", "until"),
    [
        pytest.param((1,), [ran(0, 50, "n1")], 50, 90, id="from the end there, half a step on"),
        pytest.param((1, 2), [ran(0, 50, "n1")], 50, 150, id="as long as it is shown so"),
        pytest.param((1,), [ran(0, 50, "n1"), ran(70, 99, "n1")], 50, 70, id="or somebody starts"),
        pytest.param((1,), [ran(0, 50, "n1"), ran(70, 99, "n2")], 50, 90, id="on that very node"),
        pytest.param((1,), [ran(0, 9, "n2"), ran(0, 70, "n1")], 70, 90, id="one read late"),
        pytest.param((1,), [ran(0, 9, "n2"), ran(0, 170, "n1")], 60, 90, id="no end: as shown"),
        pytest.param((3,), [ran(0, 150, "n1")], 150, 210, id="the last snapshot shows it"),
    ],
)
def test_a_node_is_cleared_from_an_end_on(minutes, runs, since, until):
    found = Clearing(since=NOW + since, until=NOW + until, node_name="n1")
    assert clearings(shown(*minutes), {"0": runs}).others == (found,)


def test_who_is_never_shown_so_is_cleared_at_once():
    assert clearings(shown(), {"0": [ran(0, 50, "n1")]}) == Clearings()


def test_it_lasts_as_long_as_it_mostly_does_after_runs_that_ended_alike():
    first, second = cluster(2).nodes
    flags = frozenset({NodeFlag.COMPLETING})
    both = (replace(first, flags=flags), replace(second, flags=flags))
    snapshots = shown()
    snapshots[1] = replace(snapshots[1], nodes=both)
    # Shown at 60, not at 120: about 40 s after the one end and 80 s after the other.
    runs = {"0": [ran(0, 50, "n1")], "1": [ran(0, 10, "n2")]}
    found = {one.node_name: one.until - NOW for one in clearings(snapshots, runs).others}
    assert found == {"n1": 110, "n2": 70}
    killed = {"0": [ran(0, 50, "n1")], "1": [replace(ran(0, 10, "n2"), outcome=Outcome.TIMEOUT)]}
    found = {one.node_name: one.until - NOW for one in clearings(snapshots, killed).others}
    assert found == {"n1": 90, "n2": 90}


def test_the_first_node_of_victims_is_told_apart_and_who_is_never_shown_counts():
    # A job of n1 and n2 is shown on n1 alone; two others are not shown at all, nor on n2 and n3.
    two, three = ran(0, 50, "n1"), replace(ran(0, 50, "n1"), node_names=("n2", "n3"))
    runs = [replace(two, node_names=("n1", "n2")), three, replace(three, node_names=("n3", "n2"))]
    ended = {str(i): [replace(run, outcome=Outcome.PREEMPTED)] for i, run in enumerate(runs)}
    assert clearings(shown(1), ended).vacating == Vacating(first_s=0, others_s=0)
    assert clearings(shown(1), {"0": ended["0"]}).vacating == Vacating(first_s=40, others_s=0)
    both = {"0": ended["0"], "1": ended["1"]}
    assert clearings(shown(1), both).vacating == Vacating(first_s=20, others_s=0)


def test_what_is_cleared_of_victims_is_told_only_once_it_has_begun():
    runs = {"0": [replace(ran(0, 50, "n1"), outcome=Outcome.PREEMPTED)]}
    found = clearings(shown(1), runs)
    one = Clearing(since=NOW + 50, until=NOW + 90, node_name="n1")
    assert found == Clearings(of_victims=(one,), vacating=Vacating(first_s=40))
    assert found.told(NOW + 49, NOW + 600) == ()
    assert found.told(NOW + 50, NOW + 600) == (one,)
    others = Clearings(others=found.of_victims)
    assert others.told(NOW, NOW + 600) == (one,)
    assert others.told(NOW, NOW + 50) == others.told(NOW + 90, NOW + 600) == ()
