"""A short slice of the campaign against clocks, and whether it finds what is planted."""

from campaigns import clocks
from campaigns.whole_system import quiet_site

from predictor.service import scoring


def test_after_clocks_were_set_all_is_well_again():
    with quiet_site() as site:
        figures, found = clocks.lives(site, 8, seed=1)
    assert found == []
    assert figures["steps"] > 20


def test_each_instant_around_summer_time_is_told_apart():
    figures, found = clocks.folds(range(2024, 2025))
    assert found == []
    assert figures["changes"] > 30


def test_scoring_that_waits_for_a_wrong_date_to_come_is_found(monkeypatch):
    monkeypatch.setattr(scoring, "AHEAD_S", float("inf"))
    with quiet_site() as site:
        _, found = clocks.lives(site, 8, seed=13)
    assert any("scored until" in one for one in found)
