"""The long calls into the engine. Compiled, they let other threads run meanwhile."""

from predictor.engine.forward import Forward
from predictor.engine.policies import Policies
from predictor.engine.ranking_tables import NEVER


def run(forward: Forward, until: int, looks_max: int) -> bool:
    """Let time run; returns what `Forward.run` returns."""
    return forward.run(until, looks_max)


def plan(forward: Forward) -> None:
    """Give everybody the first start that delays nobody before it."""
    forward.placer.plan(forward.now)


def look_ahead(forward: Forward) -> None:
    """Make one whole pass that looks ahead, which tells when everybody would start."""
    forward.placer.clearing.see(forward.now)
    forward.strict.weigh(forward.now)
    forward.ahead.run(forward.now, True)


def rehearse(forward: Forward) -> None:
    """Make the same pass once everything has happened whose time has come."""
    forward.happen()
    look_ahead(forward)


def foresee(forward: Forward) -> None:
    """Let whoever plans from now on know how long everybody runs, and who will come."""
    forward.foresee()


def follow(policies: Policies, until: int, looks_max: int = NEVER) -> None:
    """Let time run under a policy, until it has sought a place so often."""
    policies.run(until, looks_max)
