"""What is refused before any XML parser sees it, in one quick look at the bytes.

The parser behind it has limits of its own (depth 256, 10 MB of text): ours are tighter.
"""

import re
from collections.abc import Iterator

from predictor.errors import DocumentError

MOST_BYTES = 256 * 2**20
MOST_ELEMENTS = 5_000_000
LONGEST_ATTRIBUTE = 64 * 2**10
ENCODINGS = frozenset({"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "latin1"})

_UTF8_MARK = b"\xef\xbb\xbf"
_OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff")
_DECLARATION = re.compile(rb"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([^\"']{1,40})[\"']")
_DTD = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)", re.IGNORECASE)
# A value holds no "<", so each attempt ends at the next one: linear, whatever the document.
_LONG_VALUE = re.compile(
    rb"""=\s{0,9}(?:"[^"<]{%d}|'[^'<]{%d})""" % (LONGEST_ATTRIBUTE + 1, LONGEST_ATTRIBUTE + 1)
)


def admit(data: bytes, place: str) -> bytes:
    """Return `data` without its byte-order mark. Raises DocumentError if it must not be parsed."""
    if len(data) > MOST_BYTES:
        cause = f"{len(data)} bytes are more than the {MOST_BYTES} allowed"
        raise DocumentError(cause, place=place)
    if data.startswith(_OTHER_MARKS):
        raise DocumentError("UTF-16 or UTF-32; LML is UTF-8", place=place, line=1)
    data = data.removeprefix(_UTF8_MARK)
    for cause, at in _faults(data):
        if at is not None:
            raise DocumentError(cause, place=place, line=data.count(b"\n", 0, at) + 1)
    if data.count(b"<") - data.count(b"</") > MOST_ELEMENTS:
        raise DocumentError(f"more than {MOST_ELEMENTS} elements", place=place)
    return data


def _faults(data: bytes) -> Iterator[tuple[str, int | None]]:
    """Yield each fault that a document may have and where it has it; None: nowhere."""
    yield "no XML: it does not begin with '<'", None if data[:999].lstrip()[:1] == b"<" else 0
    nul = data.find(b"\0")
    yield "a NUL byte; is this UTF-16, or no text at all?", None if nul < 0 else nul
    declared = _DECLARATION.match(data)
    known = declared is None or declared[1].decode("latin-1").lower() in ENCODINGS
    yield "an encoding other than UTF-8, US-ASCII and ISO-8859-1", None if known else 0
    dtd = _DTD.search(data)
    yield "a document type definition; LML has none, and none is allowed", dtd and dtd.start()
    long = _LONG_VALUE.search(data)
    yield f"an attribute value of more than {LONGEST_ATTRIBUTE} bytes", long and long.start()
