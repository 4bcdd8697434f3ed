"""The summands of a priority, and their sum."""

from dataclasses import replace

import pytest

from predictor.domain import (
    Association,
    Node,
    NodeSharing,
    NodeState,
    Partition,
    PriorityFactors,
    PriorityWeights,
    Qos,
    SchedulerSettings,
    Sharing,
)
from predictor.priority.multifactor import DIVIDED, Multifactor, Parts, age_factor, settled, total

NODES = tuple(
    Node(name=name, cpus=16, memory_mb=64_000, state=NodeState.IDLE, gres=(("gpu:a100", 2),))
    for name in ("n1", "n2", "n3", "n4")
)
PARTITIONS = (
    Partition(name="batch", node_names=("n1", "n2", "n3", "n4"), job_factor=50),
    Partition(name="debug", node_names=("n1", "n2"), job_factor=100, max_time_s=1_800),
    Partition(name="whole", node_names=("n1",), sharing=NodeSharing.EXCLUSIVE, default_time_s=60),
)


HIGHEST = {
    "qos": (Qos(name="high", priority=100), Qos(name="low", priority=25)),
    "associations": (
        Association(account="a", user="u", priority=3),
        Association(account="a", user="v", priority=12),
    ),
}


@pytest.fixture
def parts(snapshot):
    """Compute the parts of a job: `parts(job, "batch", weights={...}, favor_small=True)`."""

    def compute(job, partition="batch", *, weights, cpus=None, **settings):
        rules = Multifactor.of(
            snapshot(
                job,
                nodes=NODES,
                partitions=PARTITIONS,
                **HIGHEST,
                settings=SchedulerSettings(weights=PriorityWeights(**weights), **settings),
            )
        )
        return rules.parts(job, partition, cpus or job.spec.request.cpus)

    return compute


@pytest.mark.parametrize(
    ("waited_s", "factor"), [(-5, 0), (0, 0), (6, 0.25), (24, 1), (100, 1), (None, 0)]
)
def test_age_grows_linearly_and_is_capped(waited_s, factor):
    since = None if waited_s is None else 1_000 - waited_s
    assert age_factor(since, 1_000, max_age_s=24) == factor


NONE = (0.0,) * 7


@pytest.mark.parametrize(
    ("age", "fairshare", "parts", "number"),
    [
        pytest.param(1.4, 2.5, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0), 24, id="cut, not rounded"),
        pytest.param(100.0, 0.0, (*NONE[:6], 30), 70, id="nice is taken off"),
        pytest.param(100.0, 0.0, (*NONE[:6], -30), 130, id="negative nice is added"),
        pytest.param(0.0, 0.0, NONE, 1, id="never 0, which means held"),
        pytest.param(0.0, 0.0, (*NONE[:6], 10_000), 1, id="never negative"),
        pytest.param(1e12, 0.0, NONE, 2**32 - 1, id="never more than 32 bits"),
    ],
)
def test_the_sum(age, fairshare, parts, number):
    assert total(age, fairshare, parts) == number


# A quarter of the nodes with half of the CPUs.
@pytest.mark.parametrize(
    ("settings", "factor"),
    [
        pytest.param({}, (0.25 + 0.5) / 2, id="large jobs first"),
        pytest.param({"priority_favor_small": True}, (0.75 + 0.5) / 2, id="small jobs first"),
        pytest.param({"size_per_minute": True}, 32 / 60 / 64, id="CPUs by minutes"),
        pytest.param(
            {"size_per_minute": True, "priority_favor_small": True},
            1 - 32 / 60 / 64,
            id="the other way round",
        ),
    ],
)
def test_job_size(parts, job, settings, factor):
    found = parts(job("1", cpus=32), weights={"job_size": 1000}, **settings)
    assert found.job_size == pytest.approx(1000 * factor)


@pytest.mark.parametrize("relative", [False, True])
def test_jobs_that_need_more_nodes_than_they_name_count_with_the_named_ones(parts, job, relative):
    more, settings = {"nodes": 3, "cpus": 4}, {"size_per_minute": relative}
    weights = {"job_size": 1000, "tres": (("node", 1000),)}
    named = parts(job("1", **more, request={"nodes_named": 1}), weights=weights, **settings)
    one = parts(job("1", nodes=1, cpus=4), weights=weights, **settings)
    three = parts(job("1", **more), weights=weights, **settings)
    assert (named.job_size, named.tres) == (one.job_size, one.tres)
    assert named.job_size < three.job_size
    assert named.tres < three.tres


def test_wide_jobs_count_with_the_cpus_of_average_nodes(parts, job):
    relative = {"size_per_minute": True}
    found = parts(job("1", nodes=2, limit_s=600), weights={"job_size": 1000}, **relative)
    assert found.job_size == pytest.approx(1000 * 32 / 10 / 64)


def test_without_limit_that_of_the_partition_counts(parts, job):
    relative = {"size_per_minute": True}
    found = parts(job("1", limit_s=None), "debug", weights={"job_size": 1000}, **relative)
    assert found.job_size == pytest.approx(1000 * 16 / 30 / 64)


def test_more_than_the_cluster_is_the_whole_cluster(parts, job):
    assert parts(job("1", nodes=9, cpus=99), weights={"job_size": 1000}).job_size == 1000


@pytest.mark.parametrize(
    ("spec", "partition", "cpus"),
    [
        pytest.param({"cpus": 2}, "batch", 2, id="what it asks for"),
        pytest.param({"nodes": 2, "cpus": 2}, "whole", 32, id="whole nodes by the partition"),
        pytest.param(
            {"cpus": 2, "request": {"sharing": Sharing.EXCLUSIVE}}, "batch", 16, id="by itself"
        ),
        pytest.param({"cpus": 20}, "whole", 20, id="never less than it asks for"),
    ],
)
def test_cpus_as_planned(snapshot, job, spec, partition, cpus):
    rules = Multifactor.of(snapshot(nodes=NODES, partitions=PARTITIONS))
    assert rules.planned_cpus(job("1", **spec), partition) == cpus


@pytest.mark.parametrize(
    ("name", "partition", "normal", "raw"),
    [
        ("association", "batch", 3 / 12, 3),
        ("qos", "batch", 25 / 100, 25),
        ("partition", "batch", 50 / 100, 50),
        ("partition", "debug", 1, 100),
    ],
)
def test_parts_of_the_highest_or_raw(parts, job, name, partition, normal, raw):
    one = job("1", account="a", qos="low")
    assert getattr(parts(one, partition, weights={name: 10}), name) == 10 * normal
    weights = {name: 10, f"raw_{name}": True}
    assert getattr(parts(one, partition, weights=weights), name) == 10 * raw


@pytest.mark.parametrize(
    ("weights", "points"),
    [
        pytest.param((("cpu", 100.0),), 100 * 8 / 64, id="cpus"),
        pytest.param((("mem", 100.0),), 100 * 16_000 / 256_000, id="memory"),
        pytest.param((("gres/gpu", 100.0),), 100 * 4 / 8, id="gpus of any type"),
        pytest.param((("gres/gpu:a100", 100.0),), 100 * 4 / 8, id="gpus of one type"),
        pytest.param((("cpu", 100.0), ("node", -100.0)), 12.5 - 50, id="negative weights"),
        pytest.param((("license/x", 100.0),), 0, id="of what no partition has"),
    ],
)
def test_tres(parts, job, weights, points):
    request = {"memory_per_cpu_mb": 2_000, "gres_per_node": (("gpu:a100", 2),)}
    one = job("1", nodes=2, cpus=8, request=request)
    assert parts(one, weights={"tres": weights}).tres == pytest.approx(points)


@pytest.mark.parametrize(
    ("memory_mb", "default_mb"),
    [pytest.param(0, 500, id="asked for"), pytest.param(None, None, id="nobody says anything")],
)
def test_who_gets_all_the_memory_of_its_nodes_counts_with_that_of_the_first_one(
    parts, job, memory_mb, default_mb
):
    one = job("1", nodes=2, request={"memory_per_node_mb": memory_mb})
    found = parts(one, weights={"tres": (("mem", 100.0),)}, default_memory_per_node_mb=default_mb)
    assert found.tres == pytest.approx(100 * 2 / 4)


def test_tres_raw(parts, job):
    weights = {"tres": (("cpu", 2.0),), "raw_tres": True}
    assert parts(job("1", cpus=8), weights=weights).tres == 16


@pytest.mark.parametrize(
    ("shown", "raw"),
    [
        pytest.param({}, {"association", "partition", "qos", "tres"}, id="nothing shown"),
        pytest.param(
            {"association": 30, "partition_points": 500, "qos": 2, "tres": (("cpu", 800),)},
            {"association", "partition", "tres"},
            id="all but QOS",
        ),
        pytest.param(
            {"qos": 250, "tres": (("cpu", 12),)}, {"association", "partition", "qos"}, id="not TRES"
        ),
        pytest.param(
            {"association": 2, "partition_points": 5}, {"qos", "tres"}, id="neither of these"
        ),
    ],
)
def test_of_all_that_may_be_raw_those_are_that_fit_what_is_shown(snapshot, job, shown, raw):
    told = PriorityFactors(partition="batch", priority=1, **shown)
    scene = snapshot(
        replace(job("1", cpus=8, account="a", qos="low"), priorities=(told,)),
        nodes=NODES,
        partitions=PARTITIONS,
        **HIGHEST,
        settings=SchedulerSettings(
            weights=PriorityWeights(
                **{"association": 10, "partition": 10, "qos": 10, "tres": (("cpu", 100.0),)},
                **{f"raw_{part}": True for part in DIVIDED},
            )
        ),
    )
    assert Multifactor.of(scene).raw == raw


def test_what_is_hidden_cannot_be_computed(parts, job):
    weights = {"association": 1, "qos": 1, "partition": 1, "tres": (("cpu", 1.0),)}
    found = parts(job("1", user="w", qos="x", nice=7), "gone", weights=weights)
    assert found == Parts(None, 0.0, None, None, None, None, 7)


def test_job_size_is_hidden_with_the_nodes(snapshot, job):
    rules = Multifactor.of(snapshot(partitions=PARTITIONS))
    assert rules.parts(job("1"), "batch", 1).job_size is None


def test_shown_points_settle_what_is_hidden_or_differs():
    computed = Parts(12.4, 250.0, None, 33.3, 0.0, None, 0)
    shown = PriorityFactors(
        partition="batch",
        priority=1,
        association=12,  # agrees, as it is rounded
        job_size=300,  # differs
        partition_points=50,  # hidden
        site=-5,
        tres=(("cpu", 7), ("mem", 1)),
    )
    assert settled(computed, shown) == (12.4, 300, 50, 33.3, 8, -5, 0)
