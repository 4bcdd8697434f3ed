"""How long the engine takes to recompute all priorities: 10,000 slots, 1,000 users, 1,000 runs."""

import random
import time

import pytest

from predictor.engine.kind import KIND
from predictor.engine.ranking import Ranking
from predictor.engine.ranking_tables import (
    CLASSIC,
    DEPTH_OBLIVIOUS,
    FAIR_TREE,
    RankingTables,
    RunTables,
    SlotTables,
    TreeTables,
)

BOUND_S = 0.002 if KIND.compiled else 0.2
"""Of processor time. Measured on one core: 0.0001 s compiled, 0.008 s in plain Python."""

SLOTS, ACCOUNTS, USERS, RUNS = 10_000, 50, 1_000, 1_000
TICKS = 10


@pytest.mark.parametrize("formula", [FAIR_TREE, CLASSIC, DEPTH_OBLIVIOUS])
def test_a_recomputation_is_quick(formula):
    ranking = Ranking(cluster(formula))
    begun = time.process_time()
    for tick in range(1, TICKS + 1):
        ranking.recompute(300 * tick)
    assert (time.process_time() - begun) / TICKS < BOUND_S
    assert len({ranking.value(slot) for slot in range(SLOTS)}) > 500


def cluster(formula: int) -> RankingTables:
    chance = random.Random(1)  # noqa: S311 - nothing is kept secret by it
    return RankingTables(
        recomputed_at=0,
        period_s=300,
        age_weight=1_000.0,
        max_age_s=604_800,
        fairshare_weight=10_000.0,
        kept=1 - 0.693 / 604_800,
        formula=formula,
        tree=tree(chance),
        slots=[
            SlotTables(moves=True, since=0, sharer=user(chance), size=3.5) for _ in range(SLOTS)
        ],
        runs=[
            RunTables(payer=user(chance), rate=chance.randrange(1, 256), started_at=0)
            for _ in range(RUNS)
        ],
    )


def user(chance: random.Random) -> int:
    return 1 + ACCOUNTS + chance.randrange(USERS)


def tree(chance: random.Random) -> TreeTables:
    above = [0] * (1 + ACCOUNTS) + [1 + number % ACCOUNTS for number in range(USERS)]
    places = range(len(above))
    users = range(1 + ACCOUNTS, len(above))
    of_account = [[place for place in users if above[place] == one] for one in range(1 + ACCOUNTS)]
    return TreeTables(
        above=above,
        rivals_under=above,
        rivals=[range(1, 1 + ACCOUNTS), *of_account[1:], *([] for _ in users)],
        is_user=[place in users for place in places],
        inherits=[False for _ in places],
        level_share=[0.0] + [1 / ACCOUNTS] * ACCOUNTS + [ACCOUNTS / USERS] * USERS,
        share=[1.0] + [1 / ACCOUNTS] * ACCOUNTS + [1 / USERS] * USERS,
        usage=[1e9] + [1e9 / ACCOUNTS] * ACCOUNTS + [chance.random() * 1e6 for _ in users],
        points=[0.0 for _ in places],
    )
