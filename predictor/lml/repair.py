"""Mends the faults known of LLview's collector, which escapes nothing but double quotes.

A user's `&` or `<`, a control character or a byte of another encoding then make the whole file
not well-formed. Only `object` and `data` elements in the form that collector writes, one to a line,
are mended; in names of objects it does not even escape double quotes.
"""

import re
from typing import NamedTuple

_DATA_LINE = re.compile(
    r'^([ \t]*<data key="[^"<>&]*"[ \t]*value=")(.*)("[ \t]*/>[ \t]*)$', re.MULTILINE
)
_OBJECT_LINE = re.compile(
    r'^([ \t]*<object id="[^"<>&]*"[ \t]+name=")(.*)("[ \t]+type="[^"<>&]*"[ \t]*/>[ \t]*)$',
    re.MULTILINE,
)
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class Mended(NamedTuple):
    """A document after mending."""

    data: bytes
    """UTF-8, with the same lines."""
    lines: int
    """How many lines were changed."""


def mend(data: bytes) -> Mended:
    """Return the document with those faults mended; anything else wrong with it stays."""
    text = data.decode("utf-8", errors="replace")
    changed = 0

    def mended(found: re.Match[str]) -> str:
        nonlocal changed
        value = _BARE_AMPERSAND.sub("&amp;", found[2]).replace("<", "&lt;").replace('"', "&quot;")
        value = _FORBIDDEN.sub("\ufffd", value)
        changed += value != found[2] or "\ufffd" in value
        return found[1] + value + found[3]

    text = _DATA_LINE.sub(mended, _OBJECT_LINE.sub(mended, text))
    return Mended(text.encode(), changed)
