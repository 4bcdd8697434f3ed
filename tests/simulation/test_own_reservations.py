"""Who asked for a reservation that is over before there is room."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import UNLIMITED, Reservation, ReservationFlag, Unpredictable
from predictor.domain.instants import rfc3339
from predictor.forecast import forecast
from predictor.site import default

SITE = default()


def told_of(made):
    """Return in how many minutes each starts, or why nobody knows."""
    starts = {one.job_id: (one.start_at - NOW) // MINUTE for one in made.predictions}
    return starts | {one.job_id: one.cause for one in made.abstentions}


@pytest.mark.parametrize(
    ("flags", "count", "told"),
    [
        pytest.param((), 1, Unpredictable.RESERVATION_GONE, id="it is over before"),
        pytest.param((), 2, Unpredictable.NEVER_FITS, id="it has too few nodes"),
        pytest.param((ReservationFlag.DAILY,), 1, 24 * 60, id="there is another one tomorrow"),
        pytest.param((ReservationFlag.FLEX,), 1, 0, id="it may start elsewhere"),
    ],
)
def test_whose_own_reservation_is_in_use_until_its_end_is_told_that(flags, count, told):
    own = Reservation(
        name="r", start_at=NOW, end_at=NOW + HOUR, node_names=("n1",), flags=frozenset(flags)
    )
    asking = waiting("1", count, of_job={"reservation": "r"})
    made = forecast(cluster(2, running("9", "n1", 120), asking, reservations=(own,)), SITE)
    assert told_of(made)["1"] == told
    if told is Unpredictable.RESERVATION_GONE:
        [one] = made.abstentions
        assert one.detail == f"its reservation ends at {rfc3339(NOW + HOUR)}, before it could start"


@pytest.mark.parametrize(
    ("asked", "told", "on"),
    [
        pytest.param("late,soon", 60, {"n2"}, id="the one that opens first"),
        pytest.param("gone,late", 120, {"n1"}, id="one of them is gone"),
        pytest.param("late", 120, {"n1"}, id="it names one"),
        pytest.param("gone,lost", Unpredictable.RESERVATION_GONE, set(), id="all are gone"),
    ],
)
def test_who_asks_for_several_reservations_starts_in_any(asked, told, on):
    late = Reservation(
        name="late", start_at=NOW + 2 * HOUR, end_at=NOW + 4 * HOUR, node_names=("n1",)
    )
    soon = replace(late, name="soon", start_at=NOW + HOUR, node_names=("n2",))
    asking = waiting("1", 1, of_job={"reservation": asked})
    made = forecast(cluster(3, asking, reservations=(late, soon)), SITE)
    assert told_of(made)["1"] == told
    assert {name for one in made.predictions for name in one.node_names} == on


def test_whose_reservations_are_all_over_before_is_told_the_last_end():
    first = Reservation(name="a", start_at=NOW, end_at=NOW + 2 * HOUR, node_names=("n1",))
    second = replace(first, name="b", end_at=NOW + HOUR, node_names=("n2",))
    asking = waiting("1", 1, of_job={"reservation": "a,b"})
    busy = (running("8", "n1", 120), running("9", "n2", 120))
    made = forecast(cluster(2, *busy, asking, reservations=(first, second)), SITE)
    [one] = made.abstentions
    assert one.cause is Unpredictable.RESERVATION_GONE
    assert rfc3339(NOW + 2 * HOUR) in one.detail


@pytest.mark.parametrize(
    ("days", "cause"), [(1, Unpredictable.RESERVATION_GONE), (100, Unpredictable.HORIZON)]
)
def test_whose_own_reservation_others_use_until_its_end_is_told_that(days, cause):
    own = Reservation(name="r", start_at=NOW, end_at=NOW + days * 24 * HOUR, node_names=("n1",))
    first, second = (
        waiting(id_, 1, days * 24 * 60 + 60, of_job={"reservation": "r"}) for id_ in ("1", "2")
    )
    door = partition("batch", nodes(2), max_time_s=UNLIMITED)
    made = forecast(cluster(2, first, second, reservations=(own,), partitions=(door,)), SITE)
    assert told_of(made) == {"1": 0, "2": cause}
