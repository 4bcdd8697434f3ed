"""Limits with live counters: whether a job may start now, and which limit keeps it if not.

A `Book` knows what running jobs have taken of each limit. A `Claim` is what one job counts as.
"""

from predictor.limits.blocked import Blocked, Bound, Release, Scope, Whose
from predictor.limits.book import Book
from predictor.limits.claims import Claim, claim, running_claim
from predictor.limits.families import Reach

__all__ = [
    "Blocked",
    "Book",
    "Bound",
    "Claim",
    "Reach",
    "Release",
    "Scope",
    "Whose",
    "claim",
    "running_claim",
]
