"""Feature constraints: `a&b`, `a|b`, parentheses, and `[a|b]` for "the same on all nodes"."""

import re
from collections.abc import Callable

FeatureTest = Callable[[frozenset[str]], bool]

TOKEN = re.compile(r"\s*([&|()]|[^&|()\[\]*\s]+)")
MAX_LENGTH = 1000
MAX_DEPTH = 20


class UnsupportedConstraint(ValueError):
    """A constraint is malformed or of a kind that is not modelled; the message says which."""


def alternatives(constraint: str) -> tuple[FeatureTest, ...]:
    """Return the ways to meet a constraint; all of a job's nodes must meet the same one.

    Several only for `[a|b]`. An empty constraint is met by every node. Raises
    UnsupportedConstraint for node counts (`a*4&b*2`), nested brackets and anything malformed.
    Source: sbatch(1), `--constraint`.
    """
    text = constraint.strip()
    if not text:
        return (lambda _features: True,)
    if len(text) > MAX_LENGTH:
        raise UnsupportedConstraint("longer than any constraint we read")
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1]
        if "&" in inner:
            raise UnsupportedConstraint("sets of nodes with different features")
        return tuple(_Parser(part).parse() for part in inner.split("|"))
    if "*" in text or "[" in text:
        raise UnsupportedConstraint("node counts per feature")
    return (_Parser(text).parse(),)


class _Parser:
    """Reads `&` and `|` from left to right, as the batch system does: neither binds tighter."""

    def __init__(self, text: str) -> None:
        self._tokens = TOKEN.findall(text)
        if "".join(self._tokens) != re.sub(r"\s", "", text):
            raise UnsupportedConstraint("a sign that has no meaning here")
        self._next = 0

    def parse(self) -> FeatureTest:
        test = self._expression(0)
        if self._next != len(self._tokens):
            raise UnsupportedConstraint("more than one constraint")
        return test

    def _expression(self, depth: int) -> FeatureTest:
        test = self._term(depth)
        while self._peek() in ("&", "|"):
            both = self._take() == "&"
            test = _combined(test, self._term(depth), both)
        return test

    def _term(self, depth: int) -> FeatureTest:
        token = self._take()
        if token == "(":  # noqa: S105
            if depth == MAX_DEPTH:
                raise UnsupportedConstraint("too many parentheses")
            test = self._expression(depth + 1)
            if self._take() != ")":
                raise UnsupportedConstraint("a parenthesis that is never closed")
            return test
        if token in ("", "&", "|", ")"):
            raise UnsupportedConstraint("a feature's name is missing")
        return lambda features: token in features

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._next += 1
        return token


def _combined(left: FeatureTest, right: FeatureTest, both: bool) -> FeatureTest:
    if both:
        return lambda features: left(features) and right(features)
    return lambda features: left(features) or right(features)
