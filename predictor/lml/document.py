"""What reading a document gives."""

from dataclasses import dataclass

from predictor.domain import Forecast, Snapshot
from predictor.lml.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What an LML document says."""

    snapshot: Snapshot
    forecast: Forecast | None = None
    """None: it holds none."""
    notes: tuple[Finding, ...] = ()
    """What was tolerated in reading it."""
