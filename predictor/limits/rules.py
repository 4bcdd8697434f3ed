"""One limit that binds jobs of a sort: what is limited, of whom, and to how much."""

from dataclasses import dataclass

from predictor.limits.blocked import Bound, Scope
from predictor.limits.groups import Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A limit; see `Blocked` for the units."""

    bound: Bound
    scope: Scope
    resource: str = ""
    """The TRES; empty where jobs or wall time are counted."""
    cap: int
    group: Group | None = None
    """Whose jobs count against it; None: it is about each job by itself."""
