"""Traces are streamed: in order, whatever is in them, in memory that does not grow with them."""

import time
import tracemalloc

import pytest

from predictor.errors import DocumentError
from verification.experiments.cell import Cell, experiment
from verification.experiments.jobs import Complaints, streamed, survey
from verification.experiments.machine import Group, Machine, alike

JOB = "{0} {1} -1 10 2 -1 -1 2 20 -1 1 {2} 1 1 1 1 -1 -1\n"


def jobs_of(path, machine=None):
    complaints = Complaints()
    jobs = list(streamed(path, machine or alike(4, 1), survey(path), complaints))
    return jobs, complaints


def test_memory_does_not_grow_with_the_trace(tmp_path):
    peaks = []
    for jobs in (3_000, 8_000):  # more than is read at a time
        path = tmp_path / f"{jobs}.swf"
        path.write_text("".join(JOB.format(n, 7 * n, n % 20) for n in range(jobs)))
        tracemalloc.start()
        found = experiment(
            Cell(trace=path, scheduler="easy", machine=alike(4, 1)),
            time.process_time_ns,
            tmp_path / "out.swf",
        )
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found["figures"]["jobs"] == jobs
    assert peaks[1] < 1.3 * peaks[0]  # blocks of lines are not all alike


def test_a_trace_out_of_order_is_sorted(trace_file):
    path = trace_file([(50, 1, 1, 1), (20, 1, 1, 1), (50, 2, 1, 2), (30, 1, 1, 1)])
    jobs, _ = jobs_of(path)
    assert [(job.number, job.submit_s) for job in jobs] == [(2, 0), (4, 10), (1, 30), (3, 30)]


def test_a_line_without_end_is_left_out_and_those_behind_it_are_read(trace_file):
    text = JOB.format(1, 0, 1) + "9 " * 300_000 + "\n" + JOB.format(2, 5, 1)
    jobs, complaints = jobs_of(trace_file(text))
    assert [job.number for job in jobs] == [1, 2]
    assert complaints.bad_lines == 1
    assert ":2: longer than 4096 bytes: '9 9 9" in complaints.words[0]


def test_so_many_bad_lines_are_counted_and_some_of_them_named(trace_file):
    jobs, complaints = jobs_of(trace_file("no job\n" * 1000 + JOB.format(1, 0, 1)))
    assert len(jobs) == 1
    assert complaints.bad_lines == 1000
    assert len(complaints.words) == 20


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("; MaxProcs: 4\n", "no job that was ever submitted"),
        (JOB.format(1, 0, 1).replace(" 10 2 ", " -1 2 "), "no job to replay: 1 without"),
    ],
)
def test_a_trace_without_jobs_is_refused(trace_file, text, complaint):
    with pytest.raises(DocumentError, match=complaint):
        jobs_of(trace_file(text))


def test_what_a_job_asks_for_follows_from_its_partition_and_its_memory(trace_file):
    machine = Machine(
        groups=(Group(name="a", nodes=2, has={"core": 8, "memory_kib": 100, "gpu": 2}),),
        kinds={2: {"core": 4, "gpu": 1}},
    )
    rows = [(0, 1, 6, 1, -1), (0, 1, 6, 1, 10), (0, 1, 6, 1, 10, 1, 1, 1, 2)]
    jobs, _ = jobs_of(trace_file(rows), machine)
    named = [{machine.resources[number]: amount for number, amount in job.need} for job in jobs]
    assert named == [
        {"core": 1},
        {"core": 1, "memory_kib": 10},
        {"core": 4, "gpu": 1, "memory_kib": 40},
    ]
    assert [job.units for job in jobs] == [6, 6, 2]


def test_without_a_header_the_machine_must_be_told(trace_file):
    with pytest.raises(DocumentError, match="the header does not tell MaxProcs"):
        experiment(Cell(trace=trace_file([(0, 1, 1, 1)]), scheduler="fcfs"), time.process_time_ns)
