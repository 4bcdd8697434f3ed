"""How good similar answers were of late, over a whole table."""

import pytest

from predictor.cli.lately import lately


def job(like, jobs, error_s, held):
    return {"quality": {"like": like, "jobs": jobs, "typical_error_s": error_s, "coverage80": held}}


@pytest.mark.parametrize(
    ("jobs", "line"),
    [
        pytest.param([], "", id="no jobs"),
        pytest.param([{"quality": None}], "", id="nothing known"),
        pytest.param([job("a", 0, 9, 0.5)], "", id="nothing judged yet"),
        pytest.param(
            [job("a", 10, 1320, 0.82)] * 3 + [{"quality": None}],
            "Of late, similar answers: typical error 22 min; 80% windows held 82%.",
            id="one kind counts once",
        ),
        pytest.param(
            [job("a", 30, 60, 0.9), job("b", 10, 7200, 0.5)],
            "Of late, similar answers: typical error 1 min; 80% windows held 80%.",
            id="kinds count by how many were judged",
        ),
        pytest.param(
            [job("a", 10, 60, 1.0), job("b", 30, 9_000, 1.0)],
            "Of late, similar answers: typical error 2 h 30 min; 80% windows held 100%.",
            id="most were of the second kind",
        ),
    ],
)
def test_one_line_for_all(jobs, line):
    assert lately(jobs) == line
