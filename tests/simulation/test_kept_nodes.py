"""Who starts on whole nodes in a pass that looks ahead keeps them as if it had a slot.

Source: Slurm 22.05, _bf_reserve_running, as read, and a log of a real one's passes.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import NodeSharing, PassSettings, Preemption, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=60))


def whole(job):
    """Return the job with all CPUs of its node, which need not be to have it for itself."""
    return replace(job, spec=replace(job.spec, request=replace(job.spec.request, cpus=4)))


# n1   free: `1` starts there, for 100 minutes
# n2   held for 10 minutes
# n3   of another partition, held for 10 minutes and 5 seconds: then the group of ends goes on to
#      the next on a node of `2`, if `2` sees one there
@pytest.mark.parametrize(
    ("sharing", "preemption", "start"),
    [
        pytest.param(NodeSharing.EXCLUSIVE, None, 10, id="a node for itself"),
        pytest.param(NodeSharing.NO, None, 100, id="all of a node"),
        pytest.param(NodeSharing.EXCLUSIVE, Preemption(), 100, id="where some may be ended"),
    ],
)
def test_it_is_not_reckoned_with_who_has_just_started(sharing, preemption, start):
    members = nodes(3)
    late = running("b", "n3", 10, partitions=("other",))
    late = replace(late, started_at=late.started_at + 5)
    found = plan(
        cluster(
            3,
            running("a", "n2", 10),
            late,
            whole(waiting("1", 1, 100)),
            whole(waiting("2", 1, 10)),
            nodes=members,
            partitions=(
                partition("batch", members[:2], sharing=sharing),
                partition("other", members[2:]),
            ),
            settings=replace(SETTINGS, preemption=preemption),
        ),
        default(),
    )
    assert found["1"].start_at == NOW
    assert (found["2"].start_at - NOW) // MINUTE == start
