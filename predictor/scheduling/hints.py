"""What one pass has learned about how late jobs must start.

Within a pass capacity only shrinks. So a job cannot start before an earlier one of the same kind
that wanted no more nodes for no longer. The rule is exact and saves most of the search.
"""

from predictor.scheduling.timeline import Need, Opening, Timeline

Kind = tuple[object, ...]


class Hints:
    """Valid for one pass over one timeline, for searches from the pass's own instant on."""

    def __init__(self) -> None:
        self._known: dict[Kind, list[tuple[int, int, int]]] = {}

    def earliest(self, timeline: Timeline, need: Need, at: int) -> Opening | None:
        """Return what `timeline.earliest` returns, searching only where it can succeed."""
        kind = (need.shape, need.candidates, need.required, need.reservation, need.licenses)
        known = self._known.setdefault(kind, [])
        size, length = need.nodes, need.duration_s
        bound = max((start for n, d, start in known if n <= size and d <= length), default=at)
        opening = timeline.earliest(need, max(bound, at))
        if opening is not None and opening.start_at > bound:
            start = opening.start_at
            # Keep only what says more than the new entry.
            known[:] = [k for k in known if not (k[0] >= size and k[1] >= length and k[2] <= start)]
            known.append((size, length, start))
        return opening
