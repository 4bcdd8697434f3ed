"""Sending one notice, once, no longer than a deadline: what all ways have in common."""

from collections.abc import Callable
from pathlib import Path

from predictor.errors import SiteError
from predictor.service.watches.watch import Notice

DEADLINE_S = 10.0
LARGEST_SECRET_BYTES = 4_096


class NotSent(Exception):
    """A notice did not get there; the message says why, and holds no secret."""

    def __init__(self, cause: str, *, again: bool) -> None:
        self.again = again
        """Whether another attempt may help."""
        super().__init__(cause)


Send = Callable[[Notice], None]


def read_secret(file: Path, least: int) -> bytes:
    """Return what a file holds, without blanks at either end.

    Raises SiteError, which does not quote it, for fewer than `least` bytes, or too many.
    """
    try:
        with file.open("rb") as opened:
            secret = opened.read(LARGEST_SECRET_BYTES + 1).strip()
    except OSError as error:
        raise SiteError(f"{file}: {error.strerror}") from error
    if not least <= len(secret) <= LARGEST_SECRET_BYTES:
        bounds = f"{least} to {LARGEST_SECRET_BYTES}"
        raise SiteError(f"{file}: expected a secret of {bounds} bytes, not {len(secret)}")
    return secret
