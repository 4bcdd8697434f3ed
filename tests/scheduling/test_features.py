import pytest

from predictor.scheduling.features import UnsupportedConstraint, alternatives


def met(constraint: str, *features: str) -> list[bool]:
    return [test(frozenset(features)) for test in alternatives(constraint)]


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
    ],
)
def test_which_nodes_meet_a_constraint(constraint, features, expected):
    assert met(constraint, *features) == expected


@pytest.mark.parametrize(
    "constraint",
    ["a*2&b*1", "[a&b]", "a&", "&a", "(a", "a)", "a b", "[a|b", "a" * 2000, "(" * 30 + "a"],
)
def test_what_is_not_understood_is_refused(constraint):
    with pytest.raises(UnsupportedConstraint):
        alternatives(constraint)
