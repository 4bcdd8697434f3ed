"""Our simulation with jobs that run into their limits."""

from predictor.domain import Snapshot
from predictor.forecast import forecast
from predictor.site import Site
from predictor.storage import answers
from verification.online.ours import as_told
from verification.online.predictor import Answers


class Limits:
    """The single course in which nobody comes, and all run as long as they may."""

    name = "limits"
    remembers = False

    def __init__(self, site: Site) -> None:
        self._site = site

    def learn(self, snapshot: Snapshot) -> None:
        """Nothing: it is made of one snapshot."""

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the simulation's answers."""
        return as_told(answers(forecast(snapshot, self._site)), snapshot)
