"""What of a snapshot's running jobs counts; and snapshots that make little sense."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from limited import HOUR, NOW, Counting, job, site, verdict
from strategies import snapshots, values

from predictor.domain import (
    Association,
    BillingRule,
    JobSpec,
    Limits,
    NodeShare,
    Partition,
    Qos,
    Request,
    RunningJob,
    RunState,
)
from predictor.domain.instants import LAST_INSTANT
from predictor.limits import running_claim

CAPS = {
    "group_jobs": 1,
    "group_tres": (("cpu", 8), ("node", 2)),
    "group_tres_run_minutes": (("cpu", 480),),
}


def running(id_="1", names=("n0",), limit_s=HOUR, started_at=NOW, **more):
    """Return a job of ana in the QOS `normal` that has four CPUs of each node."""
    spec = JobSpec(
        id=id_,
        user="ana",
        account="optics",
        qos="normal",
        request=Request(nodes=len(names), cpus=4 * len(names), limit_s=limit_s),
        partitions=("batch",),
        submitted_at=NOW,
    )
    shares = tuple(NodeShare(node=name, cpus=4, memory_mb=100) for name in names)
    return RunningJob(spec=spec, started_at=started_at, allocation=shares, **more)


def counters(*jobs, at=NOW):
    """Return jobs, CPUs, nodes and CPU-seconds left of the QOS `normal`."""
    told = replace(site(qos={"normal": CAPS}), running=jobs)
    counting = Counting(told, [job()])
    return tuple(counting.in_use(number, at) for number in range(len(counting.rules)))


def test_it_counts_what_running_jobs_hold():
    jobs = running("1", ("n0", "n1")), running("2", ("n1",), started_at=NOW - HOUR // 2)
    assert counters(*jobs) == (2, 12, 2, 8 * HOUR + 4 * HOUR // 2)


def test_a_completing_job_has_given_back_its_part():
    assert counters(running(state=RunState.COMPLETING)) == (0, 0, 0, 0)


def test_a_suspended_job_counts_and_keeps_the_time_it_stood_still():
    still = running(started_at=NOW - HOUR, suspended_s=HOUR // 2, state=RunState.SUSPENDED)
    assert counters(still) == (1, 4, 1, 4 * HOUR // 2)


def test_a_job_past_its_limit_has_nothing_left():
    assert counters(running(started_at=NOW - 2 * HOUR)) == (1, 4, 1, 0)


def test_without_a_limit_of_its_own_the_partitions_counts_or_a_year():
    assert counters(running(limit_s=None))[3] == 4 * 365 * 24 * HOUR
    batch = Partition(name="batch", node_names=(), max_time_s=2 * HOUR)
    claim = running_claim(running(limit_s=None), batch, site().settings)
    assert claim.limit_s == 2 * HOUR


def test_a_node_nobody_knows_does_not_count():
    assert counters(running(names=("n0", "elsewhere")))[2] == 1


def test_billing_follows_the_partitions_weights():
    weights = (("cpu", 1.0), ("mem", 0.5), ("gres/gpu", 10.0), ("license/matlab", 5.0))
    batch = Partition(name="batch", node_names=(), billing_weights=weights)
    one = running()
    request = replace(one.spec.request, licenses=(("matlab", 1),))
    share = replace(one.allocation[0], gres=(("gpu:a100", 2),))
    one = replace(one, spec=replace(one.spec, request=request), allocation=(share,))

    def units(partition, rule=BillingRule.SUM):
        return running_claim(one, partition, site(billing_rule=rule).settings).billing

    assert units(batch) == 4 + 50 + 20 + 5
    assert units(batch, BillingRule.DEAREST_AND_GRES) == 50 + 20 + 5
    assert units(replace(batch, billing_weights=(("cpu", 0.9),))) == 3  # cut, not rounded
    assert units(None) == 4


def test_accounts_that_are_each_others_parent_are_walked_once():
    told = site()
    ring = (
        Association(account="optics", parent="physics", limits=Limits(group_jobs=1)),
        Association(account="physics", parent="optics", limits=Limits(group_jobs=5)),
        Association(account="self", parent="self", limits=Limits(group_jobs=1)),
    )
    ringed = replace(told, associations=ring)
    for account in ("optics", "self"):
        one = job(account=account)
        assert verdict(ringed, one, [one]).scope.name == account


def test_unknown_users_are_not_one_user():
    told = site(
        qos={"normal": {"max_jobs": 1, "max_jobs_per_account": 1}},
        associations={("optics", ""): {"max_jobs": 1}},
    )
    nobody = job(user="", account="")
    assert verdict(told, nobody, [nobody]) is None
    known = site(associations={("optics", ""): {"max_jobs": 1}})
    assert verdict(known, job(user=""), [job(user="")]) is None


def enforced():
    """Snapshots with limits, of an instant that is not refused before anything is counted."""
    limits = values(Limits)
    return snapshots(
        taken_at=st.integers(0, LAST_INSTANT),
        settings=values(type(site().settings), limits_enforced=st.just(True)),
        qos=st.lists(values(Qos, limits=limits), max_size=3).map(tuple),
        associations=st.lists(values(Association, limits=limits), max_size=3).map(tuple),
    )


@settings(deadline=None, max_examples=40)
@given(enforced(), st.data())
def test_whatever_a_snapshot_says_the_counters_answer(told, data):
    names = {"user": [""], "account": [""], "partition": [""], "qos": [""]}
    for association in told.associations:
        names["user"].append(association.user)
        names["account"].append(association.account)
    names["partition"] += [partition.name for partition in told.partitions]
    names["qos"] += [qos.name for qos in told.qos]
    asking = job(
        **{field: data.draw(st.sampled_from(known)) for field, known in names.items()},
        nodes=data.draw(st.integers(1, 8)),
        cpus=data.draw(st.integers(0, 2**40)),
        memory_mb=data.draw(st.integers(0, 2**40)),
        limit_s=data.draw(st.integers(0, 2**40)),
    )
    counting = Counting(told, [asking])
    at = told.taken_at
    for blocked in (counting.verdict(0, at=at), counting.verdict(0, 0b11, at)):
        assert blocked is None or blocked.limit
    counting.start(0, 0b11, at)
    counting.end(0, at + 1)
