"""A short slice of the campaign that kills, and whether it finds what it looks for."""

import pytest
from campaigns.findings import main
from campaigns.kills import PARTS


def run(*arguments, capsys):
    code = main(PARTS, arguments)
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("part", "cases"), [("storage", 30), ("races", 20), ("daemon", 2), ("pairs", 1), ("worker", 2)]
)
def test_nothing_is_lost(part, cases, capsys):
    code, told = run(part, "--cases", str(cases), capsys=capsys)
    assert code == 0, told


@pytest.mark.parametrize(("part", "cases"), [("storage", 30), ("races", 20)])
def test_a_planted_fault_is_found(part, cases, capsys):
    code, told = run(part, "--cases", str(cases), "--seeded-fault", capsys=capsys)
    assert code == 1, told
