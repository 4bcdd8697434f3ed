"""How good similar answers were of late, over a whole table."""

import pytest

from predictor.cli.lately import lately, together


@pytest.mark.parametrize(
    ("known", "line"),
    [
        pytest.param({}, "", id="nothing known"),
        pytest.param({"a": (0, 9, 0.5)}, "", id="nothing judged yet"),
        pytest.param(
            {"a": (10, 1320, 0.82)},
            "Of late, similar answers: typical error 22 min; 80% windows held 82%.",
            id="one kind",
        ),
        pytest.param(
            {"a": (30, 60, 0.9), "b": (10, 7200, 0.5)},
            "Of late, similar answers: typical error 1 min; 80% windows held 80%.",
            id="kinds count by how many were judged",
        ),
        pytest.param(
            {"a": (10, 60, 1.0), "b": (30, 9_000, 1.0)},
            "Of late, similar answers: typical error 2 h 30 min; 80% windows held 100%.",
            id="most were of the second kind",
        ),
    ],
)
def test_one_line_for_all(known, line):
    assert lately(together(known)) == line
