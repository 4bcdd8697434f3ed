"""Dates as other programs write them, besides LML's own two forms."""

import re
from datetime import UTC, datetime

from predictor.lml.codec import local_seconds

_EPOCH = re.compile(r"[0-9]{9,11}(?:\.[0-9]+)?", re.ASCII)
_FORMS = (
    "%a %b %d %H:%M:%S %Y",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%m/%d/%y-%H:%M",
    "%m/%d/%y %H:%M:%S",
)
"""Source: `ctime`, and LML_da's drivers for batch systems older than LLview's."""


def utc_of(text: str, offset_s: int) -> int:
    """Return the UTC epoch seconds of a date; local time is `offset_s` ahead. Raises ValueError.

    Epoch seconds and dates with a zone tell UTC themselves.
    """
    if _EPOCH.fullmatch(text):
        return int(float(text))
    try:
        return local_of(text) - offset_s
    except ValueError:
        read = datetime.fromisoformat(text)
        if read.tzinfo is None:
            raise
        return int(read.timestamp())


def local_of(text: str) -> int:
    """Return the seconds of a local date without zone. Raises ValueError."""
    try:
        return local_seconds(text)
    except ValueError:
        for form in _FORMS:
            try:
                return int(datetime.strptime(text, form).replace(tzinfo=UTC).timestamp())
            except ValueError:
                continue
        raise
