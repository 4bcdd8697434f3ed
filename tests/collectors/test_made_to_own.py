"""What only a partition makes its jobs say: that their nodes are their user's alone.

Source: Slurm 22.05.8, _pack_default_job_details; as measured: a job in two partitions, shown with
OverSubscribe=USER once the one with ExclusiveUser was tried, starts in the other beside others.
"""

import pytest
from clusters import nodes, partition, waiting

from collectors.slurm.partitioned import as_asked
from predictor.domain import NodeSharing, Request, Sharing

MEMBERS = nodes(2)
OWNED = partition("owned", MEMBERS, sharing=NodeSharing.NO, exclusive_user=True)
OPEN = partition("open", MEMBERS, sharing=NodeSharing.NO)
WHOLE = partition("whole", MEMBERS)


def told(names, sharing):
    """What a job in these partitions that is shown so is taken to have asked for."""
    request = Request(nodes=1, cpus=1, limit_s=60, sharing=sharing)
    job = waiting("1", of_job={"partitions": names, "request": request})
    (found,) = as_asked((job,), (OWNED, OPEN, WHOLE))
    return found.spec.request.sharing


@pytest.mark.parametrize("names", [("owned", "open"), ("open", "owned"), ("whole", "owned")])
def test_one_of_several_partitions_binds_in_no_other(names):
    assert told(names, Sharing.USER) is Sharing.SHARED


@pytest.mark.parametrize("names", [("owned",), ("open",), ("open", "whole"), ("open", "gone")])
def test_what_no_other_partition_can_have_made_of_it_was_asked_for(names):
    assert told(names, Sharing.USER) is Sharing.USER


@pytest.mark.parametrize("sharing", [Sharing.EXCLUSIVE, Sharing.AGREES, Sharing.SHARED])
def test_all_else_stays(sharing):
    assert told(("owned", "whole", "open"), sharing) is sharing
