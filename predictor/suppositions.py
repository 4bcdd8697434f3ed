"""Jobs that might wait, and what would become of them, as values."""

from dataclasses import dataclass

from predictor.domain import Abstention, Outlook, PendingJob

MOST = 100
"""So many suppositions are gone through at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposition:
    """A job that might wait."""

    job: PendingJob
    """Its id is that of nobody in the snapshot, nor of another supposition."""
    instead_of: str = ""
    """The id of the waiting record whose place it takes; empty: it comes in addition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """What would become of it: a start, or a refusal; neither if the time did not suffice."""

    outlook: Outlook | None = None
    refusal: Abstention | None = None
    """Why nothing can be told, or why it would never start."""
