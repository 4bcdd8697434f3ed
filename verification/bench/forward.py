"""A generated queue simulated to its last start, in two passes as Slurm makes them."""

from predictor.forecast import forecast
from predictor.scheduling.policy import TWO_PASS
from predictor.site import Site
from verification.bench.cluster import TAKEN_AT, snapshot_of
from verification.bench.generated import Generated
from verification.bench.measure import NEVER, Starts, Work

HORIZON_S = 10 * 365 * 86_400
"""Later than the last start of any queue of sensible length."""


def prepare(generated: Generated) -> Work:
    """Return the work of simulating it, every job running into its limit."""
    snapshot = snapshot_of(generated)
    site = Site.model_validate(
        {"policy": {"name": TWO_PASS.name}, "forecast": {"horizon_s": HORIZON_S}}
    )

    def work() -> Starts:
        made = forecast(snapshot, site)
        starts = {p.job_id: p.start_at - TAKEN_AT for p in made.predictions}
        return [starts.get(job.spec.id, NEVER) for job in snapshot.pending]

    return work
