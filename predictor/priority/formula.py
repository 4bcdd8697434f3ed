"""Priority formulas: arithmetic over a job's attributes that can do nothing else.

    1000 * xfactor + (500 if nodes >= 64 else 0) - 10 * user_running_jobs

Numbers, names, `+ - * / // %`, comparisons (1 or 0), `and or not`, `a if c else b` or
`if(c, a, b)`, and `min max abs sqrt log exp floor ceil`, all as in Python.
"""

import math
from dataclasses import dataclass, field

from predictor.errors import FormulaError
from predictor.priority.syntax import Node, Parser, Values
from predictor.priority.tokens import error_at

MAX_LENGTH = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A checked formula; call it with the values of its names."""

    text: str
    names: frozenset[str]
    """Those it uses."""
    node: Node = field(repr=False, compare=False)

    def __call__(self, values: Values) -> float:
        """Return the finite value for a job.

        Raises FormulaError where there is none: division by zero, a root or logarithm of what
        has none, or a result beyond all bounds. Costs at most one call per node.
        """
        try:
            result = float(self.node(values))
        except ZeroDivisionError:
            raise FormulaError("division by zero") from None
        except (ArithmeticError, ValueError) as error:
            raise FormulaError(f"no value: {error}") from None
        if not math.isfinite(result):
            raise FormulaError("the result is not a finite number")
        return result


def compile_formula(text: str, names: frozenset[str]) -> Formula:
    """Return the formula that `text` spells, over attributes called `names`.

    Raises FormulaError whose first line is the cause, followed by the line of the formula and a
    caret under the place. At most 4,000 characters, 200 nodes, nested 20 deep.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"a formula has at most {MAX_LENGTH} characters, this one {len(text)}")
    if not text.strip():
        raise error_at("", 0, "the formula is empty")
    parser = Parser(text, names)
    node = parser.parse()
    return Formula(text=text, names=frozenset(parser.used), node=node)
