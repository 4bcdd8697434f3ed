"""What a line of slurm.conf says: comments, continuations, quotes, and what is no line at all."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.slurm.files.lines import LONGEST_LINE, Inclusion, Line, Pair, Place, items, printed


def pairs(text):
    """Return all pairs of a text."""
    found = [item for item in items(text, "f") if isinstance(item, Line)]
    return [(pair.key, pair.value) for line in found for pair in line.pairs]


def remarks(text):
    return [str(item) for item in items(text, "f") if not isinstance(item, Line)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("A=1", [("A", "1")], id="one"),
        pytest.param("A=1 b = 2\tC= 3", [("A", "1"), ("b", "2"), ("C", "3")], id="several"),
        pytest.param("A=1 # B=2", [("A", "1")], id="a comment"),
        pytest.param(r"A=x\#1", [("A", "x#1")], id="an escaped #"),
        pytest.param(r"A=x\\#1", [("A", "x\\")], id="an escaped backslash, then a comment"),
        pytest.param('A="x # y"', [("A", '"x')], id="a comment even within quotes"),
        pytest.param('A="x  y" B=2', [("A", "x  y"), ("B", "2")], id="quotes"),
        pytest.param("A=1 \\\n  B=2", [("A", "1"), ("B", "2")], id="continued"),
        pytest.param("A=1 \\  \nB=2", [("A", "1"), ("B", "2")], id="blanks after the backslash"),
        pytest.param("A=1 # no \\\nB=2", [("A", "1")], id="a comment swallows its continuation"),
        pytest.param(
            "A=x\\\\\nB=2", [("A", "x\\"), ("B", "2")], id="an even number of backslashes"
        ),
        pytest.param("A=1\r\nB=2\r\n", [("A", "1"), ("B", "2")], id="lines of another system"),
        pytest.param("\ufeffA=1", [("A", "1")], id="a byte order mark"),
        pytest.param("A=p=1,q=2", [("A", "p=1,q=2")], id="= in a value"),
        pytest.param("A= B=3", [("A", "B=3")], id="a value on the far side of blanks"),
        pytest.param("A=", [("A", "")], id="no value"),
        pytest.param("Features+=x", [("Features", "x")], id="an operator"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_what_a_line_says(text, said):
    assert pairs(text) == said
    assert remarks(text) == []


@pytest.mark.parametrize(
    ("text", "said", "remark"),
    [
        pytest.param("A=1 oops", [("A", "1")], "f:1: expected Key=Value, not 'oops'", id="no pair"),
        pytest.param("\n\n== B=1", [], "f:3: expected Key=Value, not '== B=1'", id="its line"),
        pytest.param("A=1\\\n\0 B=2", [], "f:1: a NUL byte in 'A=1\\x00 B=2'", id="NUL"),
        pytest.param("A=\ufffd", [("A", "\ufffd")], "f:1: bytes that are no UTF-8", id="no text"),
        pytest.param("A" * (LONGEST_LINE + 1), [], "f:1: a line of more than", id="endless"),
        pytest.param("A" * LONGEST_LINE, [], "f:1: expected Key=Value, not 'AAA", id="long"),
        pytest.param("\\" * LONGEST_LINE, [], "f:1: expected Key=Value", id="backslashes"),
        pytest.param('A="' * 100_000, [("A", '"A="A=')], "", id="quotes without end"),
    ],
)
def test_what_cannot_be_read_is_named_and_left_out(text, said, remark):
    assert [(key, value[:6]) for key, value in pairs(text)] == said
    assert "".join(remarks(text)).startswith(remark)


def test_a_line_can_name_another_file():
    [found] = items(" INCLUDE   conf.d/*.conf # all", "f")
    assert found == Inclusion("conf.d/*.conf", Place("f", 1))


KEYS = st.text(string.ascii_letters + string.digits + "_.", min_size=1, max_size=12)
VALUES = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters='"\n\0\ufffd'), max_size=30
)
LINES = st.lists(
    st.lists(st.builds(Pair, KEYS, VALUES), min_size=1, max_size=4).map(tuple), max_size=5
)


@given(LINES)
def test_what_is_written_reads_as_the_same(content):
    lines = [Line(one, Place("f", number)) for number, one in enumerate(content, start=1)]
    assert list(items(printed(lines), "f")) == lines


@given(st.text(max_size=300))
def test_any_text_can_be_read(text):
    list(items(text, "f"))


@pytest.mark.parametrize("value", ['a"b', "a\nb", "a\0b"])
def test_what_no_file_can_say_is_refused(value):
    with pytest.raises(ValueError, match="no file can say"):
        printed([Line((Pair("A", value),), Place("f", 1))])
