"""Whose limits bind a job, and what jobs count as against them.

`binding` finds for each sort of jobs the groups in which they count and the rules that bind them;
the engine counts.
"""

from predictor.limits.blocked import Blocked, Bound, Scope, Whose
from predictor.limits.claims import Claim, running_claim
from predictor.limits.families import Reach

__all__ = ["Blocked", "Bound", "Claim", "Reach", "Scope", "Whose", "running_claim"]
