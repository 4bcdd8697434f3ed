"""What a story tells comes true whoever decides: the batch system's own passes, or a policy."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, array, cluster, running, waiting

from predictor.domain import Hold, NodeState, PassSettings, Reservation, SchedulerSettings
from predictor.scheduling.policy import EASY
from predictor.simulation.story import Story, retell, retell_under

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1))


def in_passes(snapshot, story, until):
    return retell(replace(snapshot, settings=SETTINGS), story, until)


def under_easy(snapshot, story, until):
    return retell_under(EASY, snapshot, story, until)


@pytest.fixture(params=[in_passes, under_easy], ids=lambda one: one.__name__)
def starts(request):
    """Return who starts how many seconds after the snapshot."""

    def told(count, *jobs, **story):
        found = request.param(cluster(count, *jobs), Story(**story), NOW + 6 * HOUR)
        return {id_: start.at - NOW for id_, start in found.items()}

    return told


def test_an_array_that_comes_brings_all_its_tasks(starts):
    tasks = array("5", 3)
    tasks = replace(tasks, spec=replace(tasks.spec, submitted_at=NOW + 10))
    assert starts(2, arrivals=(tasks,), run_s={"5_0": 5}) == {"5_0": 10, "5_1": 10, "5_2": 15}


def test_who_leaves_does_not_start(starts):
    queue = (
        running("0", "n1", 50),
        waiting("1", of_job={"submitted_at": NOW - 9}),
        waiting("2", of_job={"submitted_at": NOW - 8}),
    )
    found = starts(1, *queue, ends_at={"0": NOW + 100}, leaves_at={"1": NOW + 99})
    assert found == {"2": 100}


@pytest.mark.parametrize(
    ("interval", "start_s"),
    [
        pytest.param((NOW - HOUR, NOW + 50), 50, id="released"),
        pytest.param((NOW + 10, NOW + 50), 0, id="held only later"),
        pytest.param((NOW - HOUR, None), None, id="never released"),
    ],
)
def test_holds(starts, interval, start_s):
    found = starts(1, waiting("1", hold=Hold.USER), held={"1": (interval,)})
    assert found.get("1") == start_s


def test_a_reservation_matters_once_it_is_made(starts):
    made = Reservation(name="m", start_at=NOW + 300, end_at=NOW + HOUR, node_names=("n1",))
    early = waiting("1", of_job={"submitted_at": NOW + 10})
    late = waiting("2", of_job={"submitted_at": NOW + 70})
    found = starts(1, arrivals=(early, late), run_s={"1": 20}, reservations=((NOW + 60, (made,)),))
    assert found == {"1": 10, "2": HOUR}


def test_a_node_that_fails_is_not_used_until_it_is_back(starts):
    [node] = cluster(1).nodes
    down = replace(node, state=NodeState.DOWN)
    comer = waiting("1", of_job={"submitted_at": NOW + 30})
    found = starts(1, arrivals=(comer,), nodes=((NOW + 20, (down,)), (NOW + 90, (node,))))
    assert found == {"1": 90}
