"""Traces for experiments, and what replays make of them."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from verification.experiments.allocators import ALLOCATORS
from verification.experiments.durations import DURATIONS
from verification.experiments.jobs import Complaints, streamed, survey
from verification.experiments.machine import alike
from verification.experiments.replay import Loop
from verification.experiments.schedulers import SCHEDULERS
from verification.experiments.state import State

EXCERPT = Path(__file__).parents[1] / "traces" / "kth-sp2-first-300.swf"
LINE = "{0} {1} -1 {2} {3} -1 -1 {3} {4} {5} 1 {6} 1 {7} {8} {9} -1 -1\n"


@dataclass
class Course:
    """What became of one job."""

    rank: int
    number: int
    submit_s: int
    start_s: int
    end_s: int
    limit_s: int
    units: int
    need: tuple
    places: tuple


class Recorder:
    """Writes down everything that happens."""

    def __init__(self):
        self.courses = []
        self.rejected = []
        self.too_large = []
        self.instants = []

    def refused(self, rank, job, too_large):
        (self.too_large if too_large else self.rejected).append(job.number)

    def dispatched(self, waiting, cpu_ns):
        assert waiting > 0

    def settled(self, now_s, waiting, wanted_cores, state):
        assert (waiting > 0) == (wanted_cores > 0)
        self.instants.append((now_s, waiting, state.busy_cores))

    def ended(self, rank, running):
        job = running.queued.job
        self.courses.append(
            Course(
                rank, job.number, job.submit_s, running.start_s, running.end_s, job.limit_s,
                job.units, job.need, tuple(running.places),
            )
        )  # fmt: skip

    @property
    def starts(self):
        return [one.start_s for one in sorted(self.courses, key=lambda one: one.rank)]


def text_of(rows):
    """Return a trace of (submit, run, procs, limit[, memory, user, program, queue, partition])."""
    usual = (0, 0, 0, 0, -1, 1, -1, 1, 1)
    full = ((*row, *usual[len(row) :]) for row in rows)
    return "".join(LINE.format(number, *row) for number, row in enumerate(full, 1))


@pytest.fixture(scope="session")
def excerpt():
    """The first 300 jobs of a real trace; see the README of `traces`."""
    return EXCERPT


@pytest.fixture
def trace_file(tmp_path):
    """Write a trace of such rows, or of a text."""

    def write(rows):
        path = tmp_path / "trace.swf"
        path.write_text(rows if isinstance(rows, str) else text_of(rows))
        return path

    return write


@pytest.fixture
def replayed(trace_file):
    """Replay a trace, or rows, and return what was written down."""

    def replay(
        trace, machine=None, *, scheduler="fcfs", allocator="first-fit", durations="limit",
        rate=None, seed=1, complaints=None,
    ):  # fmt: skip
        path = trace if isinstance(trace, Path) else trace_file(trace)
        machine = machine or alike(4, 1)
        state, recorder = State(machine), Recorder()
        made = scheduler if callable(scheduler) else SCHEDULERS[scheduler]
        loop = Loop(
            state, made(machine), ALLOCATORS[allocator](state, seed), DURATIONS[durations](),
            recorder, lambda: 0, rate,
        )  # fmt: skip
        loop.run(streamed(path, machine, survey(path), complaints or Complaints()))
        return recorder

    return replay
