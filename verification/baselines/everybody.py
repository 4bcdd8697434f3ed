"""All who are asked: we, and whom we are compared with."""

from predictor.site import Site
from verification.baselines.limits import Limits, Once
from verification.baselines.qbets import Qbets
from verification.baselines.simple import ClassMedian, Never, Now, Persistence
from verification.online.batch import Announced
from verification.online.ours import Ours
from verification.online.predictor import Predictor


def of_one_snapshot(site: Site) -> tuple[Predictor, ...]:
    """Return fresh predictors that need no past, ours first. They are asked in this order."""
    ours = Once(Ours(site))
    return ours, Announced(), Limits(ours), Now(), Never()


def of_the_past() -> tuple[Predictor, ...]:
    """Return fresh predictors that learn from what they were shown."""
    return Persistence(), ClassMedian(), Qbets()
