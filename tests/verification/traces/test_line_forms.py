"""One line of a trace is read alike by whoever reads a few and by whoever reads millions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.errors import DocumentError
from predictor.swf import FIELDS, numbers
from verification.traces.swf import read

words = st.one_of(
    st.integers(-(10**16), 10**16).map(str),
    st.sampled_from(["-1", "0", "1.5", "7.", "-", ".5", "x", "1e3", "+1", "٣", ";", ""]),
)
blanks = st.sampled_from([" ", "  ", "\t", " \r"])
lines = st.one_of(
    st.tuples(st.lists(words, min_size=17, max_size=19), blanks).map(lambda t: t[1].join(t[0])),
    st.lists(st.integers(-5, 10**15 - 1), min_size=18, max_size=18).map(
        lambda row: " ".join(map(str, row))
    ),
    st.sampled_from(["", "  ", "; MaxProcs: 8", "\t;"]),
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("traces") / "one.swf"


@given(lines)
def test_both_say_the_same(file, line):
    file.write_bytes(line.encode() + b"\n")
    try:
        found = numbers(line.encode())
    except ValueError:
        with pytest.raises(DocumentError):
            read(file)
        return
    columns = read(file).columns
    rows = [tuple(row) for row in zip(*columns.values(), strict=True)]
    assert rows == ([found] if found else [])
    assert tuple(columns) == FIELDS
