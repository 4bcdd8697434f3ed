"""Recorded days under another configuration: what is told, what is not, and what chance does."""

from dataclasses import replace

import performed as scenes
import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, spec, waiting

from predictor.domain import FinishedJob, Limits, Outcome, Qos, Reservation, SchedulerSettings
from predictor.domain.amendment import Amendment
from predictor.simulation.story import Story
from verification.changes.change import NOTHING, Change
from verification.fidelity.history import history_of
from verification.measures import mean_wait_s
from verification.trials.trial import recount, tried


@pytest.fixture(scope="module")
def busy():
    """Eight nodes and forty jobs, recorded for four hours."""
    snapshot, later, run_s = scenes.busy_cluster()
    story = Story(arrivals=later, run_s=run_s)
    return recount("busy", scenes.performed(snapshot, story, NOW + 4 * HOUR))


def mean_wait(recorded, change, seeds=range(3)):
    trials = [tried(recorded, change, seed) for seed in seeds]
    return sum(mean_wait_s(one.jobs, one.watch) or 0 for one in trials) / len(trials)


def settings_of(**changes):
    """Return a change to the settings, as a file's would be."""
    return Change(
        amendments=(
            Amendment(
                said={},
                over=lambda one: replace(one, settings=replace(one.settings, **changes)),
                told=lambda one: {},
            ),
        )
    )


def test_everybody_has_a_course_and_runs_as_long_as_recorded(busy):
    trial = tried(busy, NOTHING, 1)
    assert {job.id for job in trial.jobs} == {str(n) for n in (*range(1, 31), *range(41, 51))}
    for job in trial.jobs:
        assert abs(job.run_s - busy.story.run_s[job.id]) <= 6
        assert len(job.node_names) == job.nodes
        assert job.cpus == 4 * job.nodes


def test_equal_arguments_give_equal_trials_and_other_seeds_others(busy):
    assert tried(busy, NOTHING, 1) == tried(busy, NOTHING, 1)
    assert len({tried(busy, NOTHING, seed).hash for seed in range(4)}) > 1


def test_luck_is_the_same_on_both_sides(busy):
    fewer = Change(removed=frozenset({"n8"}))
    lengths = [
        {job.id: job.run_s for job in tried(busy, change, 5).jobs if job.run_s is not None}
        for change in (NOTHING, fewer)
    ]
    assert lengths[1].items() <= lengths[0].items()


def test_fewer_nodes_mean_longer_waits_and_more_nodes_shorter_ones(busy):
    fewer = Change(removed=frozenset({"n8"}))
    more = Change(added={"n9": "n1", "n10": "n1", "n11": "n1", "n12": "n1"})
    assert mean_wait(busy, fewer) > mean_wait(busy, NOTHING) > mean_wait(busy, more)
    assert tried(busy, fewer, 0).watch.cpus == 28
    assert tried(busy, more, 0).watch.cpus == 48


def test_nothing_runs_on_nodes_that_are_gone_or_set_apart(busy):
    gone = tried(busy, Change(removed=frozenset({"n3"})), 0)
    assert not any("n3" in job.node_names for job in gone.jobs)
    maintenance = Reservation(
        name="new", start_at=NOW + HOUR, end_at=NOW + 2 * HOUR, node_names=("n1", "n2")
    )
    apart = tried(busy, Change(reservations=(maintenance,)), 0)
    during = [
        job
        for job in apart.jobs
        if {"n1", "n2"} & {*job.node_names}
        and job.start_at < NOW + 2 * HOUR
        and job.end_at > NOW + HOUR + 10
    ]
    assert during == []


def test_a_cap_on_a_qos_holds(busy):
    def capped(snapshot):
        cap = Qos(name="few", limits=Limits(group_tres=(("node", 2),)))
        return replace(
            snapshot,
            qos=(cap,),
            settings=replace(snapshot.settings, limits_enforced=True),
        )

    jobs = tuple(waiting(str(n), 1, 30, of_job={"qos": "few"}) for n in range(1, 9))
    story = Story(run_s={job.spec.id: 20 * MINUTE for job in jobs})
    snapshot = cluster(8, *jobs, settings=scenes.EAGER)
    recorded = recount("few", scenes.performed(snapshot, story, NOW + HOUR))
    cap = Change(amendments=(Amendment(said={}, over=capped, told=lambda one: {}),))
    assert {job.start_at for job in tried(recorded, NOTHING, 0).jobs} == {NOW}
    starts = sorted(job.start_at for job in tried(recorded, cap, 0).jobs)
    assert starts[1] == NOW
    assert starts[2] > NOW + 19 * MINUTE


def minutes(*jobs_by_minute, ends=()):
    snapshots = [
        replace(cluster(2, *jobs, settings=scenes.EAGER), taken_at=NOW + minute * MINUTE)
        for minute, jobs in enumerate(jobs_by_minute)
    ]
    return recount("few", history_of(snapshots, ends))


def over(id_, start_s, end_s, outcome=Outcome.COMPLETED, **of_job):
    return FinishedJob(
        spec=spec(id_, **of_job),
        started_at=None if start_s is None else NOW + start_s,
        ended_at=NOW + end_s,
        outcome=outcome,
    )


def test_the_recorded_start_is_told_to_nobody():
    late = minutes([waiting("1")], [waiting("1")], [waiting("1")], ends=[over("1", 3000, 3300)])
    [job] = tried(late, NOTHING, 0).jobs
    assert job.start_at < NOW + MINUTE
    assert abs(job.run_s - 300) <= 6


def test_who_left_the_queue_leaves_it_unless_a_change_lets_it_start_before():
    blocked = [running("2", "n1 n2", 50), waiting("1")]
    gone = [over("1", None, 90, Outcome.CANCELLED), over("2", -600, 1200)]
    recorded = minutes(blocked, blocked, blocked[:1], ends=gone)
    [left] = tried(recorded, NOTHING, 0).jobs
    assert (left.start_at, left.left_at) == (None, NOW + 90)
    [ran] = tried(recorded, Change(added={"n3": "n1"}), 0).jobs
    assert ran.start_at is not None
    assert ran.left_at is None
    assert 0 < ran.run_s <= 10 * MINUTE + 6


def test_who_ran_on_at_the_end_runs_at_least_as_long_as_seen():
    seen = [running("1", "n1", 50), waiting("5"), waiting("6")]
    later = [replace(running("5", "n2", 50), started_at=NOW + 30), waiting("6")]
    recorded = minutes(
        seen, *[later] * 9, ends=[over("3", -900, -890, minutes=10), over("4", -900, -880)]
    )
    for seed in range(8):
        ran = {job.id: job.run_s for job in tried(recorded, NOTHING, seed).jobs}
        assert ran["5"] >= 9 * MINUTE - 30 - 6


def test_priorities_told_are_worked_out_anew_where_asked_for():
    weights = replace(SchedulerSettings().weights, age=1000)
    under = settings_of(weights=weights, multifactor=True)
    told = waiting("1", of_job={"priority": 77})
    anew = replace(under, ranks_anew=True)
    snapshot = cluster(1, told, settings=scenes.EAGER)
    assert under.over(snapshot).pending[0].spec.priority == 77
    assert anew.over(snapshot).pending[0].spec.priority is None
    held = waiting("1", of_job={"priority": 0})
    assert anew.over(replace(snapshot, pending=(held,))).pending == (held,)
