"""Crowds: jobs drawn by chance, the same each time."""

import random
from collections.abc import Sequence

from live.scenarios.scenario import USERS, Job

LIMITS_MIN = (1, 1, 2, 3, 5)
BATCH_S = 10
"""Jobs come together every so often, so that each is seen waiting."""


def crowd(
    seed: int,
    count: int,
    shapes: Sequence[str],
    *,
    over_s: int = 60,
    users: Sequence[str] = USERS[:1],
    shortest_s: int = 6,
    longest_s: int = 35,
    prefix: str = "c",
) -> tuple[Job, ...]:
    """Return `count` jobs, each of one of the `shapes`, submitted in the first `over_s` seconds.

    Their limits are whole minutes; they run for `shortest_s` to `longest_s`.
    """
    chance = random.Random(seed)  # noqa: S311 not for secrets
    return tuple(
        Job(
            at_s=BATCH_S * chance.randrange(over_s // BATCH_S),
            name=f"{prefix}{number}",
            options=f"-t {chance.choice(LIMITS_MIN)} {chance.choice(shapes)}",
            run_s=chance.randint(shortest_s, longest_s),
            user=chance.choice(users),
        )
        for number in range(count)
    )
