"""Nodes that are being rebooted: nobody starts there yet, and plans count on them."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, nodes, running, waiting

from predictor.domain import Cause, NodeFlag, NodeState, Reservation, Unpredictable
from predictor.forecast import forecast
from predictor.site import Site, default

EASY = Site.model_validate({"policy": {"name": "easy"}})
OF_A_REBOOT = frozenset({NodeFlag.DRAIN, NodeFlag.REBOOT})


def rebooting(*jobs, returns=True, back_by=NOW + 10 * MINUTE, **more):
    """Return two nodes, of which n2 is being rebooted."""
    first, second = nodes(2)
    flags = OF_A_REBOOT | ({NodeFlag.RETURNING} if returns else set())
    second = replace(second, state=NodeState.DOWN, flags=flags, back_by=back_by)
    return replace(cluster(2, *jobs, **more), nodes=(first, second))


@pytest.mark.parametrize("site", [default(), EASY], ids=["two passes", "easy"])
@pytest.mark.parametrize(
    ("back_by", "starts"), [(NOW + 10 * MINUTE, 600), (None, 60), (NOW - HOUR, 1)]
)
def test_a_node_gives_room_once_it_is_back(site, back_by, starts):
    snapshot = rebooting(running("9", "n1", 60), waiting("1"), back_by=back_by)
    [one] = forecast(snapshot, site).predictions
    assert one.node_names == ("n2",)
    assert starts <= one.start_at - NOW < starts + MINUTE
    assert one.cause is Cause.RESOURCES


def test_meanwhile_others_are_taken():
    [one] = forecast(rebooting(waiting("1")), default()).predictions
    assert (one.start_at, one.node_names) == (NOW, ("n1",))


def test_a_node_of_which_nobody_says_that_it_returns_is_down():
    made = forecast(rebooting(waiting("1", 2), returns=False), default())
    assert [one.cause for one in made.abstentions] == [Unpredictable.NODES_UNAVAILABLE]


def test_it_is_explained_as_a_node_that_is_down_not_as_a_reservation():
    later = Reservation(
        name="later", start_at=NOW + HOUR, end_at=NOW + 2 * HOUR, node_names=("n1",)
    )
    snapshot = rebooting(waiting("1", 2), reservations=(later,))
    [one] = forecast(snapshot, default(), explained=True).predictions
    assert one.cause is Cause.RESOURCES
    assert (one.explanation.nodes_free, one.explanation.nodes_down) == (1, 1)
    assert one.explanation.reservation_from is None


def test_a_blocked_node_gives_room_later_and_is_not_down():
    snapshot = rebooting(waiting("1", 2))
    first, second = snapshot.nodes
    second = replace(second, state=NodeState.IDLE, flags=frozenset({NodeFlag.BLOCKED}))
    snapshot = replace(snapshot, nodes=(first, second))
    [one] = forecast(snapshot, default(), explained=True).predictions
    assert 600 <= one.start_at - NOW < 660
    assert (one.explanation.nodes_free, one.explanation.nodes_down) == (1, 0)


def test_a_blocked_node_that_is_drained_stays_so():
    drained = frozenset({NodeFlag.BLOCKED, NodeFlag.DRAIN})
    assert not replace(nodes(1)[0], flags=drained).usable
