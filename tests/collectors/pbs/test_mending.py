"""What PBS prints too carelessly is mended, in no more time than its lines are long."""

import json
import time

import pytest

from collectors.pbs.mending import mended


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('"a": 005', "005"),
        ('"a": 005  ', "005"),
        ('"a": x y', "x y"),
        ('"a": 7', 7),
        ('"a": "say "no""', 'say "no"'),
    ],
)
def test_a_careless_value_is_the_text_that_was_meant(line, value):
    assert json.loads("{" + mended(line) + "}") == {"a": value}


@pytest.mark.parametrize("line", ['"a": x{}y"', '"a": "x"{}y', '"a"{}"', '{}"a'])
def test_many_blanks_take_no_time(line):
    began = time.process_time()
    mended(line.replace("{}", " " * 100_000))
    assert time.process_time() - began < 1
