"""Levels follow misses, so that these become as frequent as they are to be."""

from random import Random

import pytest

from predictor.windows.levels import LEAST, MOST, Level, sides


@pytest.mark.parametrize("spread", [0.7, 1.0, 1.5])
def test_misses_become_as_frequent_as_they_are_to_be(spread):
    """Read is a normal distribution of spread 1, which real outcomes may not have."""
    luck, level, missed = Random(1), Level(0.9, 0.995), []  # noqa: S311
    seen = sorted(luck.gauss(0, 1) for _ in range(2000))
    for _ in range(3000):
        bound = seen[int(level.read * len(seen))]
        missed.append(spread * luck.gauss(0, 1) > bound)
        level.heard(missed=missed[-1])
    share = sum(missed[500:]) / 2500
    assert share == pytest.approx(0.1, abs=0.02)


def test_misses_in_a_row_count_beyond_the_highest_level():
    level = Level(0.9, 0.98)
    for _ in range(50):
        level.heard(missed=True)
    assert (level.at, level.read) == (MOST, 0.98)
    for _ in range(10):
        level.heard(missed=False)
    assert level.read == 0.98
    for _ in range(500):
        level.heard(missed=False)
    assert level.read == LEAST


def test_levels_go_on_where_they_were_left():
    left = sides({"low": 0.8, "by": 7.0})
    assert (left["low"].read, left["by"].read, left["high"].read) == (0.8, 0.995, 0.9)
