"""What one pass has learned about how late jobs must start.

Within a pass capacity only shrinks. So a job cannot start before an earlier one of the same kind
that wanted no more nodes for no longer, and cannot start at all where that one could not. Both
rules are exact and save most of the search.
"""

from predictor.scheduling.timeline import Need, Opening, Timeline

Kind = tuple[object, ...]


class Hints:
    """Valid for one pass over one timeline, for searches from the pass's own instant on."""

    def __init__(self) -> None:
        self._earliest: dict[Kind, list[tuple[int, int, int]]] = {}
        self._failed: dict[Kind, list[tuple[int, int]]] = {}

    def earliest(self, timeline: Timeline, need: Need, at: int) -> Opening | None:
        """Return what `timeline.earliest` returns, searching only where it can succeed."""
        known = self._earliest.setdefault(_kind(need), [])
        size, length = need.nodes, need.duration_s
        bound = max((start for n, d, start in known if n <= size and d <= length), default=at)
        opening = timeline.earliest(need, max(bound, at))
        if opening is not None and opening.start_at > bound:
            start = opening.start_at
            # Keep only what says more than the new entry.
            known[:] = [k for k in known if not (k[0] >= size and k[1] >= length and k[2] <= start)]
            known.append((size, length, start))
        return opening

    def opening_at(self, timeline: Timeline, need: Need, at: int) -> Opening | None:
        """Return what `timeline.opening_at` returns; asks only if nobody smaller has failed."""
        failed = self._failed.setdefault(_kind(need), [])
        size, length = need.nodes, need.duration_s
        if any(n <= size and d <= length for n, d in failed):
            return None
        opening = timeline.opening_at(need, at)
        if opening is None:
            failed[:] = [f for f in failed if not (f[0] >= size and f[1] >= length)]
            failed.append((size, length))
        return opening


def _kind(need: Need) -> Kind:
    wanted = need.required, need.groups
    return need.shape, need.candidates, wanted, need.reservation, need.licenses
