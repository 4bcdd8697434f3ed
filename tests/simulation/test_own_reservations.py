"""Who asked for a reservation that is over before there is room."""

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
