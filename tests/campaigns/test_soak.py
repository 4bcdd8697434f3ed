"""A few hours of the soak, and what is planted in it."""

import pytest
from campaigns.soak import KEEP_DAYS, WARM_DAYS, soaked


def test_some_hours_with_all_faults_lose_nothing():
    soak = soaked(1, nodes=2, seed=1, day_s=13_000)
    told = soak.told()
    assert soak.found == []
    assert told["availability"] > 0.99
    assert told["calls_per_minute"] <= 2


@pytest.mark.parametrize(
    ("planted", "days", "finding"),
    [
        ("lost", 5, "snapshots are lost"),
        ("files", 2, "open files"),
        ("memory", WARM_DAYS + 3, "memory grows"),
    ],
)
def test_what_is_planted_is_found(planted, days, finding):
    soak = soaked(days, nodes=2, seed=1, planted=planted, day_s=900)
    soak.told()
    assert any(finding in found for found in soak.found)


def test_what_is_kept_for_too_long_is_found():
    soak = soaked(1, nodes=2, seed=1, day_s=300)
    soak.kept_days.append(KEEP_DAYS + 4)
    soak.told()
    assert soak.found == [f"{KEEP_DAYS + 4} days are kept instead of {KEEP_DAYS}"]
