"""What is written as a trace is read back as it was."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.swf import FIELDS, Header, header_entry, header_lines, line_of, numbers

known = st.dictionaries(st.sampled_from(FIELDS), st.integers(-1, 10**15 - 1))


@given(known)
def test_a_line_is_read_as_it_was_written(job):
    assert numbers(line_of(job)) == tuple(job.get(field, -1) for field in FIELDS)


def test_a_header_is_read_as_it_was_written():
    header = Header(max_jobs=3, max_procs=128, unix_start_time=893466664, time_zone_s=-28800)
    found = {}
    for line in header_lines(header, {"Computer": "a small one"}).splitlines():
        found |= header_entry(line)
    assert Header(**found) == header


def test_no_remark_reaches_a_line_of_its_own():
    text = header_lines(Header(), {"Note": "as\n1 2 3\r; MaxProcs: 9\u2028ü"})
    assert text == b"; Version: 2.2\n; Note: as 1 2 3 ; MaxProcs: 9 ?\n"


@pytest.mark.parametrize("value", ["-3", "", "many", "9" * 16])
def test_what_is_no_size_of_a_machine_is_left_out(value):
    assert header_entry(f"; MaxProcs: {value}".encode()) == {}


def test_clocks_may_be_behind():
    assert header_entry(b"; TimeZone: -28800") == {"time_zone_s": -28800}
    assert asdict(Header())["time_zone_s"] is None
