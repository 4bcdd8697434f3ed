"""Who would run into a maintenance is tried behind it; and behind the next step if it met another.

Source: Slurm 22.05, job_test_resv; a log of a real one's passes.
"""

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, waiting

from predictor.domain import (
    NodeSharing,
    PassSettings,
    Reservation,
    ReservationFlag,
    SchedulerSettings,
)
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=60))
THREE = nodes(3)
LEFT = partition("left", THREE[:1], sharing=NodeSharing.EXCLUSIVE)
RIGHT = partition("right", THREE[1:], sharing=NodeSharing.EXCLUSIVE)
COURSE = Reservation(
    name="course",
    start_at=NOW - 10 * MINUTE,
    end_at=NOW + MINUTE,
    node_names=("n1",),
    users=("bob",),
)
MAINTENANCE = Reservation(
    name="maintenance",
    start_at=NOW + MINUTE,
    end_at=NOW + 12 * MINUTE + 10,
    node_names=("n1", "n2", "n3"),
    flags=frozenset({ReservationFlag.MAINTENANCE}),
    users=("root",),
)


def asking(id_, where, minutes):
    return waiting(id_, 1, minutes, of_job={"partitions": (where,)})


# n1   course until 1   maintenance until 12:10   1 until 72
# n2                    maintenance until 12:10   2 until 15
# n3                    maintenance until 12:10   3 until 17
#
# From 12:10 on 4 sees no further than to minute 15, from 13 on to the end of 1.
@pytest.mark.parametrize(
    ("reservations", "start"),
    [
        pytest.param((COURSE, MAINTENANCE), 72, id="gone through before it"),
        pytest.param((MAINTENANCE, COURSE), None, id="gone through after it"),
        pytest.param((MAINTENANCE,), None, id="there is none"),
    ],
)
def test_a_reservation_that_it_met_before_it_was_put_off_counts(reservations, start):
    scene = cluster(
        3,
        asking("1", "left", 60),
        asking("2", "right", 3),
        asking("3", "right", 5),
        asking("4", "left", 2),
        nodes=THREE,
        partitions=(LEFT, RIGHT),
        reservations=reservations,
        settings=SETTINGS,
    )
    found = {
        id_: round((one.start_at - NOW) / MINUTE) for id_, one in plan(scene, default()).items()
    }
    assert found.get("4") == start
    assert found["1"] == found["2"] == found["3"] == 12
