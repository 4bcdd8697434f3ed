"""A short slice of the campaign of bad answers, and whether it finds what it looks for."""

import pytest
from campaigns.findings import main
from campaigns.sources import PARTS


@pytest.mark.parametrize(
    ("part", "cases"), [("looks", 300), ("shrunk", 40), ("commands", 12), ("rest", 150)]
)
def test_nothing_wrong_is_believed(part, cases, capsys):
    code = main(PARTS, [part, "--cases", str(cases)])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize(("part", "cases"), [("looks", 150), ("commands", 2)])
def test_a_planted_fault_is_found(part, cases, capsys):
    code = main(PARTS, [part, "--cases", str(cases), "--seeded-fault"])
    assert code == 1, capsys.readouterr().out
