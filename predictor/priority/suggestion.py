"""Guess what somebody meant to write."""

from collections.abc import Iterable
from difflib import get_close_matches


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `, did you mean 'x'?` for the known word nearest to `word`; empty if none is near."""
    # The cost grows with the length, and no name of ours is longer.
    close = get_close_matches(word[:80].lower(), sorted(known), n=1)
    return f", did you mean {close[0]!r}?" if close else ""
