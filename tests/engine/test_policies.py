"""Policies on the engine: who may pass whom, and when time moves on."""

import pytest
from engine_scenes import FAR, Scene, busy, job

from predictor.domain.durations import MINUTE_S as MINUTE

FCFS = {"reservations": 0, "skips": False}
LIST = {"reservations": 0, "skips": True}
EASY = {"reservations": 1, "skips": True}
CONSERVATIVE = {"reservations": -1, "skips": True}

# minute  0           30             "wide" needs all four nodes: not before 30
# n1 n2   [ running   ]
# n3 n4     free
QUEUE = {
    "wide": job(4, 60 * MINUTE),
    "long": job(2, 60 * MINUTE),
    "short": job(2, 30 * MINUTE),
    "tail": job(1, 10 * MINUTE),
}
HALF_BUSY = {"r": busy(0b0011, 30 * MINUTE)}


def minutes(jobs, policy, running=None, **more):
    found = Scene(jobs, running, apart=False, **more).follow(**policy)
    return {name: at / MINUTE for name, at in found.items()}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        pytest.param(
            FCFS,
            {"wide": 30, "long": 90, "short": 90, "tail": 120},
            id="fcfs: nobody passes the blocked head",
        ),
        pytest.param(
            LIST,
            {"long": 0, "short": 30, "wide": 60, "tail": 120},
            id="list: whoever fits starts now",
        ),
        pytest.param(
            EASY,
            {"short": 0, "wide": 30, "long": 90, "tail": 90},
            id="easy: only who is gone by 30 passes",
        ),
        pytest.param(
            CONSERVATIVE,
            {"short": 0, "wide": 30, "long": 90, "tail": 90},
            id="conservative: everybody has a reservation",
        ),
    ],
)
def test_who_may_pass_a_blocked_job(policy, expected):
    assert minutes(QUEUE, policy, HALF_BUSY) == expected


def test_a_second_reservation_protects_the_second_blocked_job():
    # "second" follows "first" at 60, unless "small" is let in for 100 minutes.
    jobs = {
        "first": job(3, 30 * MINUTE),
        "second": job(4, 30 * MINUTE),
        "small": job(1, 100 * MINUTE),
    }
    one = minutes(jobs, EASY, HALF_BUSY)
    assert one == {"small": 0, "first": 30, "second": 100}
    two = minutes(jobs, EASY | {"reservations": 2}, HALF_BUSY)
    assert two == {"first": 30, "second": 60, "small": 90}


def test_a_policy_per_partition_counts_and_stops_in_each_partition():
    jobs = {"wide": job(3), "stopped": job(1, MINUTE), "other": job(1, partitions=["q"])}
    running = {"r": busy(0b0011, 30 * MINUTE)}
    partitions = {"p": 0b0111, "q": 0b1111}
    apart = minutes(jobs, FCFS | {"by_partition": True}, running, partitions=partitions)
    assert (apart["other"], apart["stopped"]) == (0, 31)
    together = minutes(jobs, FCFS, running, partitions=partitions)
    assert together["other"] == 31


def test_of_several_partitions_the_one_that_starts_it_first_is_taken():
    jobs = {"a": job(2, partitions=["p", "q"])}
    partitions = {"p": 0b0011, "q": 0b1100}
    for policy in (LIST, EASY, CONSERVATIVE):
        scene = Scene(jobs, HALF_BUSY, partitions=partitions)
        assert scene.follow(**policy) == {"a": 0}
        assert scene.nodes() == {"a": [2, 3]}


@pytest.mark.parametrize("policy", [FCFS, LIST, EASY, CONSERVATIVE])
def test_parts_start_together_and_end_one_by_one(policy):
    both = job(1, 50 * MINUTE, parts=[job(3, 10 * MINUTE)])
    found = minutes({"both": both, "after": job(3, MINUTE)}, policy, HALF_BUSY)
    assert found["both"] == 30
    assert found["after"] == 40


@pytest.mark.parametrize("policy", [LIST, EASY, CONSERVATIVE])
def test_parts_that_never_fit_together_are_in_nobodys_way(policy):
    never = job(3, 10 * MINUTE, parts=[job(2, 10 * MINUTE)])
    jobs = {"never": never, "wide": job(4, 10 * MINUTE)}
    assert minutes(jobs, policy, HALF_BUSY) == {"wide": 30}


# -- who is looked at --------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [LIST, EASY, CONSERVATIVE])
def test_so_many_tasks_of_a_lane_run_at_a_time(policy):
    tasks = {str(n): job(1, 10 * MINUTE, lane=0) for n in range(5)}
    found = minutes(tasks, policy, lanes=[2])
    assert list(found.values()) == [0, 0, 10, 10, 20]


def test_so_many_jobs_of_a_user_are_looked_at():
    jobs = {"a": job(4, user=1), "b": job(1, user=1), "c": job(1, user=2)}
    found = Scene(jobs, HALF_BUSY).follow(**LIST, eligible_per_user=1)
    assert found == {"c": 0, "a": 30 * MINUTE, "b": 31 * MINUTE}
    nameless = Scene(jobs, HALF_BUSY).follow(**LIST, eligible_per_user=1, nameless=1)
    assert nameless["b"] == 0


def test_who_starts_makes_room_among_those_looked_at():
    jobs = {str(n): job(1, user=1) for n in range(4)}
    assert set(Scene(jobs).follow(**LIST, eligible_per_user=1).values()) == {0}


def test_so_many_jobs_of_a_user_run_or_are_looked_at():
    jobs = {str(n): job(1, user=1) for n in range(3)} | {"other": job(1)}
    running = {"r": busy(0b0001, 30 * MINUTE, user=1)}
    found = minutes(jobs, LIST | {"queued_per_user": 2}, running)
    assert found == {"0": 0, "other": 0, "1": 1, "2": 2}


# -- in which order those behind are tried -----------------------------------------------------


@pytest.mark.parametrize(
    ("filling", "at_once"),
    [
        pytest.param(0, {"a", "b"}, id="in turn"),
        pytest.param(1, {"c"}, id="the largest first"),
        pytest.param(2, {"a", "d"}, id="those that take most together; the first of them"),
    ],
)
def test_who_fills_the_gap(filling, at_once):
    sizes = {"head": 8, "a": 2, "b": 1, "c": 4, "d": 3}
    jobs = {name: job(size, 30 * MINUTE) for name, size in sizes.items()}
    running = {"r": busy(0b11100000, 30 * MINUTE)}
    asked = list(sizes.values())
    free = {0: 3, 1: 4, 2: 5}[filling]
    running["more"] = busy((1 << 5) - (1 << free), 30 * MINUTE)
    policy = EASY | {"filling": filling, "cpus": asked}
    found = minutes(jobs, policy, running, machine={"nodes": 8})
    assert {name for name, at in found.items() if at == 0} == at_once
    assert found["head"] == 30


# -- when passes are made ----------------------------------------------------------------------


@pytest.mark.parametrize("policy", [LIST, EASY, CONSERVATIVE])
def test_passes_have_beats(policy):
    jobs = {str(n): job(4, 10 * MINUTE) for n in range(3)}
    assert minutes(jobs, policy | {"every_s": 7 * MINUTE}) == {"0": 0, "1": 14, "2": 28}


def test_plans_give_way_to_who_comes_later_and_ranks_before():
    jobs = {"first": job(4, 10 * MINUTE, not_before=5 * MINUTE), "second": job(4, 10 * MINUTE)}
    found = minutes(jobs, CONSERVATIVE, {"r": busy(0b1111, 6 * MINUTE)})
    assert found == {"first": 6, "second": 16}


def test_who_ends_sooner_than_planned_makes_room_if_plans_are_forgotten():
    jobs = {"a": job(4, 10 * MINUTE, run_s=MINUTE), "b": job(4, MINUTE)}
    assert minutes(jobs, CONSERVATIVE | {"forgets": True}) == {"a": 0, "b": 1}


def test_nobody_starts_at_the_end_or_later():
    scene = Scene({"a": job(4), "b": job(4)})
    assert scene.follow(until=60, **LIST) == {"a": 0}
    assert scene.follow(until=FAR, **LIST) == {"a": 0, "b": 60}


def test_who_waits_for_a_start_that_never_comes_waits():
    jobs = {"a": job(5), "b": job(1, after=[{"people": ["a"], "started": True}])}
    assert Scene(jobs).follow(**EASY) == {}
