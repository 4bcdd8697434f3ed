"""To how many tasks of an array a pass that looks ahead gives slots."""

import pytest
from engine_scenes import Scene, busy, job


def look(jobs, running, **more):
    return Scene(jobs, running, **more).look()


def test_of_an_array_only_tasks_count_that_get_slots():
    # Nodes 0 and 1 are free: two tasks start there, and two more get slots.
    jobs = {f"t{n}": job(1, 100, array=0) for n in range(6)} | {"last": job(1, 100)}
    told = look(jobs, {"r": busy(0b1100, 50)}, array_tasks_max=2)
    assert told == {"t0": 0, "t1": 0, "t2": 50, "t3": 50, "last": 100}


def tasks_of(array, count):
    return {
        f"{'ab'[array]}{n}": job(1, 100, array=array, partitions=["p", "q"]) for n in range(count)
    }


@pytest.mark.parametrize(
    ("others", "told"),
    [
        # Both tasks have slots in p. With one more, in q, there are more than tasks wait.
        pytest.param(0, {"a0": 50, "a1": 150}, id="and counted on"),
        pytest.param(
            2, {"a0": 50, "a1": 50, "b0": 150, "b1": 150}, id="unless others come between"
        ),
    ],
)
def test_slots_of_an_array_are_counted_from_partition_to_partition(others, told):
    jobs = tasks_of(0, 2) | tasks_of(1, others)
    parted = {"p": 0b0001, "q": 0b0110}
    assert look(jobs, {"r": busy(0b0111, 50)}, partitions=parted, by_partition=True) == told


def test_tasks_with_records_of_their_own_count_for_nothing():
    # Two such tasks come first, then those of which two may have slots.
    own = {f"own{n}": job(1, 100, array=0, apart=True) for n in range(2)}
    rest = {f"t{n}": job(1, 100, array=0) for n in range(3)}
    told = look(own | rest | {"last": job(1, 100)}, {"r": busy(0b1111, 50)}, array_tasks_max=2)
    assert told == {"own0": 50, "own1": 50, "t0": 50, "t1": 50, "last": 150}
