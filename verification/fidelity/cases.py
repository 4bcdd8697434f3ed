"""Each wrong decision by itself: what happened, what was said, and where the two parted."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from predictor.site import Site
from verification.fidelity.beginnings import Begun, passes
from verification.fidelity.diagnosis import Parting, partings
from verification.fidelity.history import History
from verification.fidelity.looks import HORIZON_S, Look
from verification.fidelity.scores import CLOSE_S

AT_THE_END = "less than a minute apart, the end of the look between them"
FOLLOWS = "others had parted before"
UNDER_WAY = "a run ended while a pass was under way"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A job that was said to start within HORIZON_S and did not, or did without being said to."""

    since: int
    """The snapshot decided from; like all instants UTC epoch seconds."""
    job_id: str
    real_at: int | None
    """None: not within twice HORIZON_S; likewise the other."""
    said_at: int | None
    cause: str
    """A class to count."""
    detail: str

    @property
    def missed(self) -> bool:
        """Whether it started and was not said to."""
        return self.real_at is not None and self.real_at < self.since + HORIZON_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """When passes that look ahead were under way, and when runs ended."""

    passes: Sequence[Begun]
    ends: Sequence[int]

    @classmethod
    def of(cls, history: History) -> Self:
        """Return those of a recording, in their order."""
        runs = (run for of_job in history.runs.values() for run in of_job)
        ends = sorted(run.ended_at for run in runs if run.ended_at is not None)
        return cls(passes=passes(history.snapshots), ends=ends)

    def changed_under_way(self, at: int) -> bool:
        """Return whether the pass that an instant lies in saw runs end, and thus half of them."""
        begun = self.passes[: bisect_right(self.passes, at, key=lambda one: one.at)][-1:]
        if not begun or begun[0].until < at:
            return False
        first = bisect_left(self.ends, begun[0].at)
        return self.ends[first : first + 1] != [] and self.ends[first] <= begun[0].until


def wrong(history: History, moments: Moments, far: Look, site: Site) -> Iterator[Case]:
    """Yield what of a look that reaches twice as far is wrong within HORIZON_S, as it parted."""
    until = far.since + HORIZON_S
    near = replace(
        far,
        until=until,
        real={id_: at for id_, at in far.real.items() if at < until},
        said={id_: start for id_, start in far.said.items() if start.at < until},
    )
    for place, parting in enumerate(partings(history, near, site)):
        id_ = parting.job_id
        if (id_ in near.real) == (id_ in near.said):
            continue
        real_at, said_at = far.real.get(id_), far.said_at.get(id_)
        apart_s = None if real_at is None or said_at is None else abs(real_at - said_at)
        at_the_end = apart_s is not None and apart_s <= CLOSE_S
        yield Case(
            since=far.since,
            job_id=id_,
            real_at=real_at,
            said_at=said_at,
            cause=AT_THE_END if at_the_end else _cause(parting, place == 0, moments),
            detail=parting.detail,
        )


def _cause(parting: Parting, is_first: bool, moments: Moments) -> str:
    if not is_first:
        return FOLLOWS
    return UNDER_WAY if moments.changed_under_way(parting.at) else parting.kind
