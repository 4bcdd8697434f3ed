"""By what forecasts are made and what is learned for them, as the service uses it."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol

from predictor.clock import Clock
from predictor.domain import Forecast, Snapshot
from predictor.site import Site

if TYPE_CHECKING:
    from predictor.experience import Experience
    from predictor.outlooks import Told


class WithOutlooks(Protocol):
    """Adds windows to a forecast, within about so many seconds."""

    def __call__(
        self,
        made: Forecast,
        snapshot: Snapshot,
        site: Site,
        experience: "Experience",
        *,
        clock: Clock,
        budget_s: float,
    ) -> "Told":
        """Return it with windows, and what was said in them."""


def _nothing() -> None:
    """Prepare nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The functions by which a forecast is made. All must be importable: they go to a process."""

    fresh: Callable[[Site], "Experience"]
    """Gives what knows nothing yet."""
    restored: Callable[[Site, object], "Experience"]
    """Gives what had this state. Raises if nothing ever had."""
    likely: Callable[[Snapshot, Site, "Experience"], Forecast]
    """The point answer, soon to be had."""
    with_outlooks: WithOutlooks
    prepare: Callable[[], None] = _nothing
    """Does beforehand, in the process that forecasts, what the first forecast would wait for."""


def _likely(snapshot: Snapshot, site: Site, experience: "Experience") -> Forecast:
    from predictor.outlooks import likely

    return likely(snapshot, site, experience, explained=True)


def _with_outlooks(
    made: Forecast,
    snapshot: Snapshot,
    site: Site,
    experience: "Experience",
    *,
    clock: Clock,
    budget_s: float,
) -> "Told":
    from predictor.outlooks import with_outlooks

    return with_outlooks(made, snapshot, site, experience, clock=clock, budget_s=budget_s)


def _fresh(site: Site) -> "Experience":
    from predictor.experience import Experience

    return Experience.of(site)


def _restored(site: Site, state: object) -> "Experience":
    from predictor.experience import Experience

    return Experience.restored(site, state)


def _prepare() -> None:
    import_module("predictor.outlooks")


# The service itself never forecasts: only its worker imports what that takes, and so the service
# starts sooner.
USUAL: Final = Means(
    fresh=_fresh, restored=_restored, likely=_likely, with_outlooks=_with_outlooks, prepare=_prepare
)
