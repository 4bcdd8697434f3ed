"""A few hours of the soak."""

from campaigns.soak import soaked


def test_some_hours_with_all_faults_lose_nothing():
    soak = soaked(0.15, nodes=2, seed=1)
    told = soak.told()
    assert soak.found == []
    assert told["availability"] > 0.99
    assert told["calls_per_minute"] <= 2
