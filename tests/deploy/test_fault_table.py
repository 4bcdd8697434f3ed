"""The table of faults is whole, and every test that it names is there."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
TABLE = (TESTS.parent / "deploy" / "FAULTS.md").read_text()
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


def rows(section):
    """Return what is done and by which tests, of the rows of a section."""
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


def sections():
    return dict(re.findall(r"^## (F\d+) [^\n]+\n(.*?)(?=^## |\Z)", TABLE, re.M | re.S))


def test_every_fault_of_the_model_is_in_it():
    assert list(sections()) == [f"F{number}" for number in range(1, 22)]


def test_whatever_is_done_has_a_test():
    for fault, section in sections().items():
        assert rows(section), fault
        for done, tests in rows(section):
            assert done.endswith("."), (fault, done)
            assert NAMED.findall(tests), (fault, done)


@pytest.mark.parametrize("file", sorted({file for file, _ in NAMED.findall(TABLE)}))
def test_every_test_that_is_named_exists(file):
    defined = {
        node.name
        for node in ast.walk(ast.parse((TESTS / file).read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name for known, name in NAMED.findall(TABLE) if known == file} <= defined
