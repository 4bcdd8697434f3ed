"""On how many nodes a job may ever be: the least of all limits on nodes that bind it."""

import pytest
from limited import site

from predictor.domain import JobSpec, Request
from predictor.limits.widest import Widest

SPEC = JobSpec(
    id="1",
    user="ada",
    account="optics",
    qos="normal",
    request=Request(nodes=1, cpus=1),
    partitions=("batch", "fast"),
    submitted_at=0,
)


def nodes(count):
    return (("cpu", 1), ("node", count))


def widest(partition="batch", qos=None, associations=None, **settings):
    return Widest(site(qos, associations, **settings))(SPEC, partition)


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param({"group_tres": nodes(5)}, id="of all"),
        pytest.param({"max_tres": nodes(5)}, id="of a user"),
        pytest.param({"max_tres_per_account": nodes(5)}, id="of an account"),
        pytest.param({"max_tres_per_job": nodes(5)}, id="of a job"),
        pytest.param({"max_tres": nodes(5), "group_tres": nodes(9)}, id="the least of several"),
    ],
)
def test_each_limit_on_nodes_counts_as_those_of_jobs(limits):
    assert widest(qos={"normal": limits}) == 5


def test_those_of_accounts_above_and_of_the_partition_bind_as_well():
    above = {("physics", ""): {"group_tres": nodes(7)}, ("optics", ""): {}, ("optics", "ada"): {}}
    assert widest(associations=above) == 7
    lane = {"lane": {"group_tres": nodes(3)}, "normal": {"group_tres": nodes(5)}}
    assert (widest("fast", lane), widest("batch", lane)) == (3, 5)


@pytest.mark.parametrize(
    ("limits", "settings"),
    [
        pytest.param({"max_tres": (("cpu", 4),)}, {}, id="of CPUs"),
        pytest.param({"group_tres_run_minutes": nodes(5)}, {}, id="of node minutes"),
        pytest.param({"min_tres_per_job": nodes(5)}, {}, id="the least of a job"),
        pytest.param({"max_tres": nodes(5)}, {"limits_enforced": False}, id="not enforced"),
    ],
)
def test_no_other_limits_do(limits, settings):
    assert widest(qos={"normal": limits}, **settings) is None
