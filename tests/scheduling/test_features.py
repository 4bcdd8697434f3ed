import pytest

from predictor.scheduling.features import UnsupportedConstraint, alternatives


def met(constraint: str, *features: str) -> list[bool]:
    return [one.test(frozenset(features)) for one in alternatives(constraint)]


@pytest.mark.parametrize(
    ("constraint", "features", "expected"),
    [
        ("", (), [True]),
        ("fast", ("fast",), [True]),
        ("fast", ("slow",), [False]),
        ("fast&new", ("fast",), [False]),
        ("fast|new", ("new",), [True]),
        ("a|b&c", ("a",), [False]),  # from left to right: (a|b)&c
        ("a|(b&c)", ("a",), [True]),
        ("[rack1|rack2]", ("rack2",), [False, True]),
        (" fast & ( a | b ) ", ("fast", "b"), [True]),
        ("fast&[rack1|rack2]", ("fast", "rack1"), [True, False]),
        ("[rack1|rack2]&fast", ("rack1",), [False, False]),
    ],
)
def test_which_nodes_meet_a_constraint(constraint, features, expected):
    assert met(constraint, *features) == expected


@pytest.mark.parametrize(
    "constraint",
    [
        *("[a&b]", "a&", "&a", "(a", "a)", "a b", "[a|b", "a" * 2000, "(" * 30 + "a"),
        *("a*", "a*0", "a*b", "*2", "a*2*3", "a*2|b*1", "[a*2]&b*1", "a*2&", "[a]*2", "[[a|b]]"),
        *("a*2&b*1", "c&a*2", "[c&a*2]"),
        "&".join(["[a|b]"] * 10),
    ],
)
def test_what_is_not_understood_is_refused(constraint):
    with pytest.raises(UnsupportedConstraint):
        alternatives(constraint)


@pytest.mark.parametrize(
    ("constraint", "everywhere", "groups"),
    [
        pytest.param("[a*2&b*1]", "", {"a": 2, "b": 1}, id="two counts"),
        pytest.param("a*3", "", {"a": 3}, id="one count, the other nodes are any"),
        pytest.param("[(a|b)*2&c*1]", "", {"ab": 2, "c": 1}, id="of a group in parentheses"),
    ],
)
def test_so_many_nodes_of_each_kind(constraint, everywhere, groups):
    (one,) = alternatives(constraint)
    names = "abc"
    assert [one.test(frozenset(name)) for name in names] == [
        name in (everywhere or names) for name in names
    ]
    found = {
        "".join(name for name in names if test(frozenset(name))): least
        for test, least in one.groups
    }
    assert found == groups
