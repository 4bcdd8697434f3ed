"""Cut a formula's text into tokens, and say where in the text something is wrong."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from predictor.errors import FormulaError


class Kind(Enum):
    """What a token is."""

    NUMBER = "number"
    NAME = "name"
    WORD = "word"
    """A name with a meaning of its own: `and`, `if`, ..."""
    SIGN = "sign"
    END = "end"


WORDS = frozenset({"and", "or", "not", "if", "else"})

# ASCII throughout: digits and letters of other scripts look alike and mean nothing here.
PIECE = re.compile(
    r"""[ \t\r\n]*(?:
        (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<sign>//|\*\*|==|!=|<=|>=|[-+*/%<>(),])
      | (?P<end>\Z)
      | (?P<other>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
HINTS = {
    "=": "'=' compares nothing here; equality is written '=='",
    "^": "there is no '^'; a power is written x * x or exp(y * log(x))",
    "!": "'!' stands for nothing here; negation is written 'not'",
    "&": "'&' stands for nothing here; write 'and'",
    "|": "'|' stands for nothing here; write 'or'",
    "?": "'?' stands for nothing here; write a if condition else b",
    ".": "'.' stands for nothing here; attributes have plain names",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a formula and the offset of its first character."""

    kind: Kind
    text: str
    at: int


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of `text`, an END last. Raises FormulaError at the first odd character."""
    position = 0
    while True:
        match = PIECE.match(text, position)
        if match is None or match.lastgroup is None:  # pragma: no cover - the pattern takes all
            raise error_at(text, position, "cannot read on from here")
        piece, at = match[match.lastgroup], match.start(match.lastgroup)
        position = match.end()
        match match.lastgroup:
            case "other":
                raise error_at(text, at, HINTS.get(piece, f"unexpected character {_shown(piece)}"))
            case "number" if text[position : position + 1].isalnum():
                raise error_at(text, position, "a number must not run into what follows it")
            case "name":
                yield Token(Kind.WORD if piece in WORDS else Kind.NAME, piece, at)
            case kind:
                yield Token(Kind(kind), piece, at)
        if match.lastgroup == "end":
            return


def error_at(text: str, at: int, cause: str) -> FormulaError:
    """Return the error: `cause`, then the line of `text` at offset `at`, then a caret."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start:].split("\n", 1)[0].replace("\t", " ")
    cut = max(0, at - start - 60)
    shown = line[cut : cut + 100]
    return FormulaError(f"{cause}\n    {shown}\n    {' ' * (at - start - cut)}^")


def _shown(char: str) -> str:
    return f"{char!r}" if char.isascii() and char.isprintable() else f"U+{ord(char):04X}"
