"""Usage grows with what jobs hold and fades with time."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import (
    Association,
    Fairshare,
    JobSpec,
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
from predictor.domain.instants import instant_of
from predictor.priority.fairshare import Charge, Shares
from predictor.priority.tariff import Run, Tariff
from predictor.priority.usagereset import last_reset

ANNA = ("physics", "anna", "")


@pytest.fixture
def shares(cluster):
    """Root over physics over anna, who used 1000; chem used nothing."""
    return Shares.of(cluster)


@pytest.fixture
def cluster():
    return Snapshot(
        cluster="c",
        taken_at=5_000,
        provenance=Provenance(source="test"),
        partitions=(Partition(name="batch", node_names=()),),
        qos=(Qos(name="half", usage_factor=0.5), Qos(name="free", usage_factor=0.0)),
        associations=(
            Association(account="root", fairshare=Fairshare(usage_raw=1000)),
            Association(account="chem", parent="root", fairshare=Fairshare()),
            Association(account="physics", parent="root", fairshare=Fairshare(usage_raw=1000)),
            Association(account="physics", user="anna", fairshare=Fairshare(usage_raw=1000)),
        ),
        settings=SchedulerSettings(priority_half_life_s=1_000),
    )


def usage(shares):
    return {
        member.who[1] or member.who[0]: used
        for member, used in zip(shares.tree.members, shares.usage, strict=True)
    }


def test_after_its_half_life_about_half_of_the_usage_is_left(shares):
    assert usage(shares.charged(1_000, ())) == pytest.approx(
        {"root": 499.95, "chem": 0, "physics": 499.95, "anna": 499.95}, abs=0.01
    )


def test_without_half_life_usage_stays(shares):
    kept = replace(shares, settings=SchedulerSettings(priority_half_life_s=0))
    assert kept.charged(10**9, ()).usage == kept.usage


def test_what_is_used_counts_for_every_account_above(shares):
    charge = Charge(who=ANNA, rate=16, run_s=10)
    left = 0.999307**10
    grown = 1000 * left + 16 * 10 * left
    assert usage(shares.charged(10, [charge])) == pytest.approx(
        {"root": grown, "chem": 0, "physics": grown, "anna": grown}
    )


def test_what_ended_in_the_period_decays_once_more(shares):
    charge = Charge(who=ANNA, rate=16, run_s=10, over=True)
    grown = (1000 + 16 * 10 * 0.999307**10) * 0.999307**300
    assert usage(shares.charged(300, [charge]))["anna"] == pytest.approx(grown)


def test_nobody_is_charged_for_whom_nobody_knows(shares):
    charge = Charge(who=("x", "nobody", ""), rate=16, run_s=10)
    assert shares.charged(0, [charge]) == shares


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**6))
def test_decay_does_not_care_how_often_it_is_applied(first, then, half_life_s):
    shares = Shares.of(
        Snapshot(
            cluster="c",
            taken_at=0,
            provenance=Provenance(source="test"),
            associations=(Association(account="root", fairshare=Fairshare(usage_raw=10**9)),),
            settings=SchedulerSettings(priority_half_life_s=half_life_s),
        )
    )
    twice = shares.charged(first, ()).charged(then, ())
    assert twice.usage == pytest.approx(shares.charged(first + then, ()).usage)


@pytest.mark.parametrize(
    ("started_at", "ended_at", "charged"),
    [
        pytest.param(0, None, (100, False), id="all of the period"),
        pytest.param(150, None, (50, False), id="from its start"),
        pytest.param(0, 120, (20, True), id="up to its end"),
        pytest.param(130, 140, (10, True), id="from start to end"),
        pytest.param(0, 300, (100, False), id="ends later"),
        pytest.param(0, 100, None, id="ended before"),
        pytest.param(200, None, None, id="starts later"),
    ],
)
def test_a_run_is_charged_for_its_part_of_a_period(started_at, ended_at, charged):
    run = Run(who=ANNA, rate=1, started_at=started_at, ended_at=ended_at)
    charge = run.charge(since=100, until=200)
    assert (charge and (charge.run_s, charge.over)) == charged


@pytest.mark.parametrize(("qos", "rate"), [("", 8), ("half", 4), ("free", 0), ("unknown", 8)])
def test_the_usage_factor_of_the_qos_counts(cluster, qos, rate):
    spec = running("1", qos=qos).spec
    run = Tariff.of(cluster).run(spec, "batch", running("1").allocation, started_at=7)
    assert run == Run(who=ANNA, rate=rate, started_at=7)


def test_completing_jobs_have_been_charged(cluster):
    jobs = (running("1"), running("2", state=RunState.COMPLETING))
    assert len(Tariff.of(cluster).running(replace(cluster, running=jobs))) == 1


def test_running_jobs_go_on_unless_their_ends_are_told(cluster):
    busy = replace(cluster, running=(running("1"), running("2")))
    tariff = Tariff.of(busy)
    assert [run.ended_at for run in tariff.running(busy)] == [None, None]
    told = tariff.running(busy, lambda job: 100 * int(job.spec.id))
    assert [run.ended_at for run in told] == [100, 200]


def running(id_, state=RunState.RUNNING, qos=""):
    return RunningJob(
        spec=JobSpec(
            id=id_,
            user="anna",
            account="physics",
            qos=qos,
            request=Request(nodes=2, cpus=8),
            partitions=("batch",),
            submitted_at=0,
        ),
        started_at=0,
        state=state,
        allocation=(NodeShare(node="n1", cpus=4), NodeShare(node="n2", cpus=4)),
    )


def test_what_a_job_holds_is_billed_by_its_partitions_weights(cluster):
    # 2 GPUs, 3 licenses, and 500 MB: 10 + 15 + 0.5.
    weights = (("gres/gpu", 5.0), ("license/x", 5.0), ("mem", 0.001))
    batch = replace(cluster.partitions[0], billing_weights=weights)
    share = NodeShare(node="n1", cpus=4, memory_mb=500, gres=(("gpu:a100", 2),))
    spec = running("1").spec
    spec = replace(spec, request=replace(spec.request, licenses=(("x", 3),)))

    def rate(*flags):
        settings = replace(cluster.settings, priority_flags=flags)
        tariff = Tariff.of(replace(cluster, partitions=(batch,), settings=settings))
        return tariff.run(spec, "batch", [share], started_at=0).rate

    assert rate() == 25.5
    assert rate("MAX_TRES") == 25


@pytest.mark.parametrize(
    ("period", "reset_at"),
    [
        ("DAILY", "2026-05-20T00:00:00+02:00"),
        ("WEEKLY", "2026-05-17T00:00:00+02:00"),  # a Sunday
        ("MONTHLY", "2026-05-01T00:00:00+02:00"),
        ("QUARTERLY", "2026-04-01T00:00:00+02:00"),
        ("YEARLY", "2026-01-01T00:00:00+02:00"),
    ],
)
def test_usage_is_reset_at_local_midnight(period, reset_at):
    found = last_reset(period, instant_of("2026-05-20T01:30:00+02:00"), utc_offset_s=7_200)
    assert found == instant_of(reset_at)


def test_on_sunday_the_week_begins():
    noon = instant_of("2026-05-17T12:00:00")
    assert last_reset("WEEKLY", noon, utc_offset_s=0) == instant_of("2026-05-17T00:00:00")


@pytest.mark.parametrize("period", ["", "NONE", "NOW", "sometimes"])
def test_most_sites_never_reset(period):
    assert last_reset(period, 10**9, utc_offset_s=0) is None
