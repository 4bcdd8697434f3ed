"""Why a job starts no earlier, scene by scene."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, nodes, partition, running, waiting

from predictor.domain import (
    Awaited,
    Dependency,
    DependencyKind,
    Explanation,
    HetComponent,
    License,
    Limits,
    NodeFlag,
    NodeShare,
    NodeSharing,
    PassSettings,
    PendingJob,
    Provenance,
    Qos,
    Request,
    Reservation,
    RunningJob,
    SchedulerSettings,
    Snapshot,
)
from predictor.forecast import forecast
from predictor.site import Site, default

EASY = Site.model_validate({"policy": {"name": "easy"}})


def explained(snapshot: Snapshot, site: Site | None = None) -> dict[str, Explanation]:
    made = forecast(snapshot, site or default(), explained=True)
    return {p.job_id: p.explanation for p in made.predictions if p.explanation}


def told(awaited: tuple[Awaited, ...]) -> list[tuple[str, int, int]]:
    """Return id, minute and nodes of each."""
    return [(one.job_id, (one.at - NOW) // MINUTE, one.nodes) for one in awaited]


def after(kind: DependencyKind, job_id: str, **more: object) -> Dependency:
    return Dependency(kind=kind, job_id=job_id, **more)  # type: ignore[arg-type]


def limited(snapshot: Snapshot, **limits: object) -> Snapshot:
    """The same cluster with all jobs in a QOS of these limits, scheduled in two passes."""
    return replace(
        snapshot,
        settings=SchedulerSettings(
            passes=PassSettings(interval_s=30, step_s=1), limits_enforced=True
        ),
        qos=(Qos(name="q", limits=Limits(**limits)),),  # type: ignore[arg-type]
        pending=tuple(replace(j, spec=replace(j.spec, qos="q")) for j in snapshot.pending),
        running=tuple(replace(j, spec=replace(j.spec, qos="q")) for j in snapshot.running),
    )


def test_nothing_is_explained_unless_asked_for():
    [prediction] = forecast(cluster(1, waiting("1")), default()).predictions
    assert prediction.explanation is None


def test_a_job_that_starts_now_waits_for_nobody():
    why = explained(cluster(2, running("r", "n1", 30), waiting("1")))["1"]
    assert why == Explanation(nodes=1, nodes_free=1, planned_start=NOW)


def test_what_is_asked_for_but_not_counted_is_named():
    plain, odd = waiting("1"), waiting("2")
    request = replace(odd.spec.request, uncounted=("--segment=2",))
    why = explained(cluster(2, plain, replace(odd, spec=replace(odd.spec, request=request))))
    assert [why[job].uncounted for job in ("1", "2")] == [(), ("--segment=2",)]


def test_two_running_jobs_must_end():
    # n1 n2 [ a   ] 30
    # n3    [ b ] 20
    # n4      free
    jobs = running("a", "n1 n2", 30, user="bob"), running("b", "n3", 20), waiting("1", 4)
    why = explained(cluster(4, *jobs))["1"]
    assert told(why.waits_for) == [("a", 30, 2), ("b", 20, 1)]
    assert [(one.user, one.waits) for one in why.waits_for] == [("bob", False), ("ada", False)]
    assert (why.nodes, why.nodes_free, why.waits_for_more) == (4, 1, 0)
    assert (why.ahead_jobs, why.let_past_jobs, why.turn_from) == (0, 0, None)


def test_few_are_named_and_the_others_counted():
    short = [running(f"r{i}", f"n{i}", 10 * i) for i in range(1, 8)]
    why = explained(cluster(7, *short, waiting("1", 7)))["1"]
    assert [id_ for id_, _, _ in told(why.waits_for)] == ["r7", "r6", "r5", "r4", "r3"]
    assert why.waits_for_more == 2


def test_a_bigger_job_is_ahead_and_a_small_one_is_let_past():
    # n1    [ r ] 30 [ big      ] 90 [ next ]
    # n2    [ gap ]  [ big      ] 90
    #         20
    big, next_, gap = (
        waiting(id_, count, minutes, of_job={"priority": priority})
        for id_, count, minutes, priority in (
            *(("big", 2, 60, 30), ("next", 2, 60, 20)),
            *(("gap", 1, 20, 10),),
        )
    )
    why = explained(cluster(2, running("r", "n1", 30), big, next_, gap), EASY)
    assert told(why["next"].waits_for) == [("big", 90, 2)]
    assert why["next"].waits_for[0].waits
    assert (why["next"].ahead_jobs, why["next"].ahead_node_s) == (1, 2 * HOUR)
    assert (why["next"].let_past_jobs, why["next"].let_past_node_s) == (1, 20 * MINUTE)
    assert (why["big"].ahead_jobs, why["big"].let_past_jobs) == (0, 1)
    assert (why["gap"].passes_jobs, why["gap"].ahead_jobs) == (2, 0)


def test_jobs_of_other_nodes_do_not_count():
    members = nodes(4)
    left, right = partition("left", members[:2]), partition("right", members[2:])
    jobs = [
        waiting("1", 2, 60, of_job={"partitions": ("left",), "priority": 9}),
        waiting("2", 2, 60, of_job={"partitions": ("left",), "priority": 8}),
        waiting("3", 2, 60, of_job={"partitions": ("right",), "priority": 7}),
        waiting("4", 2, 60, of_job={"partitions": ("right",), "priority": 6}),
    ]
    why = explained(cluster(4, *jobs, partitions=(left, right)))
    assert (why["4"].ahead_jobs, why["4"].ahead_node_s) == (1, 2 * HOUR)


def test_a_limit_is_told_with_the_job_whose_end_lifts_it():
    jobs = running("r", "n1", 20), waiting("1"), waiting("2")
    why = explained(limited(cluster(4, *jobs), max_jobs=1))
    assert why["1"].limit == "user ada in QOS q may run at most 1 job at a time; 1 run"
    assert why["1"].lifted_by is not None
    assert told((why["1"].lifted_by,)) == [("r", 20, 0)]
    assert why["2"].lifted_by is not None
    assert told((why["2"].lifted_by,)) == [("1", 30, 0)]
    assert not why["1"].limit_later


def test_a_limit_that_only_binds_once_others_run_is_told_as_such():
    # Nothing runs: job 1 takes the one place, and job 2 must wait for it though nodes are free.
    jobs = waiting("1", of_job={"priority": 9}), waiting("2", of_job={"priority": 8})
    why = explained(limited(cluster(4, *jobs), max_jobs=1))
    assert why["1"].limit == ""
    assert (why["2"].limit_later, "at most 1 job" in why["2"].limit) == (True, True)
    assert why["2"].lifted_by is not None
    assert told((why["2"].lifted_by,)) == [("1", 10, 0)]


def test_a_limit_on_nodes_is_told_too():
    jobs = running("r", "n1 n2", 20), waiting("1", 3)
    why = explained(limited(cluster(8, *jobs), group_tres=(("node", 4),)))["1"]
    assert why.limit == "QOS q may use at most 4 nodes at a time; 2 in use, 3 more needed"


def test_limits_that_a_policy_does_not_obey_are_not_told():
    jobs = running("r", "n1", 20), waiting("1", 4)
    assert explained(limited(cluster(4, *jobs), max_jobs=1), EASY)["1"].limit == ""


def test_a_reservation_it_would_run_into():
    maintenance = Reservation(
        name="m", start_at=NOW + HOUR, end_at=NOW + 2 * HOUR, node_names=("n1",)
    )
    why = explained(cluster(1, waiting("1", 1, 90), reservations=(maintenance,)))["1"]
    assert (why.reservation, why.reservation_from) == ("m", NOW + HOUR)
    assert (why.reservation_until, why.own_reservation) == (NOW + 2 * HOUR, False)


def test_a_reservation_that_ends_before_the_nodes_come_free_is_not_in_the_way():
    short = Reservation(name="m", start_at=NOW, end_at=NOW + MINUTE, node_names=("n1",))
    jobs = running("r", "n1", 30), waiting("1")
    assert explained(cluster(1, *jobs, reservations=(short,)))["1"].reservation_from is None


def test_its_own_reservation_has_not_begun():
    mine = Reservation(name="m", start_at=NOW + HOUR, end_at=NOW + 2 * HOUR, node_names=("n1",))
    job = waiting("1", of_job={"reservation": "m"})
    why = explained(cluster(1, job, reservations=(mine,)))["1"]
    assert (why.reservation, why.own_reservation) == ("m", True)


def test_a_chain_of_dependencies_names_the_next_link():
    ok = DependencyKind.AFTER_OK
    jobs = [
        running("1", "n1", 20),
        waiting("2", dependencies=(after(ok, "1"),)),
        waiting("3", dependencies=(after(ok, "2"),)),
        waiting("4", dependencies=(after(DependencyKind.AFTER, "2"),)),
    ]
    why = explained(cluster(4, *jobs))
    assert why["2"].dependencies == (Awaited(job_id="1", at=NOW + 20 * MINUTE, user="ada"),)
    [second] = why["3"].dependencies
    assert (second.job_id, second.at, second.waits) == ("2", NOW + 30 * MINUTE, True)
    [started] = why["4"].dependencies
    assert (started.at, started.starts) == (NOW + 20 * MINUTE, True)


def test_one_of_several_dependencies_may_be_enough():
    kind = DependencyKind.AFTER_ANY
    either = after(kind, "1", any_of=True), after(kind, "2", any_of=True)
    jobs = running("1", "n1", 30), running("2", "n2", 10), waiting("3", dependencies=either)
    why = explained(cluster(3, *jobs))["3"]
    assert (why.any_dependency, [one.job_id for one in why.dependencies]) == (True, ["1", "2"])


def test_a_begin_time():
    why = explained(cluster(1, waiting("1", begin_at=NOW + HOUR)))["1"]
    assert why.not_before == NOW + HOUR


def test_an_array_that_runs_as_many_tasks_as_it_may():
    first = running("7_9", "n1", 25, array=replace(array("7", 1).spec.array, tasks=(9,)))  # type: ignore[arg-type, type-var]
    why = explained(cluster(4, first, array("7", 3, at_once=1)))["7_[0-2%1]"]
    assert why.array_limit == 1
    assert why.lifted_by == Awaited(job_id="7_9", at=NOW + 25 * MINUTE, user="ada")


def test_licenses_that_a_job_ahead_takes():
    def licensed(id_: str):
        request = Request(nodes=1, cpus=1, limit_s=600, licenses=(("matlab", 2),))
        return waiting(id_, of_job={"request": request})

    pool = (License(name="matlab", total=3), License(name="ansys", total=1))
    why = explained(cluster(4, licensed("1"), licensed("2"), licenses=pool))
    assert why["1"].licenses == ()
    assert why["2"].licenses == ("matlab",)
    assert why["2"].lifted_by == Awaited(job_id="1", at=NOW + 10 * MINUTE, user="ada", waits=True)


def test_a_heterogeneous_job_waits_for_the_nodes_of_all_components():
    def component(offset: int, count: int):
        het = HetComponent(job_id="5", offset=offset)
        return waiting(f"5+{offset}", count, of_job={"het": het})

    why = explained(cluster(3, running("1", "n1", 10), component(0, 1), component(1, 2)))
    assert why["5+0"] == why["5+1"]
    assert (why["5+0"].nodes, why["5+0"].nodes_free) == (3, None)
    assert told(why["5+0"].waits_for) == [("1", 10, 1)]


def test_nodes_that_are_down_are_counted():
    sound, broken = nodes(2)[0], replace(nodes(2)[1], flags=frozenset({NodeFlag.DRAIN}))
    jobs = running("r", "n1", 20), waiting("1")
    why = explained(cluster(2, *jobs, nodes=(sound, broken)))["1"]
    assert (why.nodes_free, why.nodes_down) == (0, 1)


def shared(*running_cpus: tuple[str, int, int], asks: int) -> Snapshot:
    """One shared node of 4 CPUs: who holds how many until which minute, and what a job asks."""
    members = nodes(1)
    rules = (partition("batch", members, sharing=NodeSharing.NO),)
    held = []
    for id_, cpus, minutes in running_cpus:
        job = running(id_, "n1", minutes)
        share = replace(job.allocation[0], cpus=cpus, memory_mb=100)
        held.append(replace(job, allocation=(share,)))
    request = Request(nodes=1, cpus=asks, limit_s=600, memory_per_node_mb=100)
    return cluster(1, *held, waiting("1", of_job={"request": request}), partitions=rules)


@pytest.mark.parametrize(
    ("asks", "opens"),
    [
        pytest.param(1, [], id="one CPU is free"),
        pytest.param(2, [("a", 10, 1)], id="the first to end makes room"),
        pytest.param(3, [("b", 20, 1)], id="the second does"),
        pytest.param(4, [("c", 30, 1)], id="the last does"),
    ],
)
def test_on_a_shared_node_the_end_that_makes_room_counts(asks, opens):
    why = explained(shared(("a", 1, 10), ("b", 1, 20), ("c", 1, 30), asks=asks))["1"]
    assert told(why.waits_for) == opens


def test_whom_a_site_hides_is_counted_and_never_named():
    private = Provenance(source="scene", private=("jobs", "reservations"))
    jobs = [
        running("a", "n1", 30, user="bob"),
        running("b", "n2", 20),
        waiting("1", 3),
        waiting("2", 1, dependencies=(after(DependencyKind.AFTER_ANY, "a"),)),
    ]
    mine = Reservation(name="m", start_at=NOW + HOUR, end_at=NOW + 2 * HOUR, node_names=("n3",))
    reserved = waiting("3", of_job={"reservation": "m"})
    snapshot = cluster(3, *jobs, reserved, reservations=(mine,), provenance=private)
    why = explained(snapshot, EASY)
    assert told(why["1"].waits_for) == [("b", 20, 1)]
    assert why["1"].waits_for_more == 1
    assert [(one.job_id, one.user) for one in why["2"].dependencies] == [("a", "")]
    assert (why["3"].reservation, why["3"].own_reservation) == ("", True)
    assert "bob" not in repr(why)


def test_whose_end_lifts_a_limit_is_not_named_to_others():
    jobs = running("r", "n1", 20, user="bob"), waiting("1")
    private = Provenance(source="scene", private=("jobs",))
    why = explained(limited(cluster(4, *jobs, provenance=private), group_jobs=1))["1"]
    assert why.lifted_by == Awaited(job_id="", at=NOW + 20 * MINUTE)


def anywhere(id_: str, cpus: int) -> PendingJob:
    """Who asks for so many single CPUs of nodes of four, wherever they are (`-n`)."""
    request = Request(
        nodes=-(-cpus // 4), nodes_max=cpus, cpus=cpus, uneven=True, limit_s=10 * MINUTE
    )
    return waiting(id_, of_job={"request": request})


def partly(id_: str, name: str, cpus: int, minutes_left: int) -> RunningJob:
    held = (NodeShare(node=name, cpus=cpus, memory_mb=0),)
    return replace(running(id_, name, minutes_left), allocation=held)


def of_cores(*jobs: PendingJob | RunningJob, count: int) -> Explanation:
    """Return what is told of job 1 where cores are shared out, and no memory."""
    members = nodes(count)
    settings = SchedulerSettings(
        passes=PassSettings(interval_s=30, step_s=1), memory_is_consumable=False
    )
    batch = partition("batch", members, sharing=NodeSharing.NO)
    scene = cluster(count, *jobs, partitions=(batch,), settings=settings)
    return explained(scene)["1"]


def test_who_ends_where_nodes_give_different_numbers_of_cpus():
    # n1 has three free now and gives four, n2 gives the two that it has.
    there = partly("one", "n1", 1, 10), partly("two", "n2", 2, 60)
    assert told(of_cores(*there, anywhere("1", 6), count=2).waits_for) == [("one", 10, 1)]


def test_how_many_nodes_it_gets_and_could_get_something_of_now():
    there = (partly("a", "n1", 2, 60), partly("b", "n2", 2, 60), partly("c", "n3", 4, 10))
    found = of_cores(*there, anywhere("1", 7), count=3)
    assert (found.nodes, found.nodes_free) == (3, 2)
    assert told(found.waits_for) == [("c", 10, 1)]
