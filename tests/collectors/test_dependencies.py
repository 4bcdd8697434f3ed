import pytest

from collectors.slurm.words.dependencies import dependencies
from collectors.slurm.words.reasons import obstacle
from predictor.domain import Dependency, DependencyKind, Obstacle


def on(kind, job_id="", **more):
    return Dependency(kind=kind, job_id=job_id, **more)


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("", []),
        ("afterok:495(unfulfilled)", [on(DependencyKind.AFTER_OK, "495")]),
        ("afterok:495(failed)", [on(DependencyKind.AFTER_OK, "495")]),
        ("afterok:1(fulfilled),afterany:2(unfulfilled)", [on(DependencyKind.AFTER_ANY, "2")]),
        ("afternotok:1:2", [on(DependencyKind.AFTER_NOT_OK, id_) for id_ in "12"]),
        ("aftercorr:12_*(unfulfilled)", [on(DependencyKind.AFTER_CORR, "12")]),
        ("afterany:12_3(unfulfilled)", [on(DependencyKind.AFTER_ANY, "12_3")]),
        ("after:1+5(unfulfilled)", [on(DependencyKind.AFTER, "1", delay_s=300)]),
        ("singleton(unfulfilled)", [on(DependencyKind.SINGLETON)]),
        (
            "afterok:1?singleton",
            [
                on(DependencyKind.AFTER_OK, "1", any_of=True),
                on(DependencyKind.SINGLETON, any_of=True),
            ],
        ),
        ("afterburstbuffer:7(unfulfilled)", [on(DependencyKind.OTHER, "7")]),
        ("something new", [on(DependencyKind.OTHER)]),
    ],
)
def test_conditions_not_yet_fulfilled(text, conditions):
    assert list(dependencies(text, {})) == conditions


def test_an_array_task_is_named_as_its_array_names_it():
    assert dependencies("afterok:14(unfulfilled)", {14: "12_3"}) == (
        on(DependencyKind.AFTER_OK, "12_3"),
    )


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("Priority", Obstacle.NONE),
        ("Resources", Obstacle.NONE),
        ("JobArrayTaskLimit", Obstacle.NONE),
        ("QOSMaxJobsPerUserLimit", Obstacle.LIMIT),
        ("QOSMaxNodePerUserLimit", Obstacle.LIMIT),
        ("QOSGrpJobsLimit", Obstacle.LIMIT),
        ("AssocGrpNodeLimit", Obstacle.LIMIT),
        ("MaxCpuPerAccount", Obstacle.LIMIT),
        ("AssocGrpCPURunMinutesLimit", Obstacle.LIMIT),
        ("AssocGrpCPUMinutesLimit", Obstacle.USAGE),
        ("QOSGrpWallLimit", Obstacle.USAGE),
        ("QOSUsageThreshold", Obstacle.SHARE),
        ("AssocMaxWallDurationPerJobLimit", Obstacle.OWN_LIMIT),
        ("QOSMaxCpuPerNode", Obstacle.OWN_LIMIT),
        ("QOSMinCpuNotSatisfied", Obstacle.OWN_LIMIT),
        ("DependencyNeverSatisfied", Obstacle.UNMET),
        ("InvalidQOS", Obstacle.ADMIN),
    ],
)
def test_what_neither_time_nor_free_nodes_will_mend(reason, expected):
    assert obstacle(reason, chances=1) is expected


@pytest.mark.parametrize("reason", ["PartitionTimeLimit", "BadConstraints"])
def test_what_one_partition_says_does_not_bar_a_job_from_another(reason):
    assert obstacle(reason, chances=1) is Obstacle.NEVER
    assert obstacle(reason, chances=2) is Obstacle.NONE


def test_bad_constraints_are_those_of_one_chance_while_the_job_is_not_held():
    assert obstacle("BadConstraints", chances=1, priority=0) is Obstacle.NEVER
    assert obstacle("BadConstraints", chances=1, priority=100) is Obstacle.NONE
    assert obstacle("PartitionTimeLimit", chances=1, priority=100) is Obstacle.NEVER


def test_a_limit_that_may_shrink_keeps_nobody_out():
    """Source: Slurm 22.05.8, measured: `-t 5 --time-min=1` where MaxTime is 3 minutes."""
    assert obstacle("PartitionTimeLimit", chances=1, may_shrink=True) is Obstacle.NONE
    assert obstacle("PartitionNodeLimit", chances=1, may_shrink=True) is Obstacle.NEVER
