"""Whose word counts where a job does not say."""

import pytest

from predictor.domain import UNLIMITED, Partition, Request, SchedulerSettings
from predictor.domain.defaults import NO_LIMIT_S, first_told_s, planned_s, resolved_memory_mb


@pytest.mark.parametrize(
    ("asked", "partition", "site", "per_node_and_cpu"),
    [
        pytest.param((500, None), (None, 9), (7, None), (500, 0), id="the job's, per node"),
        pytest.param((None, 500), (9, None), (7, None), (0, 500), id="the job's, per CPU"),
        pytest.param((0, None), (9, None), (7, None), (0, 0), id="the job wants all"),
        pytest.param((None, None), (9, None), (None, 7), (9, 0), id="the partition's, per node"),
        pytest.param((None, None), (None, 9), (7, None), (0, 9), id="the partition's, per CPU"),
        pytest.param((None, None), (None, None), (7, None), (7, 0), id="the cluster's, per node"),
        pytest.param((None, None), (None, None), (None, 7), (0, 7), id="the cluster's, per CPU"),
        pytest.param((None, None), (None, None), (None, None), (0, 0), id="nobody's: all"),
    ],
)
def test_whose_word_on_memory_counts(asked, partition, site, per_node_and_cpu):
    def default(told):
        return dict(
            zip(("default_memory_per_node_mb", "default_memory_per_cpu_mb"), told, strict=True)
        )

    per_node, per_cpu = asked
    request = Request(nodes=2, cpus=4, memory_per_node_mb=per_node, memory_per_cpu_mb=per_cpu)
    batch = Partition(name="batch", node_names=(), **default(partition))
    found = resolved_memory_mb(request, batch, SchedulerSettings(**default(site)))
    assert found == per_node_and_cpu


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((60, 3600), 60),
        ((None, 3600, UNLIMITED), 3600),
        ((UNLIMITED, 3600), NO_LIMIT_S),
        ((0, 3600), 0),
        ((None, None), NO_LIMIT_S),
        ((), NO_LIMIT_S),
    ],
)
def test_the_first_limit_told_counts(limits, expected):
    assert first_told_s(*limits) == expected


@pytest.mark.parametrize(
    ("limit_s", "longest_s", "expected"),
    [
        (60, 3600, 60),
        (None, 3600, 3600),
        (None, UNLIMITED, NO_LIMIT_S),
        (UNLIMITED, UNLIMITED, NO_LIMIT_S),
        (None, None, NO_LIMIT_S),
        (0, 3600, 1),
        (None, -5, 1),
    ],
)
def test_how_long_a_job_is_planned(limit_s, longest_s, expected):
    batch = Partition(name="batch", node_names=(), max_time_s=longest_s)
    assert planned_s(Request(nodes=1, cpus=1, limit_s=limit_s), batch) == expected


def test_in_a_partition_nobody_knows_a_job_has_its_own_limit_or_none():
    assert planned_s(Request(nodes=1, cpus=1, limit_s=60), None) == 60
    assert planned_s(Request(nodes=1, cpus=1), None) == NO_LIMIT_S
