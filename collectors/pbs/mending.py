"""Mends the faults known of the JSON that PBS's commands print.

They print one key to a line, but older ones escape too little: double quotes inside of a value, a
backslash before anything, numbers such as `005`, environments that hold whole shell functions.
"""

import json
import re
from collections.abc import Iterator

_OPENED = re.compile(r'(\s*)"(?:Variable_List|Submit_arguments)"\s*:\s*\{\s*')
# Two repetitions of blanks beside each other would take the square of their number.
_TEXT = re.compile(r'(\s*"[^"\\]*"\s*:\s*")(.*)("\s*(?:,\s*)?)')
_BARE = re.compile(r'(\s*"[^"\\]*"\s*:\s*)([^\s"{\[][^"{\[]*)')
_TOO_MANY_ESCAPES = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_BARE_QUOTE = re.compile(r'(?<!\\)((?:\\\\)*)"')


def mended(text: str) -> str:
    """Return the answer with those faults mended, environments left out; the rest stays wrong."""
    lines: list[str] = []
    for line in _without_environments(text.split("\n")):
        if line.lstrip()[:1] in ("}", "]") and lines and lines[-1].rstrip().endswith(","):
            lines[-1] = lines[-1].rstrip()[:-1]
        lines.append(_mended(line))
    return "\n".join(lines)


def _without_environments(lines: list[str]) -> Iterator[str]:
    """Yield the lines less the environments: they end with a brace below their first one."""
    closing: str | None = None
    for line in lines:
        if closing is not None:
            closing = None if line.rstrip() in (closing, f"{closing},") else closing
        elif opened := _OPENED.fullmatch(line):
            closing = opened[1] + "}"
        else:
            yield line
    if closing is not None:
        # It never ended: neither does the answer.
        yield '"'


def _mended(line: str) -> str:
    if found := _TEXT.fullmatch(line):
        head, value, tail = found.groups()
        value = _TOO_MANY_ESCAPES.sub("", value)
        return head + _BARE_QUOTE.sub(r"\1\"", value) + tail
    if found := _BARE.fullmatch(line):
        head, rest = found.groups()
        value = rest[:1] + rest[1:].rstrip().removesuffix(",").rstrip()
        if not _is_json(value):
            return head + json.dumps(value) + rest[len(value) :]
    return line


def _is_json(word: str) -> bool:
    try:
        json.loads(word)
    except (ValueError, RecursionError):
        return False
    return True
