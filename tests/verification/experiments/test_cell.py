"""One experiment: its figures are those of the courses that jobs took."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verification.experiments.cell import Cell, experiment
from verification.experiments.machine import alike
from verification.measures import MEASURES, Ran, Watch

jobs = st.tuples(
    st.integers(0, 400), st.integers(1, 300), st.integers(1, 8), st.integers(1, 400)
)  # submit, run, processors, limit


def ran(course):
    return Ran(
        id=str(course.number),
        submit_at=course.submit_s,
        start_at=course.start_s,
        end_at=course.end_s,
        cpus=course.units,
        node_names=tuple(str(node) for node, _ in course.places),
        classes={"user": "1"},
    )


@given(rows=st.lists(jobs, min_size=1, max_size=25))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_figures_are_the_measures_of_the_courses(replayed, trace_file, rows):
    path, machine = trace_file(rows), alike(4, 2)
    courses = [ran(one) for one in replayed(path, machine).courses]
    until = max(one.end_at for one in courses)
    watch = Watch(since=0, until=until, cpus=8, node_cpus=dict.fromkeys("0123", 2))
    found = experiment(Cell(trace=path, scheduler="fcfs", machine=machine), time.process_time_ns)
    for name in MEASURES.keys() - {"throughput_per_h"}:
        # Waits of more than two minutes are told in classes.
        exact = MEASURES[name].of(courses, watch)
        assert found["figures"][name] == pytest.approx(exact, rel=0.016), name


def test_the_schedule_is_written_as_a_trace_of_its_own(excerpt, tmp_path):
    cell = Cell(trace=excerpt, scheduler="fcfs", machine=alike(100, 1))
    first = experiment(cell, time.process_time_ns, tmp_path / "out.swf")
    text = (tmp_path / "out.swf").read_text()
    rows = [list(map(int, line.split())) for line in text.splitlines() if line[0] != ";"]
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    assert sum(row[2] for row in rows) / len(rows) == first["figures"]["mean_wait_s"]
    again = experiment(Cell(trace=tmp_path / "out.swf", scheduler="fcfs"), time.process_time_ns)
    assert again["sha256"] == first["sha256"]
    assert [one.name for one in tmp_path.iterdir()] == ["out.swf"]


def test_a_full_disk_costs_the_trace_written_but_no_figure(excerpt, tmp_path):
    cell = Cell(trace=excerpt, scheduler="fcfs", machine=alike(100, 1))
    (tmp_path / ".out.swf.part").symlink_to("/dev/full")
    found = experiment(cell, time.process_time_ns, tmp_path / "out.swf")
    assert found["complaints"] == [
        f"{tmp_path / 'out.swf'}: No space left on device: the schedule was not written"
    ]
    assert found["figures"]["jobs"] == 300
    assert list(tmp_path.iterdir()) == []
