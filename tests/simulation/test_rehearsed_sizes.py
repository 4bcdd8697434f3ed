"""Sizes that count with places of which only the start is told.

Source: Slurm 22.05, priority/multifactor (job_ptr->total_cpus), as read, and as measured.
"""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    BatchEstimate,
    PassSettings,
    PriorityFactors,
    PriorityWeights,
    SchedulerHealth,
    SchedulerSettings,
)
from predictor.opening import opening, staged
from predictor.simulation.replica import TwoPasses
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=True,
    weights=PriorityWeights(job_size=1_000),
    priority_period_s=300,
    passes=PassSettings(interval_s=30, step_s=1),
)
WIDTHS = (4, 12, 48)
EACH = 1_000 / 2 / sum(WIDTHS)
"""What a CPU more is worth."""
SHOWN = 180
"""As of an earlier place."""


def sized(*, told_at, planned_s=10, widths=WIDTHS, free=(1,)):
    """The size with which the only job that waits counts next.

    The last recomputation was 30 seconds ago, the last pass `planned_s`; `free` are the nodes on
    which nobody is, numbered from 0.
    """
    members = tuple(
        replace(node, cpus=cpus) for node, cpus in zip(nodes(len(widths)), widths, strict=True)
    )
    job = replace(
        waiting("1"),
        priorities=(PriorityFactors(partition="batch", priority=SHOWN, job_size=SHOWN),),
        estimate=None if told_at is None else BatchEstimate(start_at=told_at),
    )
    busy = (running(f"r{i}", members[i].name, 60 + i) for i in range(len(members)) if i not in free)
    scene = cluster(
        len(widths),
        replace(job, spec=replace(job.spec, priority=SHOWN)),
        *busy,
        nodes=members,
        partitions=(partition("batch", members),),
        settings=SETTINGS,
        health=SchedulerHealth(started_at=NOW - 31, backfill_last_at=NOW - planned_s),
    )
    scheduler = staged(scene, default(), opening(scene, default()))
    assert isinstance(scheduler, TwoPasses)
    ranking = scheduler.rehearsed().play.ranking
    return ranking.tables.slots[ranking.slots["1", "batch"]].size


def of(cpus):
    return pytest.approx(1_000 / 2 / len(WIDTHS) + EACH * cpus)


def test_who_is_planned_as_told_counts_with_the_nodes_of_that_plan():
    assert sized(told_at=NOW) == of(12)
    assert sized(told_at=NOW + 60 * 60, free=()) == of(4)


def test_who_only_waits_for_the_overdue_was_told_of_an_earlier_instant():
    assert sized(told_at=NOW - 40) == of(12)


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param({"told_at": NOW + 600}, id="planned otherwise than told"),
        pytest.param({"told_at": None}, id="nobody tells"),
        pytest.param({"told_at": NOW, "planned_s": 40}, id="no pass since the last recomputation"),
    ],
)
def test_else_the_size_shown_counts_on(scene):
    assert sized(**scene) == SHOWN


def test_where_all_nodes_are_as_wide_the_size_is_known_anyway():
    assert sized(told_at=NOW, widths=(4, 4, 4)) == SHOWN
