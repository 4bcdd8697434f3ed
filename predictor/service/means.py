"""By what forecasts are made and what is learned for them, as the service uses it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from predictor.clock import Clock
from predictor.domain import Forecast, Snapshot
from predictor.experience import Experience
from predictor.outlooks import Told, likely, with_outlooks
from predictor.site import Site


class WithOutlooks(Protocol):
    """Adds windows to a forecast, within about so many seconds."""

    def __call__(
        self,
        made: Forecast,
        snapshot: Snapshot,
        site: Site,
        experience: Experience,
        *,
        clock: Clock,
        budget_s: float,
    ) -> Told:
        """Return it with windows, and what was said in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The functions by which a forecast is made. All must be importable: they go to a process."""

    fresh: Callable[[Site], Experience]
    """Gives what knows nothing yet."""
    restored: Callable[[Site, object], Experience]
    """Gives what had this state. Raises if nothing ever had."""
    likely: Callable[[Snapshot, Site, Experience], Forecast]
    """The point answer, soon to be had."""
    with_outlooks: WithOutlooks


USUAL: Final = Means(
    fresh=Experience.of,
    restored=Experience.restored,
    likely=partial(likely, explained=True),
    with_outlooks=with_outlooks,
)
