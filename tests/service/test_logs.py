import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.service.logs import FIELDS, NAME, JsonLines


def line(message: str, error=None, **fields) -> str:
    record = logging.LogRecord(NAME, logging.ERROR, "", 0, message, None, error)
    setattr(record, FIELDS, fields)
    return JsonLines().format(record)


@given(st.text(), st.text())
def test_an_event_is_one_printable_line_whatever_it_says(message, cause):
    written = line(message.replace("%", ""), cause=cause)
    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written)["cause"] == cause


def test_an_event_has_time_level_and_fields():
    told = json.loads(line("stage failed", stage="observe", seconds=2.5))
    assert told.keys() == {"time", "level", "event", "stage", "seconds"}
    assert (told["level"], told["event"], told["seconds"]) == ("error", "stage failed", 2.5)


def test_a_fault_of_ours_tells_where_it_came_from():
    with pytest.raises(ZeroDivisionError) as caught:
        _ = 1 / 0
    written = line("fault", (caught.type, caught.value, caught.tb))
    assert "\n" not in written
    assert "test_logs.py" in json.loads(written)["traceback"]
