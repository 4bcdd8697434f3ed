"""The replica of two passes is asked odd things: a clear answer, never a crash."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, nodes, partition, running, spec, waiting

from predictor.domain import (
    UNLIMITED,
    Cause,
    Dependency,
    DependencyKind,
    NodeFlag,
    PassSettings,
    SchedulerSettings,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

PASSES = PassSettings(interval_s=30, step_s=1)
FIFO = SchedulerSettings(multifactor=False, passes=PASSES)
BY_NUMBER = SchedulerSettings(passes=PASSES)


def answers(count, *jobs, settings=FIFO, **more):
    """The minute in which each job starts, or why none is told."""
    snapshot = cluster(count, *jobs, settings=settings, **more)
    made = forecast(snapshot, default())
    assert plan(snapshot, default()).keys() <= {p.job_id for p in made.predictions}
    starts = {p.job_id: (p.start_at - NOW) / MINUTE for p in made.predictions}
    return starts | {a.job_id: a.cause for a in made.abstentions}


def after(job_id, kind=DependencyKind.AFTER_ANY):
    return {"dependencies": (Dependency(kind=kind, job_id=job_id),)}


def limited(id_, limit_s, count=1):
    job = waiting(id_, count)
    return replace(job, spec=replace(job.spec, request=replace(job.spec.request, limit_s=limit_s)))


def test_jobs_that_wait_for_each_other_have_no_start():
    circle = waiting("1", **after("2")), waiting("2", **after("3")), waiting("3", **after("1"))
    found = answers(4, *circle, waiting("4"))
    assert found == dict.fromkeys("123", Unpredictable.DEPENDENCY) | {"4": 0}


def test_who_waits_for_one_of_a_circle_has_no_start_either():
    circle = waiting("1", **after("2")), waiting("2", **after("1"))
    assert answers(4, *circle, waiting("3", **after("1")))["3"] is Unpredictable.DEPENDENCY


def test_who_waits_for_a_job_whose_nodes_are_out_of_order_waits_for_something_unforeseeable():
    members = nodes(2)
    drained = (members[0], replace(members[1], flags=frozenset({NodeFlag.DRAIN})))
    found = answers(2, waiting("1", 2), waiting("2", **after("1")), nodes=drained)
    assert found == {"1": Unpredictable.NODES_UNAVAILABLE, "2": Unpredictable.DEPENDENCY}


def test_who_waits_for_itself_is_answered():
    assert answers(4, waiting("1", **after("1"))) == {"1": 0}


def test_a_task_that_waits_for_its_own_array_is_answered():
    own = replace(array("7", 3), **after("7"))
    assert len(answers(4, own)) == 1


def test_who_is_wider_than_its_partition_never_fits_and_stops_nobody():
    found = answers(4, waiting("1", 9), waiting("2", 4))
    assert found == {"1": Unpredictable.NEVER_FITS, "2": 0}


def test_a_limit_of_zero_is_a_second():
    found = answers(1, limited("1", 0), limited("2", 60))
    assert found["1"] == 0
    assert 0 < found["2"] <= 1


def test_behind_a_job_without_a_limit_start_those_who_fit_beside_it():
    endless = cluster(2).partitions[0]
    queue = (replace(endless, max_time_s=UNLIMITED),)
    found = answers(2, limited("1", UNLIMITED), waiting("2"), waiting("3", 2), partitions=queue)
    assert (found["1"], found["2"]) == (0, 0)
    assert found["3"] is Unpredictable.HORIZON


def test_a_limit_beyond_all_calendars_is_answered():
    queue = (partition("batch", nodes(1), max_time_s=UNLIMITED),)
    found = answers(1, limited("1", 10**12), waiting("2"), partitions=queue)
    assert found == {"1": 0, "2": Unpredictable.HORIZON}


def test_of_a_partition_that_is_not_there_no_start_is_told():
    lost = waiting("1", of_job={"partitions": ("gone",)})
    assert isinstance(answers(2, lost, waiting("2"))["1"], Unpredictable)
    assert answers(2, lost, waiting("2"))["2"] == 0


def test_of_no_partition_no_start_is_told():
    found = answers(2, waiting("1", of_job={"partitions": ()}), waiting("2"))
    assert isinstance(found["1"], Unpredictable)
    assert found["2"] == 0


def test_a_partition_without_nodes_fits_nobody():
    queues = partition("batch", nodes(2)), partition("empty", ())
    found = answers(
        2, waiting("1", of_job={"partitions": ("empty",)}), waiting("2"), partitions=queues
    )
    assert isinstance(found["1"], Unpredictable)
    assert found["2"] == 0


def test_a_node_of_no_partition_is_used_by_nobody():
    queue = (partition("batch", nodes(1)),)
    found = answers(3, waiting("1"), waiting("2"), waiting("3", 2), partitions=queue)
    assert found == {"1": 0, "2": 10, "3": Unpredictable.NEVER_FITS}


def test_a_cluster_without_nodes_or_partitions_is_answered():
    found = answers(0, waiting("1"), nodes=(), partitions=())
    assert isinstance(found["1"], Unpredictable)


def test_a_partition_that_names_nodes_nobody_knows_is_answered():
    queue = (partition("batch", nodes(4)),)
    assert answers(2, waiting("1", 2), nodes=nodes(2), partitions=queue) == {"1": 0}


@pytest.mark.parametrize("extreme", [2**32, 2**63 - 1, 2**80])
def test_absurd_priorities_only_decide_who_is_first(extreme):
    low, high = {"priority": 1}, {"priority": extreme}
    found = answers(1, waiting("1", of_job=low), waiting("2", of_job=high), settings=BY_NUMBER)
    assert found == {"2": 0, "1": 10}


def test_a_job_that_runs_on_nodes_nobody_knows_holds_none():
    assert answers(1, running("r", "n77", 20), waiting("1")) == {"1": 0}


def test_who_overran_its_limit_is_about_to_end():
    late = running("r", "n1", -5)
    [prediction] = forecast(cluster(1, late, waiting("1"), settings=FIFO), default()).predictions
    assert 0 < prediction.start_at - NOW <= 2 * MINUTE
    assert prediction.cause is Cause.RESOURCES


def test_times_far_away_are_answered():
    old = waiting("1", of_job={"submitted_at": 0})
    future = waiting("2", begin_at=NOW + 10**11)
    found = answers(2, old, future, replace(waiting("3"), spec=spec("3", submitted_at=NOW + HOUR)))
    assert found["1"] == 0
    assert found["2"] is Unpredictable.HORIZON
    assert found["3"] == 0


def test_a_throttle_binds_those_behind_the_last_look_too(monkeypatch):
    """Who has started pass by pass still counts when the rest is planned at once."""
    monkeypatch.setattr("predictor.simulation.replica.MOST_LOOKS", 0)
    behind = waiting("2", 4), waiting("3", 1, 90)
    jobs = running("0", "n1", 60), array("1", 3, at_once=1), *behind
    made = forecast(cluster(4, *jobs, settings=FIFO), default())
    [tasks] = [p for p in made.predictions if p.job_id.startswith("1_")]
    assert tasks.start_at == NOW
    assert tasks.last_start_at == NOW + 20 * MINUTE


def two_partitions(*jobs):
    """Return a cluster of a node `n1` in partition `a` and of `n2` in partition `b`."""
    first, second = nodes(2)
    snapshot = cluster(2, *jobs, settings=FIFO)
    return replace(snapshot, partitions=(partition("a", (first,)), partition("b", (second,))))


def test_without_priorities_a_job_is_tried_in_the_partition_that_it_names_first():
    first = waiting("1", of_job={"partitions": ("b", "a")})
    told = plan(two_partitions(first, waiting("2", of_job={"partitions": ("a",)})), default())
    assert {id_: (one.partition, one.start_at) for id_, one in told.items()} == {
        "1": ("b", NOW),
        "2": ("a", NOW),
    }


def test_without_priorities_all_tasks_come_partition_by_partition():
    # All three have slots in the first, and then one has one in the other, before anybody else.
    tasks = array("1", 3, minutes=60)
    tasks = replace(tasks, spec=replace(tasks.spec, partitions=("b", "a")))
    busy = running("r1", "n1", 10, partitions=("a",)), running("r2", "n2", 5, partitions=("b",))
    behind = [
        waiting(id_, of_job={"partitions": (name,)}) for id_, name in (("7", "a"), ("8", "b"))
    ]
    told = plan(two_partitions(tasks, *behind, *busy), default())
    assert [(told[id_].start_at - NOW) / MINUTE for id_ in ("7", "8")] == [70, 185]
