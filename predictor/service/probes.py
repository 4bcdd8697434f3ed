"""What jobs that nobody submitted would wait, as values."""

from collections.abc import Mapping
from dataclasses import dataclass

HALF, MOST = 0.5, 0.9
"""The chances with which a probe has started by its two waits."""

Kind = tuple[str, str]
"""A partition, and what the shape of a job is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """How long such a job would wait."""

    at: int
    """From when on, in UTC epoch seconds."""
    half_s: int
    """It has started by then with HALF."""
    most_s: int
    """The same with MOST."""


Probes = Mapping[Kind, Probe]
