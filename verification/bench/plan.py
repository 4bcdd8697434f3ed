"""A conservative plan of a generated queue: each job as early as nobody before it is delayed."""

from predictor.engine import codes, unlocked
from verification.bench.generated import Generated
from verification.bench.measure import Starts, Work
from verification.bench.tables import engine


def prepare(generated: Generated) -> Work:
    """Return the work of planning it, on the machine's lowest-numbered free nodes."""
    state = engine(generated, codes.FIRST_FIT)

    def work() -> Starts:
        unlocked.plan(state)
        starts: Starts = state.placer.planned
        return starts

    return work
