r"""Reversible spellings for text that XML or a list cannot hold as it is.

A whole value stays as it is unless it holds a control character or one that XML 1.0 forbids, or
begins with a backslash. Then it is flagged by a leading backslash, and such characters stand in it
as `\uXXXX`, a backslash as `\\`. Empty text, where it must be written at all, is the bare flag.

An item of a list has the list's own marks `%,()=` and the same characters as `%XX` or `%uXXXX`;
an empty item is a bare `%`.
"""

import re

_UNWRITABLE = "\x00-\x1f\ud800-\udfff\ufffe\uffff"
_NEEDS_FLAG = re.compile(rf"^\\|[{_UNWRITABLE}]")
_TO_FLAG = re.compile(rf"[\\{_UNWRITABLE}]")
_FLAGGED = re.compile(r"\\(?:\\|u([0-9a-f]{4}))")
_TO_PERCENT = re.compile(rf"[%,()={_UNWRITABLE}]")
_PERCENT = re.compile(r"%(?:u([0-9A-F]{4})|([0-9A-F]{2}))")
_TO_QUOTE = re.compile('[&<>"]')
_QUOTED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def flagged(text: str) -> str:
    """Return a whole value's spelling."""
    if text and not _NEEDS_FLAG.search(text):
        return text
    return "\\" + _TO_FLAG.sub(_flag_one, text)


def unflagged(text: str) -> str:
    """Return the text of a whole value's spelling."""
    if not text.startswith("\\"):
        return text
    return _FLAGGED.sub(lambda found: chr(int(found[1], 16)) if found[1] else "\\", text[1:])


def item(text: str) -> str:
    """Return the spelling of one item of a list."""
    if not text:
        return "%"
    return _TO_PERCENT.sub(_percent_one, text)


def unitem(text: str) -> str:
    """Return the text of one item of a list."""
    if "%" not in text:
        return text
    if text == "%":
        return ""
    return _PERCENT.sub(lambda found: chr(int(found[1] or found[2], 16)), text)


def items(texts: tuple[str, ...]) -> str:
    """Return the spelling of a list, its items parted by commas."""
    joined = ",".join(texts)
    # The common case costs one look at the joined text instead of one at each item.
    if not _TO_PERCENT.search(joined.replace(",", "")) and _parts_stay(joined, texts):
        return joined
    return ",".join(map(item, texts))


def unitems(text: str) -> tuple[str, ...]:
    """Return the items of a list's spelling; no text is no items."""
    if not text:
        return ()
    parts = text.split(",")
    return tuple(map(unitem, parts)) if "%" in text else tuple(parts)


def quoted(text: str) -> str:
    """Return `text` as it stands between the double quotes of an XML attribute."""
    if not _TO_QUOTE.search(text):
        return text
    return _TO_QUOTE.sub(lambda found: _QUOTED[found[0]], text)


def _parts_stay(joined: str, texts: tuple[str, ...]) -> bool:
    return joined.count(",") == len(texts) - 1 and "" not in texts


def _flag_one(found: re.Match[str]) -> str:
    char = found[0]
    return "\\\\" if char == "\\" else f"\\u{ord(char):04x}"


def _percent_one(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"%{code:02X}" if code < 0x100 else f"%u{code:04X}"
