import pytest

from predictor.domain.durations import DAY_S as DAY
from predictor.domain.durations import LETTER_S, UNIT_S, duration, lasting


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (3_599, "59 min"),
        (3_600, "1 h"),
        (7_800, "2 h 10 min"),
        (DAY, "1 d"),
        (3 * DAY + 4 * 3_600 + 59, "3 d 4 h"),
    ],
)
def test_duration(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (45, "45 s"),
        (60, "1 min"),
        (90, "1 min 30 s"),
        (750, "12 min"),
        (3600, "1 h"),
        (9000, "2 h 30 min"),
        (90_000, "1 d 1 h"),
        (86_400 * 365, "365 d"),
    ],
)
def test_lengths_of_time_in_words(seconds, words):
    assert lasting(seconds) == words


def test_units_stand_in_order():
    assert list(UNIT_S.values()) == sorted(UNIT_S.values(), reverse=True)
    assert list(LETTER_S.values()) == sorted(LETTER_S.values())
