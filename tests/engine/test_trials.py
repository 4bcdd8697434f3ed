"""Whom a pass that looks ahead counts, of as many jobs as it may try nodes for."""

import pytest
from engine_scenes import Scene, busy, job

MOST = {"jobs_max": 2, "protected_per_partition": 1}
# nodes       50    150
# 0-2     r   | wide |
# 3           | wide |       "long" would run into "wide", and gets no slot.
THERE = {"r": busy(0b0111, 50)}


def look(jobs, running=THERE, **more):
    return Scene(jobs, running, **MOST | more).look()


def test_who_is_to_start_at_once_counts_only_where_others_leave_him_nodes():
    long = {f"long{n}": job(1, 100) for n in range(3)}
    found = look({"wide": job(4, 100)} | long | {"short": job(1, 40)})
    assert found == {"wide": 50, "short": 0}


def test_he_counts_though_somebody_is_there_now():
    found = look({"wide": job(4, 100), "vain": job(3, 40), "short": job(1, 40)})
    assert found == {"wide": 50}


SHUT = [0, [[-1, [0b1111]], [100, [0], (), 0b1111], [300, [0b1111]]]]
"""From 100 to 300 all four nodes are in maintenance."""


@pytest.mark.parametrize(
    ("width", "told"),
    [
        pytest.param(3, {"wide": 300}, id="and counts if he is left nodes then"),
        pytest.param(4, {"wide": 300, "short": 0}, id="and counts for nothing else"),
    ],
)
def test_who_would_run_into_a_maintenance_is_tried_behind_it(width, told):
    jobs = {"wide": job(width, 101), "long": job(1, 101), "short": job(1, 40)}
    assert look(jobs, {}, machine={"calendars": [SHUT]}) == told


# nodes       100    200    Where the slot ends with the window nothing is ever left to "late",
# 0, 1    r   | all  |      as that is no opening; if the slot ends sooner there is one.
# 2, 3    free
@pytest.mark.parametrize(("all_s", "told"), [(100, {"other": 0}), (50, {"late": 150})])
def test_who_may_have_a_slot_counts_if_he_is_ever_left_nodes(all_s, told):
    jobs = {
        "all": job(2, all_s, partitions=["p"]),
        "late": job(1, 150, partitions=["p"]),
        "other": job(1, 60, partitions=["q"]),
    }
    partitions = {"p": 0b0011, "q": 0b1100}
    rules = {"partitions": partitions, "window_s": 200, "protected_per_partition": 0}
    assert look(jobs, {"r": busy(0b0011, 100)}, **rules) == {"all": 100} | told


def test_the_other_tasks_of_an_array_are_tried_whatever_is_over():
    tasks = {f"t{n}": job(1, 100, array=0) for n in range(4)}
    jobs = {"first": job(1, 100)} | tasks | {"last": job(1, 100)}
    found = look(jobs, {"r": busy(0b1111, 50)}, protected_per_partition=0)
    assert found == {"first": 50, "t0": 50, "t1": 50, "t2": 50, "t3": 150}


def test_everybody_is_tried_without_a_limit():
    jobs = {f"j{n}": job(1, 40) for n in range(4)}
    assert len(look(jobs, {}, jobs_max=0, protected_per_partition=0)) == 4


@pytest.mark.parametrize(("theirs", "told"), [(2, {"late": 0}), (1, {"one": 100})])
def test_who_sees_only_nodes_of_other_users_does_not_count(theirs, told):
    own = {"cpus": 4, "alone": True}
    jobs = {
        "one": job(1, 60, partitions=["p"], tenant=1, **own),
        "late": job(1, 60, partitions=["q"], tenant=1, **own),
    }
    there = {"r": busy(0b0001, 100, tenant=theirs, **own)}
    rules = {"owners_leave": False, "partitions": {"p": 0b0001, "q": 0b1110}}
    assert look(jobs, there, **rules, jobs_max=1, protected_per_partition=0) == told
