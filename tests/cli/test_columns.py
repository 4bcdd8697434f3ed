import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.cli.columns import columns, comma_separated, layout, lines, ordered
from predictor.cli.terminal import plain

JOB = {
    "job_id": "7",
    "partition": "batch",
    "name": "relax",
    "user": "ada",
    "account": "",
    "qos": "",
    "state": "pending",
    "nodes": 2,
    "limit_s": 600,
    "likely_start": None,
    "started_at": None,
    "nodelist": "",
    "rank": None,
    "ahead": None,
    "cause": None,
    "not_predicted_reason": "held",
    "p10": None,
    "p90": None,
    "deadline": None,
}
KNOWN = columns(str)


def one(spec: str, **changes: object) -> str:
    (line,) = lines([{**JOB, **changes}], layout(spec, KNOWN), heading=False)
    return line


@pytest.mark.parametrize(
    ("limit_s", "text"),
    [
        (59, "0:59"),
        (600, "10:00"),
        (3_600, "1:00:00"),
        (93_784, "1-02:03:04"),
        ("UNLIMITED", "UNLIMITED"),
        (None, "N/A"),
    ],
)
def test_limits_are_written_as_squeue_does(limit_s, text):
    assert one("%l", limit_s=limit_s) == text


@pytest.mark.parametrize(
    ("state", "short"), [("running", "R"), ("node_fail", "NF"), ("something_new", "SO")]
)
def test_states_have_short_names(state, short):
    assert one("%t", state=state) == short


def test_widths_cut_and_fill_and_text_between_stays():
    assert one("<%4j> [%.6u] %r.") == "<rel+> [   ada] held."


def test_the_chance_has_no_column_as_long_as_nobody_names_a_deadline():
    with pytest.raises(ValueError, match="expected"):
        layout("%B", KNOWN)


@pytest.mark.parametrize(
    ("probability", "text"), [(0.0, "0%"), (0.004, "0%"), (0.784, "78%"), (0.95, "95%")]
)
def test_chances_are_whole_percents(probability, text):
    known = columns(str, deadline="18:00")
    job = {**JOB, "deadline": {"by": "", "probability": probability}}
    assert list(lines([job, JOB], layout("%B", known), heading=True)) == ["BY 18:00", text, "N/A"]


def test_windows_sort_by_their_beginning_and_those_without_come_last():
    early, late = ({**JOB, "job_id": i, "p10": f"2026-11-2{i}T10:00:00Z"} for i in "12")
    found = ordered([JOB, late, early], "W", KNOWN)
    assert [job["job_id"] for job in found] == ["1", "2", "7"]


def test_sorting_is_stable_and_by_number():
    jobs = [{**JOB, "job_id": i, "nodes": n} for i, n in (("10", 1), ("9", 2), ("2_1", 1))]
    assert [job["job_id"] for job in ordered(jobs, "D,i", KNOWN)] == ["2_1", "10", "9"]
    assert [job["job_id"] for job in ordered(jobs, "-D", KNOWN)] == ["9", "10", "2_1"]
    assert [job["job_id"] for job in ordered(jobs, "", KNOWN)] == ["10", "9", "2_1"]


@pytest.mark.parametrize("spec", ["", "plain", "%", "%i %", "%Z", "%.i%"])
def test_wrong_formats_are_refused(spec):
    with pytest.raises(ValueError, match="expected"):
        layout(spec, KNOWN)


def test_who_is_ahead_in_jobs_and_node_hours():
    many, few = ({"jobs": 44, "node_hours": 9100.0}, {"jobs": 300, "node_hours": 0.5})
    assert (one("%A"), one("%A", ahead=many)) == ("N/A", "44 / 9.1k nh")
    for_programs = columns(str, exact=True)
    rows = list(lines([{**JOB, "ahead": many}], layout("%A", for_programs), heading=True))
    assert rows == ["AHEAD (JOBS / NODE-H)", "44 / 9100"]
    found = ordered([{**JOB, "ahead": many}, {**JOB, "ahead": few}, JOB], "-A", KNOWN)
    assert [job["ahead"] for job in found] == [many, few, None]


@pytest.mark.parametrize(
    ("node_hours", "text"),
    [
        *((0, "0.0"), (0.04, "0.0"), (9.94, "9.9"), (9.96, "10"), (410.2, "410"), (999.4, "999")),
        *((999.6, "1.0k"), (9_100, "9.1k"), (12_345, "12k"), (3_456_789, "3.5M"), (5e15, "5000T")),
    ],
)
def test_node_hours_ahead_are_short(node_hours, text):
    assert one("%A", ahead={"jobs": 3, "node_hours": node_hours}) == f"3 / {text} nh"


@given(st.lists(st.text(), min_size=2, max_size=2))
def test_what_a_spreadsheet_reads_is_text_and_never_a_formula(names):
    jobs = [{**JOB, "name": name, "user": name.strip() + ',"'} for name in names]
    told = list(comma_separated(jobs, layout("%i %j %u", KNOWN), heading=True))
    heading, *rows = csv.reader(told, strict=True)
    assert heading == ["JOBID", "NAME", "USER"]
    assert [row[0] for row in rows] == ["7", "7"]
    assert all(len(row) == 3 for row in rows)
    assert not any(cell[:1] in tuple("=+-@\t\r") for row in rows for cell in row if cell)
    assert all(plain(line) == line for line in told)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *((name, f"'{name}") for name in ("=1+1", "+1", "-1", "@SUM(A1)", " =1", "\uff1d1")),
        *(("\t=1", "?=1"), ("\r=1", "?=1")),
    ],
)
def test_a_formula_is_disarmed(name, shown):
    told = list(comma_separated([{**JOB, "name": name}], layout("%j", KNOWN), heading=False))
    assert told == [f'"{shown}"']
