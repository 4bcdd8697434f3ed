"""A generated queue simulated to its last start, in two passes as Slurm's or under a policy."""

from predictor.engine import codes, unlocked
from predictor.engine.policies import Policies
from predictor.scheduling.policy import TWO_PASS, Policy
from predictor.simulation.policies import policy_rules
from verification.bench.generated import Generated
from verification.bench.measure import Starts, Work
from verification.bench.tables import engine

FOREVER = 1 << 60
"""Later than any start, and more than any number of looks."""


def prepare(generated: Generated, policy: Policy = TWO_PASS) -> Work:
    """Return the work of simulating it, every job running into its limit."""
    state = engine(generated, codes.CONSECUTIVE if policy.two_passes else codes.FIRST_FIT)
    policies = Policies(state, policy_rules(policy))

    def work() -> Starts:
        if policy.two_passes:
            unlocked.run(state, FOREVER, FOREVER)
        else:
            unlocked.follow(policies, FOREVER)
        starts: Starts = state.queue.started_at
        return starts

    return work
