"""Which reservation keeps a job from starting earlier."""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from predictor.domain import Cause
from predictor.scheduling.closures import Closure
from predictor.scheduling.placing import Need, Placement


def in_the_way(
    placement: Placement, closed: Sequence[Closure], cause: Cause, now: int
) -> Closure | None:
    """Return the reservation that the job waits for; None: none.

    Its own one, if that begins only later; else the last to leave its nodes, or, if the cause says
    so, licenses; else, if it says so, the first that it would run into.
    """
    needs = [placed.need for placed in placement.placed]
    names = {need.reservation for need in needs if need.reservation}
    own = [c for c in closed if c.reservation in names and now < c.start_at <= placement.start_at]
    if own:
        return min(own, key=lambda closure: closure.start_at)
    if names:
        return None
    nodes = reduce(or_, (placed.holding.nodes for placed in placement.placed))
    wanted = {name for need in needs for name, _ in need.licenses if cause is Cause.LICENSES}
    left = [
        c
        for c in closed
        if now < c.end_at <= placement.start_at
        and (c.nodes & nodes or not wanted.isdisjoint(name for name, _ in c.licenses))
    ]
    if left:
        return max(left, key=lambda closure: closure.end_at)
    return _ahead(needs, closed, now) if cause is Cause.RESERVATION else None


def _ahead(needs: Iterable[Need], closed: Sequence[Closure], now: int) -> Closure | None:
    """Return the first closure that one of the needs would run into, started now."""
    met = [
        closure
        for need in needs
        for closure in closed
        if closure.end_at > now
        and closure.start_at < now + need.duration_s
        and closure.nodes & need.candidates
    ]
    return min(met, key=lambda closure: closure.start_at, default=None)
