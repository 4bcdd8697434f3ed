"""What a story tells, event by event, from recordings of a few snapshots."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, running, spec, waiting

from predictor.domain import (
    DependencyKind,
    FinishedJob,
    Hold,
    NodeFlag,
    NodeState,
    Obstacle,
    Outcome,
    PartitionState,
    PriorityFactors,
    Reservation,
    RunState,
)
from predictor.domain.job import Dependency, HetComponent
from verification.fidelity.history import history_of
from verification.fidelity.looks import decided_from
from verification.fidelity.truth import story_of


def at(minute, *jobs, **more):
    return replace(cluster(4, *jobs, **more), taken_at=NOW + minute * MINUTE)


def ended(id_, start_s, end_s, outcome=Outcome.COMPLETED, **of_job):
    return FinishedJob(
        spec=spec(id_, **of_job),
        started_at=None if start_s is None else NOW + start_s,
        ended_at=NOW + end_s,
        outcome=outcome,
        node_names=() if start_s is None else ("n1",),
    )


def began(id_, second):
    return replace(running(id_, "n2", 50), started_at=NOW + second)


def told(*snapshots, outcomes=(), number=0):
    return story_of(history_of(snapshots, outcomes), number, NOW + 24 * HOUR)


def test_run_times_and_ends_are_those_of_accounting():
    story = told(
        at(0, waiting("1"), running("2", "n1", 50)),
        at(1, began("1", 20), running("2", "n1", 50)),
        outcomes=[ended("1", 20, 500), ended("2", -600, 77)],
    )
    assert story.run_s == {"1": 480}
    assert story.ends_at == {"2": 77 + NOW}


def test_without_accounting_a_run_ends_where_snapshots_miss_it():
    story = told(at(0, running("2", "n1", 50)), at(1, running("2", "n1", 50)), at(2))
    assert story.ends_at == {"2": NOW + 2 * MINUTE}


def test_a_job_had_all_its_nodes_though_it_gives_them_back_one_by_one():
    leaving = replace(running("2", "n2", 50), state=RunState.COMPLETING)
    history = history_of([at(0, running("2", "n1 n2", 50)), at(1, leaving), at(2)], ())
    assert history.runs["2"][0].node_names == ("n1", "n2")


def test_what_only_a_job_that_is_sent_back_shows_is_no_run():
    # Until its nodes are cleared it is shown as completing, with a start that is to come.
    leaving = replace(running("2", "n1", 50), state=RunState.COMPLETING, started_at=NOW + 60)
    history = history_of([at(0, running("2", "n1", 50)), at(1, leaving), at(2, waiting("2"))], ())
    assert [run.started_at - NOW for run in history.runs["2"]] == [-600]
    told = history_of([at(1, leaving), at(2)], [ended("2", 60, 90)])
    assert [run.started_at - NOW for run in told.runs["2"]] == [60]


def test_who_ran_before_it_was_seen_waiting_comes_when_it_came():
    over = replace(ended("7", 20, 80, submitted_at=NOW + 10), outcome=Outcome.PREEMPTED)
    again = waiting("7", of_job={"submitted_at": NOW + 80})
    own = replace(began("7", 20), spec=replace(began("7", 20).spec, submitted_at=NOW + 10))
    story = told(at(0), at(1, own), at(2, again), outcomes=[over])
    assert [job.spec.submitted_at - NOW for job in story.arrivals] == [10]


def test_who_runs_at_the_end_of_the_recording_has_no_end():
    story = told(at(0, running("2", "n1", 50)), at(1, running("2", "n1", 50)))
    assert story.ends_at == {}


def test_arrivals_come_as_first_seen():
    new = waiting("7", 2, of_job={"submitted_at": NOW + 70})
    story = told(at(0, waiting("1")), at(1, waiting("1")), at(2, waiting("1"), new))
    assert story.arrivals == (new,)


def test_a_job_that_no_snapshot_shows_comes_from_its_outcome():
    story = told(at(0), at(1), outcomes=[ended("9", 20, 40, submitted_at=NOW + 15)])
    assert [(job.spec.id, job.spec.submitted_at - NOW) for job in story.arrivals] == [("9", 15)]
    assert story.run_s == {"9": 20}


def test_an_unseen_job_begins_when_accounting_calls_it_eligible():
    over = ended("9", 50, 55, submitted_at=NOW + 5, eligible_at=NOW + 50)
    [job] = told(at(0), at(1), outcomes=[over]).arrivals
    assert job.begin_at == NOW + 50


def test_who_is_shown_running_but_started_after_the_instant_is_no_arrival():
    job = replace(running("3", "n1", 50), started_at=NOW + 2)
    story = told(at(0, job), at(1, job), outcomes=[ended("3", 2, 90)])
    assert story.arrivals == ()
    assert story.ends_at == {"3": NOW + 90}


def test_an_array_comes_with_all_its_tasks_though_the_first_had_started_when_seen():
    rest = array("5", 4)
    rest = replace(
        rest,
        spec=replace(
            rest.spec,
            id="5_[1-3]",
            submitted_at=NOW + 10,
            array=replace(rest.spec.array, tasks=(1, 2, 3)),
        ),
    )
    task = running("5_0", "n1", 50, submitted_at=NOW + 10)
    task = replace(
        task,
        started_at=NOW + 12,
        spec=replace(task.spec, array=replace(rest.spec.array, tasks=(0,))),
    )
    [job] = told(at(0), at(1, rest, task)).arrivals
    assert job.spec.array.tasks == (0, 1, 2, 3)


def test_an_array_that_nobody_saw_waiting_comes_as_its_first_task_tells():
    tasks = [
        ended(f"5_{n}", 50 + n, 90, submitted_at=NOW + 5, eligible_at=NOW + 20 + n)
        for n in range(8)
    ]
    whole = array("5", 8).spec.array
    tasks = [
        replace(one, spec=replace(one.spec, array=replace(whole, tasks=(n,))))
        for n, one in enumerate(tasks)
    ]
    [job] = told(at(0), at(1), outcomes=tasks).arrivals
    assert (job.spec.array.tasks, job.begin_at) == (tuple(range(8)), NOW + 20)


@pytest.mark.parametrize(
    ("outcomes", "gone_s"),
    [
        pytest.param([ended("1", None, 77, Outcome.CANCELLED)], 77, id="as accounting says"),
        pytest.param([], 120, id="else when a snapshot first misses it"),
    ],
)
def test_a_cancelled_job_leaves(outcomes, gone_s):
    story = told(at(0, waiting("1")), at(1, waiting("1")), at(2), outcomes=outcomes)
    assert story.leaves_at == {"1": NOW + gone_s}


def test_who_waits_at_the_end_does_not_leave():
    assert told(at(0, waiting("1")), at(1, waiting("1"))).leaves_at == {}


def held(id_, **more):
    return waiting(id_, hold=Hold.USER, **more)


def test_a_hold_ends_when_the_released_job_became_eligible():
    free = waiting("1", of_job={"eligible_at": NOW + 95})
    story = told(at(0, held("1")), at(1, held("1")), at(2, free))
    assert story.held == {"1": ((NOW - HOUR, NOW + 95),)}


def test_without_such_a_word_it_ends_at_the_snapshot():
    story = told(at(0, held("1")), at(1, held("1")), at(2, waiting("1")))
    assert story.held == {"1": ((NOW - HOUR, NOW + 2 * MINUTE),)}


def test_a_held_job_that_then_runs_was_released_by_its_start():
    story = told(at(0, held("1")), at(1, began("1", 44)), outcomes=[ended("1", 44, 90)])
    assert story.held["1"][0][1] == NOW + 44


def test_a_hold_put_on_later_begins_at_its_snapshot_and_may_stay():
    story = told(at(0, waiting("1")), at(1, held("1")), at(2, held("1")))
    assert story.held == {"1": ((NOW + MINUTE, None),)}


def after(other):
    return (Dependency(kind=DependencyKind.AFTER_OK, job_id=other),)


def test_a_dependency_that_failed_holds_from_before_it_did():
    never = waiting("1", obstacle=Obstacle.UNMET, reason="DependencyNeverSatisfied")
    story = told(at(0), at(1, waiting("1", dependencies=after("2"))), at(2, never))
    assert story.held["1"] == ((NOW + MINUTE, None),)


def test_who_is_taken_away_with_an_unfulfilled_dependency_never_could_start():
    waits = waiting("1", dependencies=after("2"))
    gone = ended("1", None, 110, Outcome.CANCELLED)
    story = told(at(0, waits), at(1, waits), at(2), outcomes=[gone])
    assert story.held["1"] == ((NOW - HOUR, None),)


def test_a_changed_limit_is_told_with_the_whole_record():
    longer = waiting("1", 1, 90)
    story = told(at(0, waiting("1", 1, 10)), at(1, longer), at(2, longer))
    assert story.changes == ((NOW + MINUTE, longer),)


def test_another_limit_of_a_running_job_is_told_when_first_shown():
    other, new = running("0", "n1", 20), running("5", "n2", 60)
    shown = [at(0, running("0", "n1", 60)), at(1, other, new), at(2, other, running("5", "n2", 9))]
    assert told(*shown).limits == ((NOW + MINUTE, other),)


def test_who_is_held_as_it_runs_comes_as_it_was():
    comer = running("5", "n2", 60, submitted_at=NOW + 30, priority=7)
    comer = replace(comer, started_at=NOW + 40)
    held = replace(comer, spec=replace(comer.spec, priority=0))
    assert [job.spec.priority for job in told(at(0), at(1, comer), at(2, held)).arrivals] == [7]


def test_a_moved_begin_is_a_change_but_a_passed_one_is_not():
    first = waiting("1", begin_at=NOW + HOUR)
    moved = waiting("1", begin_at=NOW + 4 * MINUTE)
    story = told(at(0, first), at(1, moved), at(5, waiting("1")))
    assert story.changes == ((NOW + MINUTE, moved),)


def test_what_only_the_scheduler_changes_is_no_change():
    story = told(
        at(0, waiting("1", reason="Priority", of_job={"priority": 5})),
        at(1, waiting("1", reason="Resources", of_job={"priority": 9})),
    )
    assert story.changes == ()


def test_reservations_come_and_go():
    one = Reservation(name="m", start_at=NOW + HOUR, end_at=NOW + 2 * HOUR, node_names=("n1",))
    story = told(at(0), at(1, reservations=(one,)), at(2, reservations=(one,)), at(3))
    assert story.reservations == ((NOW + MINUTE, (one,)), (NOW + 3 * MINUTE, ()))


def test_a_reservation_that_is_over_does_not_change_by_being_gone():
    one = Reservation(name="m", start_at=NOW, end_at=NOW + 2 * MINUTE, node_names=("n1",))
    there = [at(minute, reservations=(one,)) for minute in range(2)]
    assert told(*there, at(2, reservations=(one,)), at(3)).reservations == ()
    assert told(*there, at(2)).reservations == ()


def test_nodes_fail_and_return():
    well = cluster(4).nodes
    down = (*well[:3], replace(well[3], state=NodeState.DOWN))
    story = told(at(0), at(1, nodes=down), at(2, nodes=down), at(3))
    assert story.nodes == ((NOW + MINUTE, (down[3],)), (NOW + 3 * MINUTE, (well[3],)))


@pytest.mark.parametrize("seen", [("5+0", "5+1"), ("5+1",)], ids=["both seen", "one seen"])
def test_a_heterogeneous_job_comes_with_all_its_components(seen):
    het = {f"5+{n}": HetComponent(job_id="5", offset=n) for n in range(2)}
    come = {id_: waiting(id_, of_job={"het": one}) for id_, one in het.items()}
    runs = (
        replace(running(id_, "n2", 50, het=one), started_at=NOW + 90) for id_, one in het.items()
    )
    story = told(at(0), at(1, *(come[id_] for id_ in seen)), at(2, *runs))
    assert [job.spec.id for job in story.arrivals] == ["5+0", "5+1"]


def test_components_that_run_beside_each_other_are_one_run_of_their_job():
    parts = [{"het": HetComponent(job_id="1", offset=offset)} for offset in range(2)]
    story = told(
        at(0, *(waiting(f"1+{n}", of_job=part) for n, part in enumerate(parts))),
        at(20),
        outcomes=[ended(f"1+{n}", 60, 300, **part) for n, part in enumerate(parts)],
    )
    assert story.run_s == {"1": 240}
    assert story.later_runs == {}


def test_that_nodes_are_busy_is_no_news():
    well = cluster(4).nodes
    busy = (replace(well[0], state=NodeState.ALLOCATED), *well[1:])
    assert told(at(0), at(1, nodes=busy)).nodes == ()


def test_a_requeued_job_comes_once_more():
    again = waiting("2", of_job={"submitted_at": NOW + 80, "restarts": 1})
    rerun = replace(running("2", "n1", 50), started_at=NOW + 150)
    story = told(
        at(0, running("2", "n1", 50)),
        at(1, running("2", "n1", 50)),
        at(2, again),
        at(3, rerun),
        outcomes=[ended("2", 150, 400, submitted_at=NOW + 80)],
    )
    assert story.ends_at == {"2": NOW + 2 * MINUTE}
    assert [job.spec.id for job in story.arrivals] == ["2"]
    assert story.run_s == {"2": 250}


def test_a_priority_set_by_hand_is_a_change():
    def shown(number, summands):
        factors = PriorityFactors(partition="batch", priority=number, partition_points=summands)
        return waiting("1", of_job={"priority": number}, priorities=(factors,))

    urgent = shown(9_000, 0)
    story = told(at(0, shown(500, 500)), at(1, shown(501, 501)), at(2, urgent), at(3, urgent))
    assert story.changes == ((NOW + 2 * MINUTE, urgent),)


def test_partitions_close_and_open():
    def state(of):
        return {"partitions": (replace(cluster(4).partitions[0], state=of),)}

    down, drained = state(PartitionState.DOWN), state(PartitionState.DRAIN)
    story = told(at(0), at(1, **down), at(2, **down), at(3, **drained), at(4, **down))
    assert story.closed == {"batch": ((NOW + 60, NOW + 180), (NOW + 240, None))}
    assert told(at(0), at(1, **drained)).closed == {}


def booting(id_, second):
    return replace(began(id_, second), state=RunState.CONFIGURING)


@pytest.mark.parametrize(
    ("snapshots", "outcomes"),
    [
        pytest.param((at(1, booting("1", 50)), at(2, began("1", 110))), (), id="seen to run"),
        pytest.param((at(1, booting("1", 50)),), (ended("1", 110, 400),), id="by accounting"),
    ],
)
def test_who_waits_for_its_nodes_to_boot_starts_when_they_have(snapshots, outcomes):
    history = history_of((at(0, waiting("1")), *snapshots, at(9)), outcomes)
    assert [run.started_at - NOW for run in history.runs["1"]] == [110]
    assert history.ran[1] == {"1": NOW + 110}
    story = story_of(history, 1, NOW + HOUR)
    assert story.ends_at == {"1": history.runs["1"][0].ended_at}
    assert story.arrivals == ()


@pytest.mark.parametrize(("flags", "boots_s"), [({NodeFlag.POWERING_UP}, 60), ((), -1)])
def test_how_long_nodes_took_that_slept_is_told(flags, boots_s):
    slept = {"nodes": tuple(replace(one, flags=frozenset(flags)) for one in cluster(4).nodes)}
    looks = at(0, waiting("1")), at(1, booting("1", 50), **slept), at(2, began("1", 110))
    assert told(*looks).boots_s == boots_s


def test_who_waits_again_in_between_runs_twice():
    history = history_of(
        (at(1, booting("1", 50)), at(2, waiting("1")), at(3, began("1", 170)), at(9)), ()
    )
    assert [run.started_at - NOW for run in history.runs["1"]] == [50, 170]


@pytest.mark.parametrize(
    ("minutes", "every", "numbers"),
    [
        pytest.param(range(0), 1, [], id="nothing recorded"),
        pytest.param(range(10), 1, [], id="ten minutes never recorded"),
        pytest.param(range(11), 1, [0], id="once"),
        pytest.param(range(0, 61, 5), 4, [0, 4, 8], id="every fourth, but the last two"),
    ],
)
def test_only_where_all_was_recorded_is_decided_from(minutes, every, numbers):
    assert list(decided_from([NOW + n * MINUTE for n in minutes], every)) == numbers


def test_a_hold_was_over_before_a_run_that_no_snapshot_shows():
    held = replace(waiting("7"), hold=Hold.USER, obstacle=Obstacle.ADMIN)
    own = {"submitted_at": NOW - HOUR, "eligible_at": NOW + 70}
    over = ended("7", 71, 90, outcome=Outcome.PREEMPTED, **own)
    story = told(at(0, held), at(1, held), at(3, waiting("7")), outcomes=[over])
    assert story.held["7"][-1][1] == NOW + 70
