"""What a priority formula means, and that it can do nothing but arithmetic."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.errors import FormulaError
from predictor.priority.formula import compile_formula

NAMES = frozenset({"nodes", "queued_s", "user_running_jobs"})


def value(text, **values):
    return compile_formula(text, NAMES)(values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("12 / 2 / 3", 2),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("-2 * -3", 6),
        (".5 + 1. + 1e2", 101.5),
        ("2 < 3", 1),
        ("2 == 3", 0),
        ("not 1 == 2", 1),
        ("0 or 5", 5),
        ("0 and 5", 0),
        ("1 if 0 else 2 if 0 else 3", 3),
        ("if(1 > 0, 4, 5)", 4),
        ("1 / 0 if 0 else 6", 6),
        ("min(3, 1, 2) + max(3, 1, 2)", 4),
        ("abs(-2) + sqrt(9) + floor(-0.5) + ceil(0.5)", 5),
        ("log(exp(2))", 2),
        ("nodes\n\t*2", 8),
    ],
)
def test_it_computes_as_python_does(text, expected):
    assert value(text, nodes=4) == pytest.approx(expected)


def test_it_knows_which_names_it_uses():
    assert compile_formula("nodes + nodes * queued_s", NAMES).names == {"nodes", "queued_s"}


numbers = st.one_of(st.integers(0, 1000), st.floats(0, 1e6, allow_nan=False)).map(repr)
operands = st.one_of(numbers, st.sampled_from(sorted(NAMES)))


def combined(inner):
    """Expressions made of smaller ones; brackets only where chance puts them."""
    binary = st.sampled_from(["+", "-", "*", "/", "//", "%", "and", "or"])
    comparison = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
    return st.one_of(
        st.tuples(inner, binary, inner).map(" ".join),
        st.tuples(inner, comparison, inner).map(lambda parts: f"({' '.join(parts)})"),
        inner.map("({})".format),
        inner.map("-{}".format),
        inner.map("(not {})".format),
        inner.map("abs({})".format),
        st.tuples(inner, inner).map("max({0[0]}, {0[1]})".format),
        st.tuples(inner, inner, inner).map("({0[0]} if {0[1]} else {0[2]})".format),
    )


expressions = st.recursive(operands, combined, max_leaves=12)
amounts = st.fixed_dictionaries(dict.fromkeys(sorted(NAMES), st.integers(0, 10_000)))


@given(expressions, amounts)
def test_it_agrees_with_python(text, values):
    try:
        expected = float(eval(text, {"abs": abs, "max": max}, values))  # noqa: S307
    except ZeroDivisionError:
        expected = math.nan
    if math.isfinite(expected):
        assert value(text, **values) == pytest.approx(expected)
    else:
        with pytest.raises(FormulaError):
            value(text, **values)


@pytest.mark.parametrize(
    ("text", "cause", "column"),
    [
        ("", "empty", 0),
        ("   ", "empty", 0),
        ("1 +", "ends too early", 3),
        ("1 2", "expected an operator", 2),
        ("* 2", "expected a number", 0),
        ("(1", "expected ')'", 2),
        ("max(1, 2", "expected ')'", 8),
        ("max(1)", "at least two", 0),
        ("abs(1, 2)", "one value, not 2", 0),
        ("abs()", "expected a value", 4),
        ("if(1, 2)", "three values, not 2", 0),
        ("if 1", "expected '('", 3),
        ("1 if 2", "expected 'else'", 6),
        ("1 + not 2", "put brackets", 4),
        ("1 < 2 < 3", "do not chain", 6),
        ("2 * quued_s", "unknown name 'quued_s', did you mean 'queued_s'?", 4),
        ("Nodes", "did you mean 'nodes'?", 0),
        ("maxx(1, 2)", "unknown function 'maxx', did you mean 'max'?", 0),
        ("max + 1", "a function needs '('", 0),
        ("nodes(1)", "unknown function 'nodes'", 0),
        ("14d", "must not run into", 2),
        ("nodes = 1", "equality is written '=='", 6),
        ("2 ^ 3", "there is no '^'", 2),
        ("1e999", "too large", 0),
        ("nodes.real", "attributes have plain names", 5),
        ("'a'", "unexpected character", 0),
        ("1\x00", "U+0000", 1),
        ("٣ + 1", "U+0663", 0),
        ("nodes + \uff4eodes", "U+FF4E", 8),
        ("__import__('os')", "unknown function '__import__'", 0),
        ("nodes.__class__", "plain names", 5),
        ("().__class__", "expected a number", 1),
        ("lambda", "unknown name 'lambda'", 0),
        ("[1][0]", "unexpected character", 0),
        ("9**9**9", "there is no '**'", 1),
        ("nodes\n + wide", "unknown name 'wide'", 3),
    ],
)
def test_an_error_points_at_the_place(text, cause, column):
    with pytest.raises(FormulaError) as caught:
        compile_formula(text, NAMES)
    first, line, caret = str(caught.value).split("\n")
    assert cause in first
    assert caret == " " * (4 + column) + "^"
    assert line[4:].strip() in text


def test_the_caret_stays_under_its_place_in_a_long_line():
    with pytest.raises(FormulaError) as caught:
        compile_formula("1 + " * 60 + "wide" + " + 1" * 20, NAMES)
    _, line, caret = str(caught.value).split("\n")
    assert line[caret.index("^") :].startswith("wide")
    assert len(line) < 120


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        pytest.param("-" * 50_000, "at most 4000 characters", id="50,000 minus signs"),
        pytest.param("-" * 4_000, "20 deep", id="4,000 minus signs"),
        pytest.param("not " * 1_000, "20 deep", id="not"),
        pytest.param("(" * 2_000 + ")" * 2_000, "20 deep", id="brackets"),
        pytest.param("abs(" * 900, "20 deep", id="calls"),
        pytest.param("1 if 1 else " * 300, "20 deep", id="conditionals"),
        pytest.param("+".join("1" * 2_000), "more than 200", id="a long sum"),
        pytest.param(f"max({','.join('1' * 1_000)})", "more than 200", id="many arguments"),
        pytest.param("9" * 4_000, "too large", id="a long number"),
        pytest.param("1e" + "9" * 3_998, "too large", id="a long exponent"),
        pytest.param("a" * 4_000, "unknown name", id="a long name"),
        pytest.param("0" * 3_999 + "x", "must not run", id="zeros"),
        pytest.param(" " * 3_999 + "!", "negation is written", id="blanks"),
    ],
)
def test_hostile_texts_end_fast(text, cause):
    begin = time.process_time()
    with pytest.raises(FormulaError, match=cause):
        compile_formula(text, NAMES)
    assert time.process_time() - begin < 0.5


@given(st.text(max_size=200) | st.text("()+-*/%<>=!.,019eaif nots", max_size=300))
def test_any_text_gives_a_formula_or_a_formula_error(text):
    try:
        result = compile_formula(text, NAMES)(dict.fromkeys(NAMES, 1.0))
    except FormulaError:
        return
    assert math.isfinite(result)


@pytest.mark.parametrize(
    "text",
    ["1 / nodes", "1 % nodes", "sqrt(nodes - 1)", "log(nodes)", "exp(1000)", "1e308 * 10",
     "floor(1e308 * 10)", "1e308 * 10 - 1e308 * 10"],
)  # fmt: skip
def test_no_finite_value_is_an_error_on_one_line(text):
    with pytest.raises(FormulaError) as caught:
        value(text, nodes=0)
    assert "\n" not in str(caught.value)


def test_the_deepest_formula_allowed_is_computed():
    assert value("(" * 20 + "1" + ")" * 20) == 1
    assert value("+".join("1" * 100)) == 100
