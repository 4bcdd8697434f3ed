"""All who are asked: we, and whom we are compared with."""

from predictor.clock import SystemClock
from predictor.site import Site
from verification.baselines.limits import Limits
from verification.baselines.qbets import Qbets
from verification.baselines.simple import ClassMedian, Never, Now, Persistence
from verification.online.batch import Announced
from verification.online.ours import Ours
from verification.online.predictor import Predictor


def everybody(site: Site) -> tuple[Predictor, ...]:
    """Return fresh predictors, ours first. They are asked in this order."""
    return (
        Ours(site, SystemClock()),
        Announced(),
        Limits(site),
        Persistence(),
        ClassMedian(),
        Qbets(),
        Now(),
        Never(),
    )
