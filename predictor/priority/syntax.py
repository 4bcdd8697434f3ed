"""Turn the tokens of a formula into one function of the values of its names.

A Pratt parser: operands come first, then operators as long as they bind tightly enough. It gives
closures right away, so that a formula costs one call per node and can do nothing but arithmetic.
"""

import math
import operator
from collections.abc import Callable, Mapping

from predictor.errors import FormulaError
from predictor.priority.suggestion import suggestion
from predictor.priority.tokens import Kind, Token, error_at, tokens

Values = Mapping[str, float]
Node = Callable[[Values], float]

MAX_DEPTH = 20
MAX_NODES = 200

# How tightly an operator binds its operands; as in Python.
CONDITIONAL, OR, AND, NOT, COMPARISON, SUM, PRODUCT, UNARY = range(1, 9)

LEVELS = {
    "if": CONDITIONAL,
    "or": OR,
    "and": AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), COMPARISON),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "//", "%"), PRODUCT),
}
BINARY: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
FUNCTIONS: dict[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
}
VARIADIC = frozenset({"min", "max"})


class Parser:
    """Reads one formula; `used` then holds the names it needs."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.used: set[str] = set()
        self._text = text
        self._names = names
        self._tokens = tokens(text)
        self._token = next(self._tokens)
        self._depth = 0
        self._nodes = 0

    def parse(self) -> Node:
        """Return the whole formula as a function. Raises FormulaError."""
        node = self._expression(CONDITIONAL)
        if self._token.kind is not Kind.END:
            raise self._error("expected an operator or the end of the formula")
        return node

    def _expression(self, level: int) -> Node:
        left = self._operand(level)
        while (binds := self._binding()) >= level:
            sign = self._take()
            self._count()
            left = self._joined(sign.text, binds, left)
            if binds == COMPARISON and self._binding() == COMPARISON:
                raise self._error("comparisons do not chain; write a < b and b < c")
        return left

    def _joined(self, sign: str, binds: int, left: Node) -> Node:
        if sign == "if":
            return self._rest_of_conditional(left)
        right = self._expression(binds + 1)
        if sign == "or":
            return lambda values: left(values) or right(values)
        if sign == "and":
            return lambda values: left(values) and right(values)
        work = BINARY[sign]
        return lambda values: work(left(values), right(values))

    def _rest_of_conditional(self, then: Node) -> Node:
        condition = self._expression(OR)
        self._expect("else")
        otherwise = self._nested(CONDITIONAL)
        return _choice(condition, then, otherwise)

    def _operand(self, level: int) -> Node:
        self._count()
        token = self._token
        match token.kind, token.text:
            case Kind.NUMBER, _:
                return self._number()
            case Kind.NAME, _:
                return self._name()
            case Kind.SIGN, "-" | "+":
                return self._signed()
            case Kind.WORD, "not" if level <= NOT:
                return self._negation()
            case Kind.WORD, "not":
                raise self._error("put brackets around it: (not ...)")
            case Kind.SIGN, "(":
                return self._bracketed()
            case Kind.WORD, "if":
                return self._if_call()
            case Kind.END, _:
                raise self._error("the formula ends too early: expected a number, a name or '('")
        raise self._error(f"expected a number, a name or '(', not {token.text!r}")

    def _number(self) -> Node:
        value = float(self._token.text)
        if math.isinf(value):
            raise self._error("this number is too large")
        self._take()
        return lambda values: value

    def _name(self) -> Node:
        token = self._take()
        name = token.text
        if self._token.text == "(":
            return self._call(token)
        if name not in self._names:
            hint = ", a function needs '('" if name in FUNCTIONS else suggestion(name, self._names)
            raise error_at(self._text, token.at, f"unknown name {name!r}{hint}")
        self.used.add(name)
        return operator.itemgetter(name)

    def _call(self, token: Token) -> Node:
        work = FUNCTIONS.get(token.text)
        if work is None:
            cause = f"unknown function {token.text!r}{suggestion(token.text, FUNCTIONS)}"
            raise error_at(self._text, token.at, cause)
        arguments = self._arguments()
        if token.text in VARIADIC:
            if len(arguments) < 2:
                raise error_at(self._text, token.at, f"{token.text} compares at least two values")
            return lambda values: work(argument(values) for argument in arguments)
        if len(arguments) != 1:
            raise error_at(
                self._text, token.at, f"{token.text} takes one value, not {len(arguments)}"
            )
        (only,) = arguments
        return lambda values: work(only(values))

    def _if_call(self) -> Node:
        token = self._take()
        if self._token.text != "(":
            raise self._error("expected '(': a condition is written if(c, a, b) or a if c else b")
        arguments = self._arguments()
        if len(arguments) != 3:
            raise error_at(self._text, token.at, f"if takes three values, not {len(arguments)}")
        return _choice(*arguments)

    def _arguments(self) -> tuple[Node, ...]:
        self._expect("(")
        if self._token.text == ")":
            raise self._error("expected a value")
        arguments = [self._nested(CONDITIONAL)]
        while self._token.text == ",":
            self._take()
            arguments.append(self._nested(CONDITIONAL))
        self._expect(")")
        return tuple(arguments)

    def _bracketed(self) -> Node:
        self._take()
        node = self._nested(CONDITIONAL)
        self._expect(")")
        return node

    def _signed(self) -> Node:
        sign = self._take().text
        inner = self._nested(UNARY)
        return inner if sign == "+" else lambda values: -inner(values)

    def _negation(self) -> Node:
        self._take()
        inner = self._nested(NOT)
        return lambda values: not inner(values)

    def _nested(self, level: int) -> Node:
        # Checked before going deeper: the text must not decide how high Python's stack grows.
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH} deep")
        node = self._expression(level)
        self._depth -= 1
        return node

    def _count(self) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self._error(f"more than {MAX_NODES} numbers, names and operators")

    def _binding(self) -> int:
        if self._token.text == "**":
            raise self._error("there is no '**'; a power is written x * x or exp(y * log(x))")
        return LEVELS.get(self._token.text, 0)

    def _expect(self, text: str) -> None:
        if self._token.text != text:
            raise self._error(f"expected {text!r}")
        self._take()

    def _take(self) -> Token:
        token = self._token
        self._token = next(self._tokens)
        return token

    def _error(self, cause: str) -> FormulaError:
        return error_at(self._text, self._token.at, cause)


def _choice(condition: Node, then: Node, otherwise: Node) -> Node:
    return lambda values: then(values) if condition(values) else otherwise(values)
