"""Usage grows with what jobs hold and fades with time."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import (
    Association,
    BillingRule,
    Fairshare,
    JobSpec,
    NodeShare,
    Partition,
    PendingJob,
    PriorityWeights,
    Provenance,
    Qos,
    Request,
    RunningJob,
    RunState,
    SchedulerSettings,
    Snapshot,
)
from predictor.domain.instants import instant_of
from predictor.engine.ranking import Ranking
from predictor.engine.ranking_tables import NEVER
from predictor.priority.tariff import Run, Tariff
from predictor.priority.usagereset import last_reset
from predictor.simulation.ranking_lowering import lower_ranking

ANNA = ("physics", "anna", "")


@pytest.fixture
def cluster():
    """Root over physics over anna, who used 1000; chem used nothing. Half is left after 1000 s."""
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
        settings=SchedulerSettings(
            weights=PriorityWeights(fairshare=1), priority_half_life_s=1_000
        ),
    )


class Usage:
    """Everybody's usage, moved forward by the engine from the snapshot on."""

    def __init__(self, cluster):
        lowered = lower_ranking(cluster, (), until=cluster.taken_at + 10**7, most_begun=1)
        self.begun_at = cluster.taken_at
        self.ranking = Ranking(lowered.tables)
        self.slots = {id_: slot for (id_, _), slot in lowered.slots.items()}

    def runs(self, like, rate, first_s, end_s):
        """Let somebody run who is charged like the waiting job `like`."""
        end_at = NEVER if end_s is None else self.begun_at + end_s
        self.ranking.begin(0, self.slots[like], rate, self.begun_at + first_s, end_at)
        return self

    def after(self, *seconds):
        """Return root's, chem's, physics' and anna's usage, recomputed after so many seconds."""
        for later_s in seconds:
            self.ranking.recompute(self.begun_at + later_s)
        return [self.ranking.shares.usage[place] for place in range(4)]


def with_half_life(cluster, seconds):
    return replace(cluster, settings=replace(cluster.settings, priority_half_life_s=seconds))


def test_after_its_half_life_about_half_of_the_usage_is_left(cluster):
    half = pytest.approx(499.95, abs=0.01)
    assert Usage(cluster).after(1_000) == [half, 0, half, half]


def test_without_half_life_usage_stays(cluster):
    assert Usage(with_half_life(cluster, 0)).after(10**6) == [1_000, 0, 1_000, 1_000]


def test_what_is_used_counts_for_every_account_above(cluster):
    usage = Usage(replace(cluster, pending=(waiting("1"),)))
    left = 0.999307**10
    grown = pytest.approx(1000 * left + 16 * 10 * left)
    assert usage.runs("1", 16, 0, None).after(10) == [grown, 0, grown, grown]


def test_what_ended_in_the_period_decays_once_more(cluster):
    usage = Usage(replace(cluster, pending=(waiting("1"),)))
    grown = (1000 + 16 * 10 * 0.999307**10) * 0.999307**300
    assert usage.runs("1", 16, 0, 10).after(300)[3] == pytest.approx(grown)


def test_nobody_is_charged_for_whom_nobody_knows(cluster):
    usage = Usage(replace(cluster, pending=(waiting("1", user="nobody"),)))
    assert usage.runs("1", 16, 0, None).after(10) == Usage(cluster).after(10)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**6))
def test_decay_does_not_care_how_often_it_is_applied(first, then, half_life_s):
    root = Association(account="root", fairshare=Fairshare(usage_raw=10**9))
    lone = Snapshot(
        cluster="c",
        taken_at=0,
        provenance=Provenance(source="test"),
        associations=(root,),
        settings=SchedulerSettings(
            weights=PriorityWeights(fairshare=1), priority_half_life_s=half_life_s
        ),
    )
    tables = lower_ranking(lone, (), until=0, most_begun=0).tables
    once, twice = Ranking(tables), Ranking(tables)
    once.recompute(first + then)
    twice.recompute(first)
    twice.recompute(first + then)
    assert twice.shares.usage[0] == pytest.approx(once.shares.usage[0])


@pytest.mark.parametrize(
    ("first_s", "end_s", "used"),
    [
        pytest.param(0, None, 100, id="all of the period"),
        pytest.param(150, None, 50, id="from its start"),
        pytest.param(0, 120, 20, id="up to its end"),
        pytest.param(130, 140, 10, id="from start to end"),
        pytest.param(0, 300, 100, id="ends later"),
        pytest.param(0, 100, 0, id="ended before"),
        pytest.param(200, None, 0, id="starts later"),
    ],
)
def test_a_run_is_charged_for_its_part_of_a_period(cluster, first_s, end_s, used):
    usage = Usage(replace(with_half_life(cluster, 0), pending=(waiting("1"),)))
    before, after = usage.runs("1", 1, first_s, end_s).after(100)[3], usage.after(200)[3]
    assert after - before == used


@pytest.mark.parametrize(("qos", "rate"), [("", 8), ("half", 4), ("free", 0), ("unknown", 8)])
def test_the_usage_factor_of_the_qos_counts(cluster, qos, rate):
    spec = running("1", qos=qos).spec
    run = Tariff.of(cluster).run(spec, "batch", running("1").allocation, started_at=7)
    assert run == Run(who=ANNA, rate=rate, started_at=7)


def test_completing_jobs_have_been_charged(cluster):
    jobs = (running("1"), running("2", state=RunState.COMPLETING))
    assert len(Tariff.of(cluster).running(replace(cluster, running=jobs))) == 1


def waiting(id_, user="anna"):
    return PendingJob(spec=replace(running(id_).spec, user=user))


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

    def rate(rule):
        settings = replace(cluster.settings, billing_rule=rule)
        tariff = Tariff.of(replace(cluster, partitions=(batch,), settings=settings))
        return tariff.run(spec, "batch", [share], started_at=0).rate

    assert rate(BillingRule.SUM) == 25.5
    assert rate(BillingRule.DEAREST) == 25


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
