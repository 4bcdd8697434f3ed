"""Our simulation with jobs that run into their limits."""

from predictor.domain import Snapshot
from verification.online.predictor import Answers, Predictor


class Once:
    """A predictor that is asked once by several: it keeps its answers about one snapshot."""

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor
        self._asked: Snapshot | None = None
        self._answers: Answers = {}

    @property
    def name(self) -> str:
        """That of the predictor."""
        return self._predictor.name

    @property
    def remembers(self) -> bool:
        """Whether the predictor does; the answers kept are none that it would not give again."""
        return self._predictor.remembers

    def learn(self, snapshot: Snapshot) -> None:
        """Let the predictor learn."""
        self._predictor.learn(snapshot)
        self._asked = None

    def say(self, snapshot: Snapshot) -> Answers:
        """Return its answers."""
        if self._asked is not snapshot:
            self._answers = self._predictor.say(snapshot)
            self._asked = snapshot
        return self._answers


class Limits:
    """The same answers as those of a simulation whose jobs run into their limits.

    It learns nothing: whoever shows snapshots shows them to the other first.
    """

    name = "limits"
    remembers = False

    def __init__(self, simulation: Predictor) -> None:
        self._simulation = simulation

    def learn(self, snapshot: Snapshot) -> None:
        """Nothing."""

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the simulation's answers."""
        return self._simulation.say(snapshot)
