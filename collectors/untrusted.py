"""The cap on strings that users of a cluster control."""

import hashlib

from predictor.domain import Untrusted

MOST_BYTES = 1024
LONGEST_NAME = 1024
"""In characters. What is longer names nothing, and no attribute of a document could hold it."""


def untrusted(raw: str) -> Untrusted:
    """Return the text for the domain, at most `MOST_BYTES` long in UTF-8.

    A longer one is cut and ends in `…#` and 8 hex digits of the whole, so that two long texts
    with the same beginning stay different.
    """
    if len(raw) * 4 <= MOST_BYTES:
        return Untrusted(raw)
    encoded = raw.encode(errors="replace")
    if len(encoded) <= MOST_BYTES:
        return Untrusted(raw)
    mark = f"…#{hashlib.sha256(encoded).hexdigest()[:8]}"
    kept = encoded[: MOST_BYTES - len(mark.encode())].decode(errors="ignore")
    return Untrusted(kept + mark)
