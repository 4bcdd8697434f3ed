"""Nodes that sleep to save power: whoever is placed on one begins once it has booted."""

import pytest
from engine_scenes import Scene, busy, job

# Nodes 2 and 3 sleep; the order of the machine has them last.
SLEEPY = {"nodes": 4, "cpus": 4, "weight": [0, 0, 9, 9], "asleep": 0b1100, "boot_s": 40}


def scene(jobs, running=None, **rules):
    return Scene(jobs, running, machine=SLEEPY, **rules)


def ends(played):
    """Return when everybody ends, by number; the last event is nobody's."""
    events = played.forward.queue.events
    found = {events.who[i]: events.at[i] for i in range(events.size)}
    return {name: found.get(number) for number, name in enumerate(played.jobs)}


def test_who_is_awake_is_taken_first():
    played = scene({"a": job(2, 60), "b": job(1, 60)})
    played.run(until=1)
    assert played.nodes() == {"a": [0, 1], "b": [2]}
    assert ends(played) == {"a": 60, "b": 100}


def test_a_job_waits_for_the_last_of_its_nodes():
    played = scene({"a": job(3, 60)})
    played.run(until=1)
    assert ends(played) == {"a": 100}
    assert played.forward.placer.boots_s[0] == 40


def test_a_node_boots_once():
    played = scene({"a": job(4, 60), "b": job(4, 60)})
    assert played.run() == {"a": 0, "b": 100}
    assert [played.forward.placer.boots_s[part] for part in (0, 1)] == [40, 0]


@pytest.mark.parametrize("ahead", [{}, {"main_depth": -1}])
def test_booting_counts_beside_the_time_it_really_runs(ahead):
    played = scene({"a": job(4, 60, run_s=20), "b": job(4, 60)}, **ahead)
    assert played.run()["b"] == 60


def test_who_runs_beyond_its_planned_end_for_booting_keeps_its_nodes():
    # c would fit at 60, but a runs until 100.
    played = scene({"a": job(4, 60), "c": job(1, 10, enters_at=61)})
    assert played.run()["c"] >= 100


def test_who_comes_to_a_node_that_boots_waits_for_the_rest_of_that():
    jobs = {"a": job(1, 60, cpus=2), "b": job(1, 60, cpus=2, enters_at=15)}
    played = scene(jobs, {"r": busy(0b1011, 500)}, arrival_delay_s=0)
    assert played.run(until=100) == {"a": 0, "b": 15}
    assert [played.forward.placer.boots_s[part] for part in (0, 1)] == [40, 25]


def again(jobs, running=None, **more):
    """Return how long each waited for its nodes, where idle ones fall asleep after 20 seconds."""
    machine = {"nodes": 1, "cpus": 4, "boot_s": 40, "sleeps_after_s": [20]} | more
    played = Scene(jobs, running, machine=machine, arrival_delay_s=0)
    played.run()
    return {name: played.forward.placer.boots_s[part] for part, name in enumerate(jobs)}


@pytest.mark.parametrize(("enters_at", "boots_s"), [(69, 0), (70, 40)])
@pytest.mark.parametrize("exact", [False, True])
def test_a_node_falls_asleep_again(enters_at, boots_s, exact):
    jobs = {"a": job(1, 60, run_s=50), "b": job(1, 60, enters_at=enters_at)}
    assert again(jobs, exact=exact) == {"a": 0, "b": boots_s}


@pytest.mark.parametrize(("since", "boots_s"), [(-9, 40), (-8, 0)])
def test_a_node_may_have_been_idle_before(since, boots_s):
    assert again({"b": job(1, 60, enters_at=11)}, idle_since=[since]) == {"b": boots_s}


@pytest.mark.parametrize(("enters_at", "boots_s"), [(69, 0), (70, 70), (75, 65), (100, 40)])
def test_a_node_that_falls_asleep_cannot_be_woken_before_it_sleeps(enters_at, boots_s):
    jobs = {"a": job(1, 60, run_s=50), "b": job(1, 60, enters_at=enters_at)}
    assert again(jobs, dozes_s=[30]) == {"a": 0, "b": boots_s}


def test_so_many_of_a_group_stay_awake():
    jobs = {name: job(1, 60, enters_at=90) for name in "abcd"}
    group = {"nodes": 4, "sleeps_after_s": [20] * 4, "sleepless": [(0b1110, 1)]}
    assert again(jobs, **group) == {"a": 40, "b": 0, "c": 40, "d": 40}


def test_a_node_in_use_is_none_of_those_that_stay_awake():
    jobs = {"a": job(1, 200), "b": job(1, 60, enters_at=90), "c": job(1, 60, enters_at=90)}
    group = {"nodes": 3, "sleeps_after_s": [20] * 3, "sleepless": [(0b111, 1)]}
    assert again(jobs, **group) == {"a": 0, "b": 0, "c": 40}


def test_only_so_many_nodes_are_woken_a_minute():
    jobs = {"a": job(3, 60), "b": job(1, 60, enters_at=30)}
    machine = {"nodes": 4, "asleep": 0b1111, "sleeps_after_s": [0] * 4, "wakes_per_minute": 2}
    assert again(jobs, **machine) == {"a": 40 + 30, "b": 40 + 30}


def test_some_nodes_never_fall_asleep():
    jobs = {"a": job(1, 60, enters_at=90), "b": job(1, 60, enters_at=90)}
    assert again(jobs, nodes=2, sleeps_after_s=[0, 20]) == {"a": 0, "b": 40}


def test_who_ran_at_the_beginning_leaves_a_node_that_is_awake():
    running = {"r": busy(0b1, 50)}
    assert again({"b": job(1, 60, enters_at=69)}, running) == {"b": 0}
    assert again({"b": job(1, 60, enters_at=70)}, running) == {"b": 40}


def test_a_node_is_awake_as_long_as_anybody_is_on_it():
    jobs = {"a": job(1, 90, cpus=1), "b": job(1, 10, cpus=1), "c": job(1, 9, cpus=1, enters_at=60)}
    assert again(jobs) == {"a": 0, "b": 0, "c": 0}
