"""On a pool of processors, experiments and the compiled replay of traces make the same of jobs."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verification.experiments.machine import Machine, alike
from verification.traces.replay import Policy, replay

SAME = {"fcfs": Policy.FCFS, "easy": Policy.EASY, "conservative": Policy.CONSERVATIVE}
MACHINES = [alike(1, 100), alike(100, 1), alike(25, 4)]
BY_NODE = Machine(groups=alike(4, 2).groups, kinds={2: {"core": 2}})
"""Might have jobs of another kind, so that nothing is merely counted; but none comes."""

jobs = st.tuples(
    st.integers(0, 40), st.integers(1, 30), st.integers(1, 8), st.integers(1, 40)
)  # submit, run, processors, limit


@pytest.mark.parametrize("machine", MACHINES, ids=["one node", "nodes of one core", "of four"])
@pytest.mark.parametrize("allocator", ["first-fit", "best-fit"])
@pytest.mark.parametrize("scheduler", SAME)
def test_a_real_trace(replayed, excerpt, scheduler, allocator, machine):
    found = replayed(excerpt, machine, scheduler=scheduler, allocator=allocator)
    assert found.starts == list(replay(excerpt, SAME[scheduler], procs=100).starts)


@pytest.mark.parametrize(
    ("machine", "scheduler"),
    [
        *((alike(4, 2), name) for name in SAME),
        # Reservations node by node hold nodes: conservative ones then leave less to others.
        *((BY_NODE, name) for name in ("fcfs", "easy")),
    ],
)
@given(rows=st.lists(jobs, min_size=1, max_size=25))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_drawn_jobs(replayed, trace_file, machine, scheduler, rows):
    path = trace_file(rows)
    found = replayed(path, machine, scheduler=scheduler)
    assert found.starts == list(replay(path, SAME[scheduler], procs=8).starts)
    assert not found.too_large
