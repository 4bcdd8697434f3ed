"""A generated queue simulated to its last start, in two passes as Slurm makes them by default."""

from predictor.engine import codes, unlocked
from verification.bench.generated import Generated
from verification.bench.measure import Starts, Work
from verification.bench.tables import engine

FOREVER = 1 << 60
"""Later than any start, and more than any number of looks."""


def prepare(generated: Generated) -> Work:
    """Return the work of simulating it, every job running into its limit."""
    state = engine(generated, codes.CONSECUTIVE)

    def work() -> Starts:
        unlocked.run(state, FOREVER, FOREVER)
        starts: Starts = state.queue.started_at
        return starts

    return work
