"""The long calls into the engine, which let other threads run meanwhile."""

from predictor.engine.forward cimport Forward
from predictor.engine.policies cimport Policies
from predictor.engine.ranking_tables import NEVER


def run(Forward forward, until, looks_max):
    """Let time run; returns what `Forward.run` returns."""
    cdef long long end_at = until
    cdef long long most = looks_max
    cdef bint early
    with nogil:
        early = forward.run(end_at, most)
    return early


def plan(Forward forward):
    """Give everybody the first start that delays nobody before it."""
    with nogil:
        forward.placer.plan(forward.now)


def look_ahead(Forward forward):
    """Make one whole pass that looks ahead, which tells when everybody would start."""
    with nogil:
        forward.placer.clearing.see(forward.now)
        forward.strict.weigh(forward.now)
        forward.ahead.run(forward.now, True)


def rehearse(Forward forward):
    """Make the same pass once everything has happened whose time has come."""
    with nogil:
        forward.happen()
    look_ahead(forward)


def foresee(Forward forward):
    """Let whoever plans from now on know how long everybody runs, and who will come."""
    with nogil:
        forward.foresee()


def follow(Policies policies, until, looks_max=NEVER):
    """Let time run under a policy, until it has sought a place so often."""
    cdef long long end_at = until
    cdef long long most = looks_max
    with nogil:
        policies.run(end_at, most)
