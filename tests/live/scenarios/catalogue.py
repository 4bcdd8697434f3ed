"""All scenarios, by name."""

from collections.abc import Mapping

from live.scenarios import broad, lots
from live.scenarios.admitting import ADMITTING
from live.scenarios.caps import CAPS
from live.scenarios.events import EVENTS
from live.scenarios.golden import GOLDEN
from live.scenarios.ordering import ORDERING
from live.scenarios.placing import PLACING
from live.scenarios.preempting import PREEMPTING
from live.scenarios.scenario import Scenario
from live.scenarios.shapes import SHAPES
from live.scenarios.sharing import SHARING
from live.scenarios.within import BY_PRIORITY

SCENARIOS: Mapping[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        *GOLDEN,
        *ORDERING,
        *CAPS,
        *SHAPES,
        *PLACING,
        *ADMITTING,
        *EVENTS,
        *PREEMPTING,
        *BY_PRIORITY,
        *SHARING,
    )
}


def named(name: str) -> Scenario | None:
    """Return the scenario of that name, of the catalogue or drawn by lot; None: there is none."""
    return SCENARIOS.get(name) or lots.drawn(name) or broad.drawn(name)
