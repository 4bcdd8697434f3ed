"""What waiting jobs were told before, as values."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One answer to one job. Instants are UTC epoch seconds."""

    told_at: int
    likely_at: int
    low_at: int | None = None
    """The window of 80 %; None: none was told."""
    high_at: int | None = None
    moved_by: str = ""
    """What moved it since the answer before, as a clause; empty: the first, or not known."""


History = Mapping[str, tuple[Entry, ...]]
"""Answers by job id, oldest first. Of jobs that wait no more there are none."""
