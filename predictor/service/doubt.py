"""Whether a look can be believed: one that shows a cluster all but gone needs a second."""

from dataclasses import dataclass

from predictor.clock import AHEAD_S
from predictor.domain import Snapshot
from predictor.domain.instants import rfc3339
from predictor.errors import SourceError

FEW = 10
"""Fewer than so many may go at once: that happens every night on a small cluster."""
LEFT = 0.2
"""Where a smaller share of them is left than this, the look is doubted."""


class Doubtful(SourceError):
    """The look may be of a batch system that has not come up yet: it is to be confirmed."""

    kind = "doubted"


class OutOfOrder(SourceError):
    """The snapshot is older than the one believed last."""

    kind = "order"


class FromTheFuture(SourceError):
    """The snapshot is dated later than our clock can explain: one of the two clocks jumped."""

    kind = "future"


class OtherCluster(SourceError):
    """The snapshot is of another cluster than the one believed last."""

    kind = "cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much a snapshot shows."""

    cluster: str
    taken_at: int
    jobs: int
    """Those that wait or run."""
    nodes: int


def extent(snapshot: Snapshot) -> Extent:
    """Return how much the snapshot shows."""
    return Extent(
        cluster=snapshot.cluster,
        taken_at=snapshot.taken_at,
        jobs=len(snapshot.pending) + len(snapshot.running),
        nodes=len(snapshot.nodes),
    )


def doubt(seen: Extent, believed: Extent, doubted: Extent | None) -> str:
    """Return why a look is to be confirmed first; empty if it can be believed.

    `doubted` is the look just before, if that was: a second one that shows as little confirms it,
    the same one looked at again does not.
    """
    if doubted is not None and doubted.taken_at != seen.taken_at:
        return ""
    gone = [
        f"{after} of {before} {what}"
        for what, before, after in (
            ("jobs", believed.jobs, seen.jobs),
            ("nodes", believed.nodes, seen.nodes),
        )
        if before >= FEW and after < LEFT * before
    ]
    return f"only {' and '.join(gone)} are left; a second look has to confirm that" if gone else ""


class Gate:
    """Remembers which look was believed last, and which was doubted since."""

    def __init__(self) -> None:
        self._believed: Extent | None = None
        self._doubted: Extent | None = None
        self.first_s: float | None = None
        """When the snapshot believed last was first seen, by the clock that never jumps.

        A batch system may show it again; None: not known."""

    def believe(self, snapshot: Snapshot, seen_s: float | None = None) -> None:
        """Take a snapshot, seen at `seen_s`, as what the next one is compared with."""
        last, self._believed, self._doubted = self._believed, extent(snapshot), None
        if last is None or last.taken_at != snapshot.taken_at or self.first_s is None:
            self.first_s = seen_s

    def admit(self, snapshot: Snapshot, now: float, seen_s: float | None = None) -> None:
        """Believe a snapshot. Raises SourceError if it is not to be believed, or not yet.

        Nothing dated in the future ever counts: a clock that jumped would stop us until then.
        """
        seen, believed = extent(snapshot), self._believed
        if seen.taken_at > now + AHEAD_S:
            raise FromTheFuture(f"a snapshot of {rfc3339(seen.taken_at)}, which is yet to come")
        if believed is not None:
            if seen.cluster != believed.cluster:
                raise OtherCluster(f"a snapshot of {seen.cluster!r}, not of {believed.cluster!r}")
            if seen.taken_at < believed.taken_at <= now + AHEAD_S:
                told, before = rfc3339(seen.taken_at), rfc3339(believed.taken_at)
                raise OutOfOrder(f"a snapshot of {told} comes after one of {before}")
            if cause := doubt(seen, believed, self._doubted):
                self._doubted = seen
                raise Doubtful(cause)
        self.believe(snapshot, seen_s)

    def forget(self) -> None:
        """Compare the next snapshot with nothing."""
        self._believed = self._doubted = None

    def interrupted(self) -> None:
        """Take note of a look that failed: looks before and after it do not confirm each other."""
        self._doubted = None
