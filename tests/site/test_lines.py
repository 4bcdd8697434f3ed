"""On which line of a TOML text a key stands."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.site.lines import lines_of

TEXT = '''\
# a comment with [brackets] = "signs"
top = 1
"quoted key" = 'x' # = 2
a.b.c = true
many = """one
two = "2" \\"""
"""
list = [ # here
  1,

  { x = 1, y = [2, "]"] },
]
when = 1979-05-27 07:32:00

  [ table . "inner" ]
key = """"quotes""""
[[array]]
one = 1
  [array.sub]
  two = 2
  [[array.deep]]
  three = 3
[[array]]
one = """x"""
literal = \'\'\'
]\'\'\'
last = {}
'''


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ((), 1),
        (("top",), 2),
        (("quoted key",), 3),
        (("a", "b", "c"), 4),
        (("many",), 5),
        (("list",), 8),
        (("list", 0), 9),
        (("list", 1), 11),
        (("list", 1, "y"), 11),
        (("list", 1, "y", 1), 11),
        (("when",), 13),
        (("table", "inner"), 15),
        (("table", "inner", "key"), 16),
        (("array",), 17),
        (("array", 0), 17),
        (("array", 0, "one"), 18),
        (("array", 0, "sub", "two"), 20),
        (("array", 0, "deep", 0, "three"), 22),
        (("array", 1), 23),
        (("array", 1, "one"), 24),
        (("array", 1, "literal"), 25),
        (("array", 1, "last"), 27),
    ],
)
def test_where_it_stands(place, line):
    assert lines_of(TEXT)[place] == line


keys = st.text("ab-_1", min_size=1, max_size=3) | st.sampled_from(['"x.y"', "'z'", '"\\u0041"'])
strings = st.sampled_from(
    ['"a#b"', "'['", '"\\""', '"""\n"x"\n"""', "'''a\n]b'''", '""', '""""a" """', '"""\\\\"""']
)
scalars = strings | st.sampled_from(["1", "-0.5e3", "true", "inf", "07:32:00", "1979-05-27"])
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[\n" + ",# ]\n".join(items) + "\n]"),
        st.lists(st.tuples(keys, inner), max_size=2).map(
            lambda pairs: "{" + ", ".join(f"{k} = {v}" for k, v in pairs) + "}"
        ),
    ),
    max_leaves=5,
)
statements = st.one_of(
    st.tuples(st.lists(keys, min_size=1, max_size=2).map(" . ".join), values).map(" = ".join),
    keys.map("[{}]".format),
    keys.map("[[{}]] # ]]".format),
    st.sampled_from(["", "# x = 1", "  \t"]),
)


@given(st.lists(statements, max_size=8).map("\n".join))
def test_every_key_of_a_document_is_found_on_a_line_that_names_it(text):
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    lines, rows = lines_of(text), text.split("\n")
    for place in places(data, ()):
        assert place in lines
        if isinstance(place[-1], str) and place[-1] not in ("A",):
            assert place[-1] in rows[lines[place] - 1]


def places(value, at):
    """Yield the place of every key and element of a document."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, below in pairs:
        yield (*at, key)
        if isinstance(below, dict | list):
            yield from places(below, (*at, key))
