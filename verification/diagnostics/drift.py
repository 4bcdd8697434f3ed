"""Whether the replica still decides as the cluster does, configuration by configuration."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from predictor.domain.durations import HOUR_S
from verification.diagnostics.watch import Watched
from verification.fidelity.scores import Decisions, share

SPAN_S = 6 * HOUR_S
"""Agreement at an instant is that of the looks of so long before."""
FALL = 0.1
"""Agreement that falls so far below what it was is drift."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A time under one configuration, and how far the replica agreed in it."""

    fingerprint: str
    since: int
    until: int
    """The instants of its first and its last look."""
    looks: int
    agreement: float | None
    """The share of all starts, real or said, on which both agree, in [0, 1]; None: no start."""
    lowest: float | None
    """The lowest agreement of any SPAN_S in it."""
    lowest_at: int | None
    """When that span ended."""
    drifted: bool
    """Whether agreement fell by FALL from what it was up to then."""


def drift(watched: Iterable[Watched], span_s: int = SPAN_S) -> tuple[Period, ...]:
    """Return the periods of a recording, in time: a new one begins with each configuration."""
    dated = sorted(watched, key=lambda one: one.at)
    return tuple(
        _period(fingerprint, list(group), span_s)
        for fingerprint, group in groupby(dated, key=lambda one: one.fingerprint)
    )


def agreement(decisions: Decisions) -> float | None:
    """Return the share of all starts, real or said, that both sides made; None without any."""
    return share(decisions.hits, decisions.hits + decisions.false + decisions.missed)


def _period(fingerprint: str, looks: Sequence[Watched], span_s: int) -> Period:
    rolled = list(_rolling(looks, span_s))
    lowest, lowest_at = min(rolled, default=(None, None))
    return Period(
        fingerprint=fingerprint,
        since=looks[0].at,
        until=looks[-1].at,
        looks=len(looks),
        agreement=agreement(Decisions.pooled(one.decisions for one in looks)),
        lowest=lowest,
        lowest_at=lowest_at,
        drifted=_fell([share_ for share_, _ in rolled]),
    )


def _rolling(looks: Sequence[Watched], span_s: int) -> Iterator[tuple[float, int]]:
    """Yield the agreement of each whole span, and when it ends."""
    window: deque[Watched] = deque()
    for one in looks:
        window.append(one)
        while window[0].at <= one.at - span_s:
            window.popleft()
        found = agreement(Decisions.pooled(each.decisions for each in window))
        if found is not None and one.at - span_s >= looks[0].at:
            yield found, one.at


def _fell(shares: Sequence[float]) -> bool:
    """Return whether one lies FALL below the mean of those before it."""
    total = 0.0
    for count, one in enumerate(shares):
        if count and one < total / count - FALL:
            return True
        total += one
    return False
