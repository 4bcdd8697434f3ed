"""Which limits are refuted by what runs."""

import pytest

from collectors.slurm.overruns import overruns
from predictor.domain import (
    UNLIMITED,
    Association,
    JobSpec,
    Limits,
    NodeShare,
    Partition,
    Provenance,
    Qos,
    Request,
    RunningJob,
    RunState,
    SchedulerSettings,
    Snapshot,
)


def running(id_, user="ana", qos="normal", nodes=("n1",), state=RunState.RUNNING, partition="p"):
    spec = JobSpec(
        id=str(id_),
        user=user,
        account="optics",
        qos=qos,
        partitions=(partition,),
        submitted_at=0,
        request=Request(nodes=len(nodes), cpus=4 * len(nodes), limit_s=60),
    )
    shares = tuple(NodeShare(node=node, cpus=4, gres=(("gpu:a100", 1),)) for node in nodes)
    return RunningJob(spec=spec, started_at=0, allocation=shares, state=state)


TWO = (running(1), running(2))
OTHERS = (running(1), running(2, user="bob"))


def found(
    jobs, qos=None, own=None, account=None, lane=None, partition_qos="", above="", **settings
):
    """Return field and resource of the limits that are overrun."""
    settings = {"limits_enforced": True} | settings
    snapshot = Snapshot(
        cluster="c",
        taken_at=100,
        provenance=Provenance(source="test", account="root"),
        running=tuple(jobs),
        partitions=(Partition(name="p", node_names=(), qos=partition_qos),),
        qos=(
            Qos(name="normal", limits=Limits(**(qos or {}))),
            Qos(name="lane", limits=Limits(**(lane or {}))),
            Qos(name="wide", limit_factor=2.0),
        ),
        associations=(
            Association(account="root", parent=above, limits=Limits(**(account or {}))),
            Association(account="optics", parent="root"),
            Association(account="optics", user="ana", limits=Limits(**(own or {}))),
            Association(account="optics", user="bob", limits=Limits(**(own or {}))),
        ),
        settings=SchedulerSettings(**settings),
    )
    return sorted((rule.field, rule.resource) for rule in overruns(snapshot))


@pytest.mark.parametrize(
    ("where", "field", "resource", "cap"),
    [
        ("qos", "group_jobs", "", 2),
        ("qos", "max_jobs", "", 2),
        ("qos", "max_jobs_per_account", "", 2),
        ("qos", "group_tres", "cpu", 8),
        ("qos", "max_tres", "gres/gpu", 2),
        ("qos", "max_tres_per_account", "gres/gpu:a100", 2),
        ("own", "max_jobs", "", 2),
        ("own", "group_jobs", "", 2),
        ("account", "group_jobs", "", 2),
        ("account", "max_jobs", "", 2),
        ("account", "group_tres", "cpu", 8),
    ],
)
def test_more_runs_than_a_limit_admits(where, field, resource, cap):
    def limited(cap):
        return {where: {field: ((resource, cap),) if resource else cap}}

    assert found(TWO, **limited(cap)) == []
    assert found(TWO, **limited(cap - 1)) == [(field, resource)]
    assert found(TWO, **limited(cap - 1), limits_enforced=False) == []


def test_a_limit_of_each_user_counts_each_apart():
    for limits in (
        {"qos": {"max_jobs": 1}},
        {"own": {"max_jobs": 1}},
        {"account": {"max_jobs": 1}},
    ):
        assert found(OTHERS, **limits) == []
        assert found(TWO, **limits) == [("max_jobs", "")]


def test_jobs_that_share_a_node_take_one_node_together():
    assert found(TWO, qos={"group_tres": (("node", 1),)}) == []
    apart = (running(1), running(2, nodes=("n2",)))
    assert found(apart, qos={"group_tres": (("node", 1),)}) == [("group_tres", "node")]


def test_who_is_completing_is_no_longer_counted():
    ending = (running(1), running(2, state=RunState.COMPLETING))
    assert found(ending, qos={"group_jobs": 1}) == []


def test_who_is_bound_by_another_limit_refutes_none():
    assert found(TWO, qos={"max_jobs": 2}, own={"max_jobs": 1}) == []
    assert found(TWO, qos={"max_jobs": UNLIMITED}, own={"max_jobs": 1}) == []
    assert found(TWO, account={"max_jobs": 1}, own={"max_jobs": 2}) == []
    lane = {"lane": {"max_jobs_per_account": 9}, "partition_qos": "lane"}
    assert found(TWO, **lane, qos={"max_jobs": 1}) == []
    wide = tuple(running(id_, qos="wide") for id_ in (1, 2))
    assert found(wide, account={"group_tres": (("cpu", 7),)}) == []
    assert found(wide, account={"group_jobs": 1}) == [("group_jobs", "")]


def test_an_account_below_itself_is_counted_once():
    assert found(TWO, account={"group_jobs": 1}, above="optics") == [("group_jobs", "")]
    assert found(TWO, account={"group_jobs": 2}, above="optics") == []


@pytest.mark.parametrize("version", ["22.05", "26.05"])
def test_nothing_refutes_the_limits_of_a_real_cluster(snapshot, version):
    seen = snapshot(version)
    assert seen.running
    assert seen.settings.limits_enforced
    assert overruns(seen) == frozenset()
