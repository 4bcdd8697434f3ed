"""Schedules on machines of any kind, judged by the referee."""

import pytest
import schedule_referee as referee
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verification.experiments.allocators import ALLOCATORS
from verification.experiments.durations import DURATIONS
from verification.experiments.machine import Group, Machine, Queue, alike
from verification.experiments.schedulers import SCHEDULERS

MIXED = Machine(
    groups=(
        Group(name="thin", nodes=3, has={"core": 4, "memory_kib": 100}),
        Group(name="gpu", nodes=2, has={"core": 4, "memory_kib": 200, "gpu": 2}),
        Group(name="mic", nodes=1, has={"core": 4, "memory_kib": 100, "mic": 2}),
    ),
    kinds={
        2: {"core": 1, "gpu": 1},
        3: {"core": 2, "mic": 1},
        4: {"core": 4},
    },
    queues={1: Queue(priority=5, expected_wait_s=60), 2: Queue(expected_wait_s=600)},
    grid=(2, 3),
    leaf_nodes=2,
)
RULES = [name for name in SCHEDULERS if not name.startswith(("ideal", "co-"))]
"""Whoever neither searches for a plan nor needs a machine of halves."""
MACHINES = {"alike": alike(3, 4), "mixed": MIXED}

jobs = st.tuples(
    st.integers(0, 60),  # submit
    st.integers(1, 30),  # run
    st.integers(1, 9),  # processors
    st.integers(1, 45),  # limit
    st.sampled_from([-1, 10, 60]),  # memory
    st.integers(1, 2),  # user
    st.integers(1, 2),  # program
    st.integers(1, 2),  # queue
    st.integers(1, 4),  # partition
)
traces = st.lists(jobs, min_size=1, max_size=20)
crowds = st.lists(
    st.tuples(
        st.integers(0, 12),
        st.integers(1, 30),
        st.sampled_from([1, 2, 3, 4, 6, 9, 12]),
        st.sampled_from([0, 0, 40]),  # mostly, limits are met exactly
        st.sampled_from([-1, -1, 50]),
        st.just(1),
        st.just(1),
        st.just(1),
        st.sampled_from([1, 1, 2, 4]),
    ),
    min_size=4,
    max_size=12,
)
"""Who comes while most of the machine is taken, so that somebody is soon blocked."""
searched = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
machines = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


@machines
@pytest.mark.parametrize("scheduler", RULES)
@given(trace=traces, allocator=st.sampled_from(list(ALLOCATORS)))
@searched
def test_everybody_runs_and_nobody_holds_more_than_there_is(
    replayed, machine, scheduler, trace, allocator
):
    found = replayed(trace, machine, scheduler=scheduler, allocator=allocator)
    assert len(found.courses) + len(found.too_large) + len(found.rejected) == len(trace)
    assert not found.rejected or scheduler == "rejecting"
    referee.judge_capacity(machine, found.courses)
    assert found.instants[-1][1:] == (0, 0)  # nobody waits, nothing is held


@machines
@given(trace=traces, allocator=st.sampled_from(list(ALLOCATORS)))
@searched
def test_fcfs_lets_nobody_pass_and_starts_the_first_once_it_fits(
    replayed, machine, trace, allocator
):
    referee.judge_fcfs(machine, replayed(trace, machine, allocator=allocator).courses)


@machines
@pytest.mark.parametrize("scheduler", ["easy", "easy-sjf"])
@given(trace=crowds, allocator=st.sampled_from(list(ALLOCATORS)))
@settings(searched, max_examples=80)
def test_easy_never_delays_the_first_of_those_who_wait(
    replayed, machine, scheduler, trace, allocator
):
    found = replayed(trace, machine, scheduler=scheduler, allocator=allocator)
    referee.judge_easy(machine, found.courses)


@machines
@given(trace=traces, kept=st.integers(1, 19))
@searched
def test_conservative_promises_hold_whoever_comes_later(replayed, machine, trace, kept):
    ordered = sorted(trace, key=lambda row: row[0])
    whole = replayed(ordered, machine, scheduler="conservative", durations="true")
    some = replayed(ordered[:kept], machine, scheduler="conservative", durations="true")
    starts = {one.number: one.start_s for one in whole.courses}
    assert all(starts[one.number] == one.start_s for one in some.courses)


@machines
@pytest.mark.parametrize("scheduler", [name for name in RULES if name != "rejecting"])
@pytest.mark.parametrize("durations", DURATIONS)
@given(trace=traces)
@settings(searched, max_examples=4)
def test_all_durations_end_well(replayed, machine, scheduler, durations, trace):
    found = replayed(trace, machine, scheduler=scheduler, durations=durations)
    assert len(found.courses) + len(found.too_large) == len(trace)
    referee.judge_capacity(machine, found.courses)
