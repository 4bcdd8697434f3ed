"""Replays are the same whether their inner loops run compiled or as plain Python."""

import os
import tempfile
from pathlib import Path

import pytest
from engine.conftest import pure_python, same_in_both
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.engine.kind import PACKAGES, kind_of
from predictor.errors import QueuecastError
from verification.experiments.allocators import ALLOCATORS
from verification.experiments.cell import Cell, experiment
from verification.experiments.machine import CORE, MEMORY, Group, Machine, alike
from verification.experiments.schedulers import APART, SCHEDULERS

__all__ = ["pure_python", "same_in_both"]

LINE = "{} {} -1 {} {} -1 -1 {} {} {} 1 {} 1 1 1 1 -1 -1\n"
NODES = 70
"""More than a word has bits."""
MACHINES = {
    "alike": alike(NODES, 2),
    "two kinds": Machine(
        groups=(
            Group(name="small", nodes=NODES - 1, has={CORE: 2, MEMORY: 8}),
            Group(name="large", nodes=1, has={CORE: 12, MEMORY: 64}),
        )
    ),
}
rows = st.lists(
    st.tuples(
        st.integers(0, 50),
        st.integers(1, 60),
        st.integers(1, 2 * NODES + 2),
        st.integers(1, 90),
        st.sampled_from([-1, 1, 5]),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=20,
)
SOON = [name for name in SCHEDULERS if name not in APART]


def replayed(rows, machine, scheduler, allocator):
    """Return what a replay came to, apart from what it cost."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder, "trace.swf")
        trace.write_text(
            "".join(
                LINE.format(number, submit, run, procs, procs, limit, memory, user)
                for number, (submit, run, procs, limit, memory, user) in enumerate(rows, 1)
            )
        )
        cell = Cell(
            trace=trace, scheduler=scheduler, allocator=allocator, machine=MACHINES[machine]
        )
        made = experiment(cell, lambda: 0)
    return [made["sha256"], made["figures"], made["curves"], made["left_out"], made["complaints"]]


@settings(deadline=None)
@given(
    rows,
    st.sampled_from(sorted(MACHINES)),
    st.sampled_from(SOON),
    st.sampled_from(sorted(ALLOCATORS)),
)
def test_both_kinds_replay_alike(same_in_both, rows, machine, scheduler, allocator):
    same_in_both(replayed, rows, machine, scheduler, allocator)


@pytest.mark.parametrize("package", PACKAGES)
def test_all_packages_run_compiled_where_that_is_required(package):
    kind = kind_of(package)
    if not kind.compiled and not os.environ.get("QUEUECAST_REQUIRE_COMPILED"):
        pytest.skip(kind.words)
    assert kind.compiled, kind.words


def test_time_that_runs_out_is_an_error():
    run_s = 10**15 - 1
    with pytest.raises(QueuecastError, match="longer than seconds are counted"):
        replayed([(0, run_s, 2 * NODES, run_s, -1, 1)] * 2400, "alike", "fcfs", "first-fit")
