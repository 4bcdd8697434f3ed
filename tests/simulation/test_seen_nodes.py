"""Where a job is tried again hangs on the nodes that it sees given back."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import NodeSharing, PassSettings, Reservation, SchedulerSettings, Sharing
from predictor.plan import plan
from predictor.site import default

PASSES = PassSettings(interval_s=30, step_s=1, owners_leave=False)
SETTINGS = SchedulerSettings(multifactor=False, passes=PASSES)
THREE = nodes(3)
ALL = partition("all", THREE, sharing=NodeSharing.EXCLUSIVE)
OPEN = partition("few", THREE[1:], sharing=NodeSharing.NO)
OWNED = replace(OPEN, exclusive_user=True)
COURSE = Reservation(
    name="course",
    start_at=NOW - 10 * MINUTE,
    end_at=NOW + 200 * MINUTE,
    node_names=("n2", "n3"),
    users=("bob",),
)
SEEN = {"1": 30, "2": 60, "3": 90, "5": 10, "6": 20, "7": 120}
UNSEEN = {"1": 30, "2": 60, "3": 90, "5": 10, "6": 20}
LATE = {"1": 30, "2": 200, "3": 230, "5": 10, "6": 20, "7": 260}
"""Those of the reservation are first in the queue, and its end is seen by all others."""


def on_n1(id_, minutes, user):
    job = waiting(id_, 1, minutes, of_job={"partitions": ("all",), "user": user})
    request = replace(job.spec.request, excluded_nodes=("n2", "n3"))
    return replace(job, spec=replace(job.spec, request=request))


def elsewhere(job, reservation=""):
    request = replace(job.spec.request, cpus=4, sharing=Sharing.SHARED)
    more = {"partitions": ("few",), "user": "bob", "reservation": reservation}
    return replace(job, spec=replace(job.spec, request=request, **more))


# n1   a 30      1 30-60   2 60-90   3 90-120   7 wants five minutes
# n2   b 10      5 10-40   both of bob
# n3   c 20      6 20-50   both of bob
#
# Whoever sees nothing given back around its end looks no further, and gets no slot: from minute
# 30 on, 7 would reach minute 120 over the minutes 40 and 50 only.
@pytest.mark.parametrize(
    ("user", "few", "reservations", "starts"),
    [
        pytest.param("ada", OPEN, (), SEEN, id="open to all"),
        pytest.param("bob", OWNED, (), SEEN, id="of its own user"),
        pytest.param("ada", OWNED, (), UNSEEN, id="of another user"),
        pytest.param("ada", OPEN, (COURSE,), LATE, id="reserved for another"),
    ],
)
def test_what_it_does_not_see_given_back_is_no_opening(user, few, reservations, starts):
    name = reservations[0].name if reservations else ""
    scene = cluster(
        3,
        running("a", "n1", 30, partitions=("all",)),
        elsewhere(running("b", "n2", 10), name),
        elsewhere(running("c", "n3", 20), name),
        *(on_n1(id_, 30, user) for id_ in "123"),
        *(elsewhere(waiting(id_, 1, 30), name) for id_ in "56"),
        on_n1("7", 5, user),
        nodes=THREE,
        partitions=(ALL, few),
        reservations=reservations,
        settings=SETTINGS,
    )
    found = {id_: (one.start_at - NOW) // MINUTE for id_, one in plan(scene, default()).items()}
    assert found == starts
