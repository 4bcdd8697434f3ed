"""A small learner that stands for the real one: it counts, and says what it was told to say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clusters import NOW
from services import said, sure

from predictor.clock import Clock
from predictor.domain import FinishedJob, Forecast, Snapshot
from predictor.outlooks import Told
from predictor.service.means import Means
from predictor.site import Site
from predictor.windows.drift import Alarm


@dataclass
class Counted:
    """Remembers of which instants it learned, and of which it heard what was said."""

    instants: list[int] = field(default_factory=list)
    heard_of: list[int] = field(default_factory=list)
    told_of: list[str] = field(default_factory=list)

    def told(self, finished: Sequence[FinishedJob], _snapshot: Snapshot) -> None:
        self.told_of += [job.spec.id for job in finished]

    def learn(self, snapshot: Snapshot) -> None:
        self.instants.append(snapshot.taken_at)

    def heard(self, sayings: Sequence[int]) -> None:
        self.heard_of += sayings

    def alarms(self) -> tuple[Alarm, ...]:
        return ()

    def state(self) -> object:
        return {"instants": self.instants, "heard_of": self.heard_of}


def fresh(_site: Site) -> Counted:
    return Counted()


def restored(_site: Site, state: object) -> Counted:
    return Counted(**state)  # type: ignore[arg-type]


def likely(snapshot: Snapshot, _site: Site, _learned: Counted) -> Forecast:
    return said(snapshot)


def with_outlooks(
    made: Forecast, seen: Snapshot, _site: Site, learned: Counted, *, clock: Clock, budget_s: float
) -> Told:
    told = sure(made, likely_s=len(learned.instants))
    return Told(forecast=told, sayings=(seen.taken_at,), draws=7)  # type: ignore[arg-type]


def means(**instead: Callable[..., object]) -> Means:
    """The small learner, or with other functions."""
    usual: dict[str, Callable[..., object]] = {
        "fresh": fresh,
        "restored": restored,
        "likely": likely,
        "with_outlooks": with_outlooks,
    }
    return Means(**(usual | instead))  # type: ignore[arg-type]


def site(folder: Path, **forecast: object) -> Site:
    return Site.model_validate(
        {"recording": {"path": str(folder / "recording")}, "forecast": forecast}
    )


def minute(number: int) -> int:
    """The instant of a snapshot so many minutes after the scene's."""
    return NOW + 60 * number
