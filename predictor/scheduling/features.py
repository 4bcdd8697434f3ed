"""Feature constraints: `a&b`, `a|b`, `[a|b]`: the same on all nodes, `[a*2&b*1]`: counts."""

import re
from collections.abc import Callable
from dataclasses import dataclass

FeatureTest = Callable[[frozenset[str]], bool]

TOKEN = re.compile(r"\s*([&|()*]|\[|\]|[^&|()\[\]*\s]+)")
MAX_LENGTH = 1000
MAX_DEPTH = 20
MOST_ALTERNATIVES = 64


class UnsupportedConstraint(ValueError):
    """A constraint is malformed or of a kind that is not modelled; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One way to meet a constraint."""

    test: FeatureTest
    """What every node must pass."""
    groups: tuple[tuple[FeatureTest, int], ...] = ()
    """So many nodes must pass each of these as well; none counts twice."""


def alternatives(constraint: str) -> tuple[Alternative, ...]:
    """Return the ways to meet a constraint; all of a job's nodes must meet the same one.

    Several only for `[a|b]`. An empty constraint is met by every node. Raises
    UnsupportedConstraint for `[a&b]` without counts and for anything malformed.
    Source: sbatch(1), `--constraint`.
    """
    text = constraint.strip()
    if not text:
        return (Alternative(test=_anything),)
    if len(text) > MAX_LENGTH:
        raise UnsupportedConstraint("longer than any constraint we read")
    tokens = TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s", "", text):
        raise UnsupportedConstraint("a sign that has no meaning here")
    if "*" in tokens:
        return (_counted(tokens),)
    return _either(tokens) if "[" in tokens else (Alternative(test=_test(tokens)),)


def _either(tokens: list[str]) -> tuple[Alternative, ...]:
    """Return the alternatives of a constraint of which brackets are a term."""
    found: tuple[Alternative, ...] = (Alternative(test=_anything),)
    for term in _split(tokens, "&"):
        if term[:1] != ["["]:
            options = [_test(term)]
        elif term[-1:] != ["]"]:
            raise UnsupportedConstraint("a bracket that is not closed")
        elif len(_split(term[1:-1], "&")) > 1:
            raise UnsupportedConstraint("sets of nodes with different features")
        else:
            options = [_test(option) for option in _split(term[1:-1], "|")]
        found = tuple(
            Alternative(test=_both(one.test, option)) for one in found for option in options
        )
        if len(found) > MOST_ALTERNATIVES:
            raise UnsupportedConstraint("too many alternatives")
    return found


def _counted(tokens: list[str]) -> Alternative:
    """Return a constraint with numbers of nodes: a single one, or one for each term in brackets.

    What else is written beside a number counts for nothing when nodes are chosen, or the job is
    refused. Source: Slurm 22.05 to 26.05.
    """
    in_brackets = tokens[0] == "[" and tokens[-1] == "]"
    if in_brackets:
        tokens = tokens[1:-1]
    if "[" in tokens or len(_split(tokens, "|")) > 1:
        raise UnsupportedConstraint("alternatives with node counts")
    groups: list[tuple[FeatureTest, int]] = []
    terms = _split(tokens, "&")
    for term in terms:
        if "*" not in term or (len(terms) > 1 and not in_brackets):
            raise UnsupportedConstraint("node counts beside other features")
        if len(term) < 3 or term[-2] != "*" or not _is_count(term[-1]):
            raise UnsupportedConstraint("a node count that is no number")
        groups.append((_test(term[:-2]), int(term[-1])))
    return Alternative(test=_anything, groups=tuple(groups))


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 10 and int(word) > 0


def _split(tokens: list[str], sign: str) -> list[list[str]]:
    """Return the pieces between a sign that stands outside all parentheses and brackets."""
    pieces: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += "([".count(token) - ")]".count(token)
        if token == sign and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces


def _test(tokens: list[str]) -> FeatureTest:
    return _Parser(tokens).parse()


class _Parser:
    """Reads `&` and `|` from left to right, as the batch system does: neither binds tighter."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
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
            term = self._term(depth)
            test = _both(test, term) if both else _any(test, term)
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
        if token in ("", "&", "|", ")", "[", "]", "*"):
            raise UnsupportedConstraint("a feature's name is missing")
        return lambda features: token in features

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._next += 1
        return token


def _anything(_features: frozenset[str]) -> bool:
    return True


def _both(left: FeatureTest, right: FeatureTest) -> FeatureTest:
    return lambda features: left(features) and right(features)


def _any(left: FeatureTest, right: FeatureTest) -> FeatureTest:
    return lambda features: left(features) or right(features)
