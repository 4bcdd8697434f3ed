"""Who may start by any of several QOS: each has its own limits, as measured on Slurm 24.11.5."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    ArrayTasks,
    Cause,
    Limits,
    PassSettings,
    Qos,
    QosFlag,
    SchedulerSettings,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.site import default

SITE = default()
LIMITED = SchedulerSettings(limits_enforced=True, passes=PassSettings())


@pytest.mark.parametrize(
    ("allowed", "denied", "starts"),
    [
        pytest.param((), (), True, id="everybody is let in"),
        pytest.param(("slow",), (), True, id="one is let in"),
        pytest.param(("other",), (), False, id="only others are"),
        pytest.param((), ("fast",), True, id="one is kept out"),
        pytest.param((), ("fast", "slow"), False, id="both are"),
    ],
)
def test_it_is_kept_out_only_if_none_of_them_is_let_in(allowed, denied, starts):
    door = replace(partition("batch", nodes(1)), allow_qos=allowed, deny_qos=denied)
    job = waiting("1", of_job={"qos": "fast,slow"})
    made = forecast(cluster(1, job, partitions=(door,)), SITE)
    assert bool(made.predictions) is starts
    assert starts or made.abstentions[0].cause is Unpredictable.NEVER_FITS


@pytest.mark.parametrize(("qos", "starts"), [("fast,slow", True), ("fast", False)])
def test_it_may_do_what_any_of_them_allows(qos, starts):
    door = replace(partition("batch", nodes(2)), max_nodes=1)
    wide = Qos(name="slow", flags=frozenset({QosFlag.ABOVE_MAX_NODES}))
    job = waiting("1", 2, of_job={"qos": qos})
    known = (Qos(name="fast"), wide)
    made = forecast(cluster(2, job, partitions=(door,), qos=known), SITE)
    assert bool(made.predictions) is starts


def told(*jobs, fast, slow, count=9):
    """Return in how many minutes each starts, or why it does not; `fast` comes before `slow`."""
    known = (
        Qos(name="slow", priority=1, limits=Limits(**slow)),
        Qos(name="fast", priority=2, limits=Limits(**fast)),
    )
    made = forecast(cluster(count, *jobs, qos=known, settings=LIMITED), SITE)
    starts = {one.job_id: (one.start_at - NOW) // MINUTE for one in made.predictions}
    return starts | {one.job_id: one.cause for one in made.abstentions}, made


def either(id_, count=1, minutes=10):
    return waiting(id_, count, minutes, of_job={"qos": "slow,fast"})


ONE = {"group_jobs": 1}


def test_it_starts_by_the_next_where_one_is_full():
    starts, _ = told(*map(either, "123"), fast=ONE, slow=ONE)
    assert starts == {"1": 0, "2": 0, "3": 10}


def test_each_counts_who_starts_by_it():
    """1 starts by `fast`, which comes first, and 2 by `slow`: nothing of that is left to 3."""
    third = waiting("3", 1, 10, of_job={"qos": "slow"})
    starts, _ = told(either("1", minutes=30), either("2", minutes=20), third, fast=ONE, slow=ONE)
    assert starts == {"1": 0, "2": 0, "3": 20}


def test_it_waits_for_the_first_that_has_room():
    there = running("8", "n1", 40, qos="fast"), running("9", "n2", 20, qos="slow")
    starts, made = told(*there, either("1"), fast=ONE, slow=ONE)
    assert starts == {"1": 20}
    assert made.predictions[0].cause is Cause.LIMIT


@pytest.mark.parametrize(
    ("slow", "start"),
    [
        pytest.param({}, 0, id="but the other does"),
        pytest.param({"max_tres_per_job": (("node", 1),)}, Unpredictable.LIMIT, id="nor the other"),
    ],
)
def test_it_never_starts_only_if_none_of_them_ever_lets_it(slow, start):
    starts, _ = told(either("1", 2), fast={"max_tres_per_job": (("node", 1),)}, slow=slow)
    assert starts == {"1": start}


def test_tasks_of_an_array_are_shared_out():
    tasks = either("1_[1-4]")
    tasks = replace(
        tasks, spec=replace(tasks.spec, array=ArrayTasks(job_id="1", tasks=(1, 2, 3, 4)))
    )
    starts, _ = told(tasks, waiting("2", 9), fast=ONE, slow={"group_jobs": 2})
    assert starts["2"] == 20
