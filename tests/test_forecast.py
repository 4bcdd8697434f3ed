"""The whole path: a snapshot comes in, a forecast goes out."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, nodes, partition, running, spec, waiting
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from queues import busy_clusters
from strategies import snapshots

from predictor.domain import (
    UNLIMITED,
    ArrayTasks,
    Cause,
    CpuGranularity,
    Dependency,
    DependencyKind,
    Fact,
    FinishedJob,
    Forecast,
    HetComponent,
    Hidden,
    Hold,
    License,
    NodeFlag,
    NodeSharing,
    Obstacle,
    Outcome,
    PartitionState,
    PassSettings,
    PendingJob,
    Provenance,
    Request,
    Reservation,
    SchedulerSettings,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.scheduling.policy import POLICIES
from predictor.site import Site, default

SITE = default()
TWO_PASSES = Site.model_validate({"policy": {"name": "two-pass"}})


def minutes(made: Forecast) -> dict[str, int]:
    return {p.job_id: (p.start_at - NOW) // MINUTE for p in made.predictions}


def causes(made: Forecast) -> dict[str, object]:
    return {a.job_id: a.cause for a in (*made.predictions, *made.abstentions)}


def after(kind: DependencyKind, job_id: str = "", **more: object) -> tuple[Dependency, ...]:
    return (Dependency(kind=kind, job_id=job_id, **more),)  # type: ignore[arg-type]


def test_a_free_node_means_now():
    made = forecast(cluster(1, waiting("1")), SITE)
    assert minutes(made) == {"1": 0}
    assert made.predictions[0].node_names == ("n1",)
    assert made.predictions[0].cause is Cause.STARTS_NOW


def test_who_is_behind_and_who_lacks_nodes_is_told_apart():
    # n1 [ running    ] 30
    # n2   free               "wide" lacks n1; "next" could use n2, were it not for "wide"
    wide, behind = (
        waiting(id_, count, 60, of_job={"priority": priority})
        for id_, count, priority in (("wide", 2, 20), ("next", 1, 10))
    )
    made = forecast(cluster(2, running("r", "n1", 30), behind, wide), SITE)
    assert minutes(made) == {"wide": 30, "next": 90}
    assert causes(made) == {"wide": Cause.RESOURCES, "next": Cause.PRIORITY}
    assert [p.rank for p in made.predictions] == [1, 2]


@pytest.mark.parametrize(
    ("past_s", "start_s"),
    [
        pytest.param(10, 20, id="it has half a minute to die"),
        pytest.param(30, 1, id="which is over: it is gone any moment"),
        pytest.param(180, 1, id="long since"),
    ],
)
def test_a_job_past_its_limit_ends_when_the_batch_system_has_killed_it(past_s, start_s):
    late = running("r", "n1", 0)
    late = replace(late, started_at=late.started_at - past_s)
    made = forecast(cluster(1, late, waiting("1")), SITE)
    assert made.predictions[0].start_at == NOW + start_s


@pytest.mark.parametrize(
    ("everywhere_s", "there_s", "start_s"),
    [
        pytest.param(100, None, 120, id="so much longer, and half a minute"),
        pytest.param(100, 0, 20, id="but not there"),
        pytest.param(0, 100, 120, id="there alone"),
        pytest.param(UNLIMITED, None, HOUR, id="for ever: as long as it was allowed in all"),
    ],
)
def test_a_job_may_be_allowed_to_overrun_its_limit(everywhere_s, there_s, start_s):
    late = running("r", "n1", 0)
    request = replace(late.spec.request, limit_s=HOUR)
    late = replace(late, started_at=NOW - HOUR - 10, spec=replace(late.spec, request=request))
    snapshot = cluster(
        1,
        late,
        waiting("1"),
        settings=SchedulerSettings(over_time_s=everywhere_s),
        partitions=(partition("batch", nodes(1), over_time_s=there_s),),
    )
    assert forecast(snapshot, SITE).predictions[0].start_at == NOW + start_s


def test_where_nodes_are_handed_out_whole_an_overrun_may_end_any_moment():
    late = running("r", "n1", 0)
    late = replace(late, started_at=late.started_at - 10)
    settings = SchedulerSettings(granularity=CpuGranularity.NODE, over_time_s=100)
    made = forecast(cluster(1, late, waiting("1"), settings=settings), SITE)
    assert made.predictions[0].start_at == NOW + 1


@pytest.mark.parametrize(
    ("job", "cause"),
    [
        (waiting("1", hold=Hold.USER), Unpredictable.HELD),
        (waiting("1", obstacle=Obstacle.LIMIT), Unpredictable.LIMIT),
        (waiting("1", obstacle=Obstacle.ADMIN), Unpredictable.HELD),
        (waiting("1", 5), Unpredictable.NEVER_FITS),
        (waiting("1", 1, 25 * 60), Unpredictable.NEVER_FITS),
        (waiting("1", of_job={"partitions": ("gone",)}), Unpredictable.PARTITION_CLOSED),
        (waiting("1", of_job={"partitions": ()}), Unpredictable.UNSUPPORTED),
        (waiting("1", of_job={"reservation": "gone"}), Unpredictable.RESERVATION_GONE),
        (
            waiting("1", dependencies=after(DependencyKind.OTHER, "9")),
            Unpredictable.DEPENDENCY,
        ),
        (
            waiting("1", begin_at=NOW + 400 * 24 * HOUR),
            Unpredictable.HORIZON,
        ),
        (
            waiting("1", of_job={"request": Request(nodes=1, cpus=1, licenses=(("matlab", 9),))}),
            Unpredictable.NEVER_FITS,
        ),
        (
            waiting("1", of_job={"request": Request(nodes=1, cpus=1, features="[a&b]")}),
            Unpredictable.UNSUPPORTED,
        ),
        (
            waiting("1", of_job={"request": Request(nodes=1, cpus=1, required_nodes=("x",))}),
            Unpredictable.NEVER_FITS,
        ),
    ],
)
def test_an_honest_abstention_names_its_cause(job, cause):
    made = forecast(cluster(4, job), SITE)
    assert causes(made) == {"1": cause}
    assert made.abstentions[0].detail


def test_nodes_that_are_down_are_told_from_nodes_that_do_not_exist():
    broken = tuple(replace(n, flags=frozenset({NodeFlag.DRAIN})) for n in nodes(2))
    made = forecast(cluster(2, waiting("1", 2), waiting("2", 3), nodes=broken), SITE)
    assert causes(made) == {"1": Unpredictable.NODES_UNAVAILABLE, "2": Unpredictable.NEVER_FITS}


def test_a_closed_partition_starts_nothing_but_another_one_of_the_job_may():
    members = nodes(2)
    closed = partition("closed", members, state=PartitionState.DOWN)
    both = waiting("1", of_job={"partitions": ("closed", "batch")})
    made = forecast(cluster(2, both, partitions=(closed, partition("batch", members))), SITE)
    assert made.predictions[0].partition == "batch"


def test_a_begin_time_is_a_lower_bound():
    made = forecast(cluster(1, waiting("1", begin_at=NOW + HOUR)), SITE)
    assert minutes(made) == {"1": 60}
    assert causes(made) == {"1": Cause.BEGIN_TIME}


def test_a_job_that_is_not_yet_eligible_takes_nobodys_place():
    # One node: "later" ranks first, but from minute 5 on only; "small" is gone by then, "large"
    # would not be, and still it starts: nothing is kept free for who is not in the queue.
    later = waiting("1", 1, 10, begin_at=NOW + 5 * MINUTE)
    large = waiting("2", 1, 30)
    assert minutes(forecast(cluster(1, later, large), SITE)) == {"2": 0, "1": 30}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        pytest.param(DependencyKind.AFTER_ANY, 20, id="afterany: when it has ended"),
        pytest.param(DependencyKind.AFTER_OK, 20, id="afterok: we take it to end well"),
        pytest.param(DependencyKind.AFTER, 10, id="after: when it has started"),
    ],
)
def test_a_dependency_on_a_waiting_job(kind, expected):
    # n1 [ running ] 10 [ parent ] 20         n2 is free
    parent = waiting(
        "2", of_job={"request": Request(nodes=1, cpus=1, limit_s=600, required_nodes=("n1",))}
    )
    child = waiting("3", dependencies=after(kind, "2"))
    made = forecast(cluster(2, running("1", "n1", 10), parent, child), SITE)
    assert minutes(made) == {"2": 10, "3": expected}
    assert causes(made)["3"] is Cause.DEPENDENCY


def test_dependencies_on_running_unknown_and_finished_jobs():
    good = FinishedJob(spec=spec("8"), ended_at=NOW - 5, outcome=Outcome.COMPLETED)
    bad = FinishedJob(spec=spec("9"), ended_at=NOW - 5, outcome=Outcome.FAILED)
    ok = DependencyKind.AFTER_OK
    jobs = [
        waiting("2", dependencies=after(ok, "1")),
        waiting("3", dependencies=after(ok, "7")),
        waiting("4", dependencies=after(ok, "8")),
        waiting("5", dependencies=after(ok, "9")),
        waiting("6", dependencies=after(DependencyKind.AFTER_NOT_OK, "1")),
    ]
    made = forecast(cluster(9, running("1", "n1", 10), *jobs, finished=(good, bad)), SITE)
    assert minutes(made) == {"2": 10, "3": 0, "4": 0}
    assert causes(made)["5"] is Unpredictable.DEPENDENCY
    assert causes(made)["6"] is Unpredictable.DEPENDENCY


def test_one_of_several_dependencies_may_be_enough():
    either = (
        *after(DependencyKind.AFTER_ANY, "1", any_of=True),
        *after(DependencyKind.AFTER_ANY, "2", any_of=True),
    )
    snapshot = cluster(
        3, running("1", "n1", 30), running("2", "n2", 10), waiting("3", dependencies=either)
    )
    assert minutes(forecast(snapshot, SITE)) == {"3": 10}


def test_jobs_that_wait_for_each_other_or_for_a_held_one_never_start():
    ok = DependencyKind.AFTER_OK
    jobs = [
        waiting("1", dependencies=after(ok, "2")),
        waiting("2", dependencies=after(ok, "1")),
        waiting("3", hold=Hold.ADMIN),
        waiting("4", dependencies=after(ok, "3")),
    ]
    made = forecast(cluster(4, *jobs), SITE)
    assert causes(made) == {
        "1": Unpredictable.DEPENDENCY,
        "2": Unpredictable.DEPENDENCY,
        "3": Unpredictable.HELD,
        "4": Unpredictable.DEPENDENCY,
    }


def test_tasks_of_an_array_are_planned_one_by_one():
    # Two nodes, five tasks of ten minutes: 0 0 10 10 20
    made = forecast(cluster(2, array("7", 5)), SITE)
    [prediction] = made.predictions
    assert prediction.job_id == "7_[0-4]"
    assert (prediction.start_at - NOW, prediction.last_start_at) == (0, NOW + 20 * MINUTE)


def test_no_more_tasks_run_at_once_than_the_array_allows():
    made = forecast(cluster(4, array("7", 3, at_once=1)), SITE)
    assert made.predictions[0].last_start_at == NOW + 20 * MINUTE
    first = running("7_9", "n1", 25, array=replace(array("7", 1).spec.array, tasks=(9,)))  # type: ignore[arg-type, type-var]
    made = forecast(cluster(4, first, array("7", 3, at_once=1)), SITE)
    assert minutes(made) == {"7_[0-2%1]": 25}
    assert causes(made) == {"7_[0-2%1]": Cause.ARRAY_LIMIT}


def test_only_so_many_tasks_of_an_array_are_planned():
    site = SITE.model_copy(
        update={"forecast": SITE.forecast.model_copy(update={"array_tasks_max": 2})}
    )
    [prediction] = forecast(cluster(1, array("7", 500)), site).predictions
    assert (prediction.start_at, prediction.last_start_at) == (NOW, None)


def test_a_task_that_stands_in_two_records_is_planned_once():
    whole, single = array("7", 2), waiting("7_1")
    again = replace(single, spec=replace(single.spec, array=ArrayTasks(job_id="7", tasks=(1,))))
    made = forecast(cluster(1, whole, again), SITE)
    assert causes(made) == {"7_[0-1]": Cause.STARTS_NOW, "7_1": Unpredictable.UNSUPPORTED}


def test_components_of_a_heterogeneous_job_start_together():
    def component(offset: int, count: int):
        het = HetComponent(job_id="5", offset=offset)
        return waiting(f"5+{offset}", count, of_job={"het": het})

    snapshot = cluster(3, running("1", "n1", 10), component(0, 1), component(1, 2))
    made = forecast(snapshot, SITE)
    assert minutes(made) == {"5+0": 10, "5+1": 10}
    held = sum((p.node_names for p in made.predictions), ())
    assert sorted(held) == ["n1", "n2", "n3"]


@pytest.mark.parametrize(
    ("reason", "told"),
    [("PartitionTimeLimit", " (PartitionTimeLimit)"), ("Not enough nodes: <n7>", "")],
)
def test_the_batch_systems_own_word_is_told_of_who_never_starts(reason, told):
    never = waiting("1", obstacle=Obstacle.NEVER, reason=reason)
    [one] = forecast(cluster(1, never), SITE).abstentions
    assert one.detail == f"the batch system says it cannot start as it stands{told}"


def test_who_depends_on_what_can_no_longer_come_about_is_not_said_to_be_too_large():
    never = waiting("1", obstacle=Obstacle.UNMET, reason="DependencyNeverSatisfied")
    [one] = forecast(cluster(1, never), SITE).abstentions
    assert (one.cause, one.detail) == (
        Unpredictable.DEPENDENCY,
        "the batch system says that what it depends on can no longer come about"
        " (DependencyNeverSatisfied)",
    )


def test_nobody_runs_into_a_maintenance():
    maintenance = Reservation(
        name="m", start_at=NOW + HOUR, end_at=NOW + 2 * HOUR, node_names=("n1",)
    )
    jobs = waiting("1", 1, 90), waiting("2", 1, 60)
    made = forecast(cluster(1, *jobs, reservations=(maintenance,)), SITE)
    assert minutes(made) == {"2": 0, "1": 120}
    assert causes(made)["1"] is Cause.RESERVATION


def test_who_has_a_reservation_may_outlast_it_but_not_start_behind_it():
    course = Reservation(name="r", start_at=NOW, end_at=NOW + HOUR, node_names=("n1", "n2"))
    jobs = (
        running("9", "n1", 30, reservation="r"),
        waiting("1", 1, 120, of_job={"reservation": "r"}),
        waiting("2", 2, 10, of_job={"reservation": "r"}),
        waiting("3", 2, 10),
    )
    settings = SchedulerSettings(multifactor=False, passes=PassSettings(group_s=0))
    snapshot = cluster(2, *jobs, reservations=(course,), settings=settings)
    assert minutes(forecast(snapshot, SITE)) == {"1": 0, "3": 60}
    # Who has just started keeps n2 for longer than the reservation lasts.
    told = {id_: (one.start_at - NOW) // MINUTE for id_, one in plan(snapshot, SITE).items()}
    assert told == {"1": 0, "3": 120}


def test_licenses_are_counted():
    def licensed(id_: str):
        request = Request(nodes=1, cpus=1, limit_s=600, licenses=(("matlab", 2),))
        return waiting(id_, of_job={"request": request})

    user = running(
        "9", "n1", 30, request=Request(nodes=1, cpus=1, limit_s=2400, licenses=(("matlab", 1),))
    )
    pool = (License(name="matlab", total=4),)
    made = forecast(cluster(4, user, licensed("1"), licensed("2"), licenses=pool), SITE)
    assert minutes(made) == {"1": 0, "2": 10}
    lone = forecast(
        cluster(4, user, licensed("1"), licenses=(License(name="matlab", total=2),)), SITE
    )
    assert causes(lone) == {"1": Cause.LICENSES}
    assert minutes(lone) == {"1": 30}


def test_shared_nodes_are_filled_by_cpus_and_memory():
    members = nodes(1)
    shared = (partition("batch", members, sharing=NodeSharing.NO),)

    def small(id_: str, cpus: int, memory_mb: int):
        request = Request(nodes=1, cpus=cpus, limit_s=600, memory_per_node_mb=memory_mb)
        return waiting(id_, of_job={"request": request})

    jobs = small("1", 2, 1000), small("2", 2, 1000), small("3", 1, 1000)
    assert minutes(forecast(cluster(1, *jobs, partitions=shared), SITE)) == {
        "1": 0,
        "2": 0,
        "3": 10,
    }
    jobs = small("1", 1, 5000), small("2", 1, 5000), small("3", 1, 3000)
    assert minutes(forecast(cluster(1, *jobs, partitions=shared), SITE)) == {
        "1": 0,
        "2": 10,
        "3": 0,
    }


def test_nothing_is_predicted_where_other_users_jobs_are_hidden():
    blind = Provenance(source="scene", hidden=(Hidden(fact=Fact.JOBS, why="PrivateData"),))
    made = forecast(cluster(1, waiting("1"), provenance=blind), SITE)
    assert causes(made) == {"1": Unpredictable.UNSUPPORTED}


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.one_of(snapshots(), *map(busy_clusters, NodeSharing)), st.sampled_from(sorted(POLICIES)))
def test_any_snapshot_gets_one_answer_for_each_waiting_job(snapshot, policy):
    site = Site.model_validate({"policy": {"name": policy}})
    made = forecast(snapshot, site)
    answered = [a.job_id for a in (*made.predictions, *made.abstentions)]
    assert sorted(answered) == sorted(job.spec.id for job in snapshot.pending)
    assert all(p.start_at >= snapshot.taken_at for p in made.predictions)
    assert forecast(snapshot, site) == made


@pytest.mark.parametrize("taken_at", [-1, 2**40, 2**63 - 1, 2**70])
def test_of_a_snapshot_without_a_proper_date_nothing_is_told(taken_at):
    snapshot = replace(cluster(1, waiting("1")), taken_at=taken_at)
    made = forecast(snapshot, default())
    assert not made.predictions
    assert [(one.job_id, one.detail) for one in made.abstentions] == [
        ("1", "the snapshot's date is none")
    ]
    assert not plan(snapshot, default())


def test_settings_beyond_all_measure_are_as_good_as_the_longest():
    one = waiting("1")
    for interval_s in (2**80, -(2**80)):
        passes = PassSettings(interval_s=interval_s, window_s=2**70, jobs_max=2**64)
        seen = cluster(1, one, settings=SchedulerSettings(passes=passes))
        assert [made.job_id for made in forecast(seen, default()).predictions] == ["1"]


@pytest.mark.parametrize("boot_s", [2**70, -(2**70)])
def test_nodes_that_take_for_ever_to_boot_end_no_forecast(boot_s):
    seen = cluster(1, waiting("1"), settings=SchedulerSettings(boot_s=boot_s))
    assert [made.job_id for made in forecast(seen, default()).predictions] == ["1"]


def test_wishes_beyond_all_measure_end_no_forecast():
    one = waiting("1").spec
    wishes = [
        array("1", 1, at_once=2**63),
        *(
            PendingJob(spec=replace(one, request=replace(one.request, **{field: 2**63})))
            for field in ("limit_min_s", "switches")
        ),
    ]
    for job in wishes:
        forecast(cluster(1, job), TWO_PASSES)


def test_without_a_proper_offset_from_utc_nothing_is_told():
    made = forecast(replace(cluster(1, waiting("1")), utc_offset_s=10**9), default())
    assert [one.detail for one in made.abstentions] == ["the site's offset from UTC is none"]
