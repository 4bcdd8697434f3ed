"""The priorities of those who were sent back, and of those with whom they shared one."""

from predictor.engine.ranking import Ranking
from predictor.engine.ranking_tables import RankingTables, SlotTables

NOW = 1_000_000
PERIOD_S = 300
SLOT = SlotTables(number=90, moves=True, since=NOW - 900, qos=10.0, size=1.0, size_tried=4.0)


def ranked(spares=0, slot=SLOT):
    """Return a ranking of one slot, where a second of age is worth a point."""
    tables = RankingTables(
        recomputed_at=NOW, period_s=PERIOD_S, age_weight=1_000.0, max_age_s=1_000, slots=(slot,)
    )
    return Ranking(tables, spares)


def test_who_was_sent_back_keeps_the_number_until_all_are_recomputed():
    ranking = ranked()
    ranking.tried(0, 0)
    ranking.leave(0)
    ranking.enter_again(0, NOW + 100, NOW + 220)
    assert ranking.value(0) == 90
    # Then it is as old as it has been ready, and nobody has found it a place.
    ranking.recompute(NOW + PERIOD_S)
    assert ranking.value(0) == 80 + 10 + 1


def test_who_was_sent_back_and_had_no_number_gets_one():
    unknown = SlotTables(moves=True, waits=False, qos=10.0)
    ranking = ranked(slot=unknown)
    ranking.enter_again(0, NOW + 100, NOW + 100)
    assert ranking.value(0) == 10


def test_one_of_those_who_share_a_number_may_get_its_own():
    ranking = ranked(spares=1)
    own = ranking.own_slot(0)
    assert (own, ranking.value(own)) == (1, 90)
    ranking.enter_again(own, NOW + 100, NOW + 200)
    ranking.tried(own, 0)
    ranking.recompute(NOW + PERIOD_S)
    assert (ranking.value(0), ranking.value(own)) == (1_000 + 10 + 1, 100 + 10 + 4)
    ranking.restart()
    assert ranking.own_slot(0) == own
