"""Jobs that ask for neighbouring nodes, and where nobody heeds that.

Source: Slurm 22.05, select/cons_tres, _eval_nodes, as read, and as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import PassSettings, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=1))
# n1 free      n2 held for 20 minutes      n3 free      n4 held for 10 minutes
HELD = running("a", "n2", 20), running("b", "n4", 10)


def planned(*, spread=False, **asked):
    """When, in minutes, and where the job would start."""
    job = waiting("1", 2)
    job = replace(job, spec=replace(job.spec, request=replace(job.spec.request, **asked)))
    members = nodes(4)
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


@pytest.mark.parametrize(
    ("asked", "start", "names"),
    [
        pytest.param({"contiguous": True}, 10, "n3 n4", id="they are waited for"),
        pytest.param({}, 0, "n1 n3", id="not asked for"),
        pytest.param(
            {"contiguous": True, "spread": True}, 0, "n1 n3", id="where the emptiest are taken"
        ),
        pytest.param({"contiguous": True, "scattered": True}, 0, "n1 n3", id="by who is scattered"),
    ],
)
def test_whether_neighbours_are_taken(asked, start, names):
    assert planned(**asked) == (start, names)
