"""Jobs that ask for neighbouring nodes, or few switches, and where nobody heeds that.

Source: Slurm 22.05, select/cons_tres, _eval_nodes, as read, and as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import Cause, NodeFlag, PassSettings, SchedulerSettings, Unpredictable
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=1))
# n1 free      n2 held for 20 minutes      n3 free      n4 held for 10 minutes
HELD = running("a", "n2", 20), running("b", "n4", 10)
LEAVES = "s1", "s1", "s2", "s2"


def planned(*, spread=False, tree=False, **asked):
    """When, in minutes, and where the job would start."""
    job = waiting("1", 2)
    job = replace(job, spec=replace(job.spec, request=replace(job.spec.request, **asked)))
    members = nodes(4)
    if tree:
        paths = zip(members, LEAVES, strict=True)
        members = tuple(replace(node, switches=(leaf, "top")) for node, leaf in paths)
    scene = cluster(
        4,
        *HELD,
        job,
        nodes=members,
        partitions=(replace(partition("batch", members), spread=spread),),
        settings=SETTINGS,
    )
    found = plan(scene, default())["1"]
    return (found.start_at - NOW) / MINUTE, " ".join(found.node_names)


NEIGHBOURS, ONE_SWITCH = {"contiguous": True}, {"switches": 1, "tree": True}


@pytest.mark.parametrize(
    ("asked", "start", "names"),
    [
        pytest.param({}, 0, "n1 n3", id="not asked for"),
        pytest.param(NEIGHBOURS, 10, "n3 n4", id="neighbours are waited for"),
        pytest.param(ONE_SWITCH, 10, "n3 n4", id="so is a switch"),
        pytest.param(NEIGHBOURS | {"spread": True}, 0, "n1 n3", id="not for the emptiest"),
        pytest.param(ONE_SWITCH | {"spread": True}, 0, "n1 n3", id="nor under a switch"),
        pytest.param(NEIGHBOURS | {"scattered": True}, 0, "n1 n3", id="not by who is scattered"),
        pytest.param(ONE_SWITCH | {"scattered": True}, 0, "n1 n3", id="nor under a switch, either"),
    ],
)
def test_what_is_waited_for(asked, start, names):
    assert planned(**asked) == (start, names)


def test_nodes_that_are_no_neighbours_are_no_reservation():
    request = waiting("1", 2).spec.request
    job = waiting("1", 2, of_job={"request": replace(request, contiguous=True)})
    made = forecast(cluster(4, *HELD, job, settings=SETTINGS), default())
    assert [one.cause for one in made.predictions] == [Cause.RESOURCES]


def test_who_finds_neighbours_only_once_nodes_are_up_again_waits_for_these():
    request = waiting("1", 3).spec.request
    job = waiting("1", 3, of_job={"request": replace(request, contiguous=True)})
    drained = replace(nodes(4)[1], flags=frozenset({NodeFlag.DRAIN}))
    members = (nodes(4)[0], drained, *nodes(4)[2:])
    made = forecast(cluster(4, job, nodes=members, settings=SETTINGS), default())
    assert [one.cause for one in made.abstentions] == [Unpredictable.NODES_UNAVAILABLE]


def test_whoever_wants_neighbours_may_have_them_under_several_switches():
    free = running("a", "n1", 20), running("b", "n4", 10)
    members = tuple(
        replace(node, switches=(leaf, "top")) for node, leaf in zip(nodes(4), LEAVES, strict=True)
    )
    request = waiting("1", 2).spec.request
    job = waiting("1", 2, of_job={"request": replace(request, contiguous=True, switches=1)})
    scene = cluster(4, *free, job, nodes=members, settings=SETTINGS)
    assert plan(scene, default())["1"].node_names == ("n2", "n3")
