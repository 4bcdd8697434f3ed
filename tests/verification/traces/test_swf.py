"""Reading the Standard Workload Format."""

import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.errors import DocumentError
from predictor.swf import FIELDS, Header
from verification.traces.swf import read

LINE = " ".join(str(number) for number in range(1, 19)) + "\n"


def rows_of(trace):
    return [list(row) for row in zip(*trace.columns.values(), strict=True)]


def test_a_real_trace(excerpt):
    trace = read(excerpt)
    lines = [line for line in excerpt.read_text().splitlines() if line[0] != ";"]
    assert trace.header == Header(
        max_jobs=28490,
        max_nodes=100,
        max_procs=100,
        unix_start_time=843480031,
        time_zone_s=3600,
    )
    assert tuple(trace.columns) == FIELDS
    assert rows_of(trace) == [[int(word) for word in line.split()] for line in lines]
    assert trace.skipped == 0


def test_fields_are_chosen_and_ordered_by_name(trace_file):
    assert rows_of(read(trace_file(LINE), ("run_s", "number"))) == [[4, 1]]


def test_columns_cannot_be_changed(trace_file):
    with pytest.raises(TypeError):
        read(trace_file(LINE)).columns["number"][0] = 5


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LINE.strip(), id="no newline at the end"),
        pytest.param(LINE.replace("\n", "\r\n"), id="newlines of another system"),
        pytest.param("\n  \n" + LINE + "\n\n", id="blank lines"),
        pytest.param("\t" + LINE.replace(" ", " \t  "), id="all kinds of blanks"),
        pytest.param("; MaxProcs\n" + LINE + "  ; a comment\n;", id="comments"),
        pytest.param(LINE.replace(" 6 ", " 6.93 ").replace(" 9 ", " 9. "), id="decimals"),
        pytest.param("; Größe: ½\n".encode("latin-1") + LINE.encode(), id="a header in Latin-1"),
    ],
)
def test_lines_may_look_different(trace_file, text):
    assert rows_of(read(trace_file(text))) == [list(range(1, 19))]


def test_unknown_numbers_and_negative_ones(trace_file):
    text = LINE.replace("3", "-1", 1).replace(" 7 ", " -999999999999999 ")
    (row,) = rows_of(read(trace_file(text)))
    assert (row[2], row[6]) == (-1, -999_999_999_999_999)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("1 2 3", "18 fields expected, 3 found"),
        (LINE.strip() + " 19", "18 fields expected, more found"),
        (LINE.replace(" 4 ", " four "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " 4x "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " 1e3 "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " .5 "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " 4.5.6 "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " - "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " --4 "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " 4 ; "), "field 5 is not a number"),
        (LINE.replace(" 4 ", " ٤ "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " 4\0 "), "field 4 is not a number"),
        (LINE.replace(" 4 ", " 1000000000000000000 "), "field 4 has more than 15 digits"),
        ("9" * 4000, "field 1 has more than 15 digits"),
        ("-", "field 1 is not a number"),
    ],
)
def test_bad_lines(trace_file, line, cause):
    path = trace_file(f"; header\n\n{LINE}{line.strip()}\n{LINE}")
    with pytest.raises(DocumentError) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path}:4: {cause}: '")
    assert raised.value.line == 4
    assert str(raised.value).isascii() and str(raised.value).isprintable()
    skipping = read(path, skip_bad_lines=True)
    assert (skipping.skipped, len(rows_of(skipping))) == (1, 2)


@pytest.mark.parametrize("text", ["", "; only a header\n", "\n\n", ";"])
def test_traces_without_jobs(trace_file, text):
    assert rows_of(read(trace_file(text))) == []


@pytest.mark.parametrize(
    ("comment", "value"),
    [
        ("; MaxProcs: 128", 128),
        (";MaxProcs:128", 128),
        (";  MaxProcs :  128  ", 128),
        ("; MaxProcs: 128 (of which 8 are down)", None),
        ("; MaxProcs: -1", None),
        ("; MaxProcs: " + "9" * 400, None),
        ("; MaxProcs", None),
        ("; maxprocs: 128", None),
    ],
)
def test_the_header(trace_file, comment, value):
    assert read(trace_file(comment + "\n" + LINE)).header == Header(max_procs=value)


def test_a_comment_behind_the_first_job_is_no_header(trace_file):
    assert read(trace_file(LINE + "; MaxProcs: 5\n")).header == Header()


def test_compressed_files_of_any_name(trace_file, tmp_path):
    packed = trace_file(LINE * 3, gz=True)
    plain_name = tmp_path / "trace.swf"
    plain_name.write_bytes(packed.read_bytes())
    assert rows_of(read(packed)) == rows_of(read(plain_name)) == [list(range(1, 19))] * 3


def test_a_truncated_compressed_file(trace_file):
    path = trace_file(LINE * 1000, gz=True)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DocumentError, match="cannot be read: Compressed file ended"):
        read(path)


def test_a_damaged_compressed_file(trace_file):
    path = trace_file("".join(LINE.replace(" 4 ", f" {n} ") for n in range(999)), gz=True)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(DocumentError, match=r"trace\.swf\.gz"):
        read(path)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(DocumentError, match="none: cannot be read: No such file"):
        read(tmp_path / "none")
    with pytest.raises(DocumentError, match="cannot be read: Is a directory"):
        read(tmp_path)


@pytest.mark.parametrize("first", ["", LINE, "; comment\n"])
def test_an_endless_line_is_not_kept_in_memory(tmp_path, first):
    path = tmp_path / "endless.swf.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(first.encode())
        for _ in range(64):
            file.write(b"1 " * (1 << 19))
    tracemalloc.start()
    with pytest.raises(DocumentError, match="longer than 4096 bytes"):
        read(path)
    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()


words = st.integers(-(10**16), 10**16).map(str) | st.sampled_from(
    ["-1", "0", "007", "1.5", "-0.9", "5.", ".5", "1e5", "-", "+1", "x", "½", ";"]
)
lines = st.lists(words, max_size=20) | st.lists(words, min_size=18, max_size=18)
good = st.lists(st.integers(-(10**15) + 1, 10**15 - 1).map(str), min_size=18, max_size=18)


@given(st.lists(lines | good, max_size=40), st.sampled_from(["\n", " \r\n", "\n\n"]))
def test_any_text_as_a_slow_reader_has_it(tmp_path_factory, table, newline):
    path = tmp_path_factory.getbasetemp() / "any.swf"
    path.write_text(newline.join("  ".join(row) for row in table), newline="")
    expected = [[int(float(word)) for word in row] for row in table if is_good(row)]
    trace = read(path, skip_bad_lines=True)
    assert rows_of(trace) == expected
    comments = sum(row[:1] == [";"] for row in table)
    assert trace.skipped == sum(map(bool, table)) - comments - len(expected)


def is_good(row):
    return len(row) == 18 and all(is_number(word) for word in row)


def is_number(word):
    whole, _, decimals = word.removeprefix("-").partition(".")
    return (
        whole.isascii()
        and whole.isdigit()
        and len(whole) <= 15
        and (not decimals or decimals.isdigit())
    )


def test_lines_across_the_blocks_of_a_long_file(trace_file):
    table = [[number, *range(number % 97, number % 97 + 17)] for number in range(20_000)]
    text = "".join(" ".join(map(str, row)) + "\n" for row in table)
    assert rows_of(read(trace_file("; MaxJobs: 20000\n" + text))) == table
