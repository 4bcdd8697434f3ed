"""One look at what the replica decides, told all but the starts, and what speaks against it."""

from dataclasses import dataclass

from predictor.site import Site
from verification.diagnostics.idle import Idle, idle_in
from verification.fidelity.history import History
from verification.fidelity.looks import HORIZON_S, look
from verification.fidelity.scores import Decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What one look brought."""

    at: int
    fingerprint: str
    """That of the configuration then."""
    decisions: Decisions
    idle: tuple[Idle, ...]
    """Nodes that it would have filled, and that stood idle."""


def watch(history: History, site: Site, number: int) -> Watched:
    """Return what the replica decides in HORIZON_S from the snapshot of that number on."""
    seen = look(history, number, HORIZON_S, site)
    return Watched(
        at=seen.since,
        fingerprint=history.snapshots[number].fingerprint,
        decisions=Decisions.of(seen.real, seen.said_at),
        idle=tuple(idle_in(history, seen)),
    )
