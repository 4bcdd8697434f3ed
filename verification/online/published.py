"""What was really published while a recording was made, and whether it is all there, unchanged."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from predictor.domain.instants import rfc3339
from predictor.storage import Answered

NAME = "published"
"""The key of these answers in `Case.said`."""

WINDOWS_FOLLOW_S = 60
"""For so long after its first answers, a snapshot's windows may be published."""

Kept = tuple[Answered, str]
"""All answers of one forecast, and the hash of their document."""


def by_snapshot(kept: Iterable[Kept]) -> Mapping[int, Answered]:
    """Return what was published of each snapshot, by its instant: the first, or what soon followed.

    The same one is published again when the service begins anew, perhaps much later.
    """
    found: dict[int, Answered] = {}
    begun: dict[int, int] = {}
    for answered, _ in kept:
        first_at = begun.setdefault(answered.snapshot_at, answered.published_at)
        if answered.published_at <= first_at + WINDOWS_FOLLOW_S:
            found[answered.snapshot_at] = answered
    return found


def broken_links(kept: Iterable[Kept]) -> Iterator[str]:
    """Yield a sentence for each that does not follow the one before it. The first may: pruning."""
    for (_, before), (answered, _) in pairwise(kept):
        if answered.follows != before:
            at = rfc3339(answered.published_at)
            yield f"what was published before {at} is missing or was changed"
