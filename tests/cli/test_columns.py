import pytest

from predictor.cli.columns import columns, layout, lines, ordered

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
    "cause": None,
    "not_predicted_reason": "held",
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


def test_sorting_is_stable_and_by_number():
    jobs = [{**JOB, "job_id": i, "nodes": n} for i, n in (("10", 1), ("9", 2), ("2_1", 1))]
    assert [job["job_id"] for job in ordered(jobs, "D,i", KNOWN)] == ["2_1", "10", "9"]
    assert [job["job_id"] for job in ordered(jobs, "-D", KNOWN)] == ["9", "10", "2_1"]
    assert [job["job_id"] for job in ordered(jobs, "", KNOWN)] == ["10", "9", "2_1"]


@pytest.mark.parametrize("spec", ["", "plain", "%", "%i %", "%Z", "%.i%"])
def test_wrong_formats_are_refused(spec):
    with pytest.raises(ValueError, match="expected"):
        layout(spec, KNOWN)
