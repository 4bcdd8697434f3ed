"""Who of those who may start is looked at, where a policy bounds how many of each user are."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from predictor.domain import Cause
from predictor.scheduling.policy import Policy
from predictor.simulation.causes import StartingPoints
from predictor.simulation.entrants import Entrant
from predictor.simulation.lives import Lives


def looked_at(ready: Iterable[Entrant], policy: Policy, lives: Lives, at: int) -> Iterator[Entrant]:
    """Yield those of the ready, who are in queue order, that are among their users' first.

    Jobs of which no user is told are bound by nothing. Linear in the ready and in the known.
    """
    if not policy.bounds_users:
        yield from ready
        return
    eligible = math.inf if policy.eligible_per_user is None else policy.eligible_per_user
    queued = math.inf if policy.queued_per_user is None else policy.queued_per_user
    running = lives.running_by_user(at)
    taken: Counter[str] = Counter()
    for entrant in ready:
        user = entrant.user
        if user and taken[user] >= min(eligible, queued - running[user]):
            continue
        taken[user] += 1
        yield entrant


def with_turns(points: StartingPoints, policy: Policy, lives: Lives, now: int) -> StartingPoints:
    """Return the starting points with LIMIT where only its user's bound keeps a job from a start.

    Everybody in the points waits.
    """
    ready = list(lives.ready(points.possible, points.causes, now))
    looked = {entrant.id for entrant in looked_at(ready, policy, lives, now)}
    left_out = (e.id for e in ready if e.id not in looked)
    limited = {id_: Cause.LIMIT for id_ in left_out if points.causes[id_] is Cause.PRIORITY}
    return replace(points, causes={**points.causes, **limited})
