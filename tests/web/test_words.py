import pytest
from clusters import NOW

from predictor.domain import UNLIMITED
from predictor.domain.durations import DAY_S as DAY
from predictor.web.words import limit, local, relative, zone

# NOW is Tue 14 Nov 2023 22:13:20 UTC


@pytest.mark.parametrize(
    ("limit_s", "text"),
    [
        (0, "0:00"),
        (93_784, "1-02:03:04"),
        (UNLIMITED, "unlimited"),
        (None, "default"),
    ],
)
def test_limit(limit_s, text):
    assert limit(limit_s) == text


@pytest.mark.parametrize(
    ("at", "offset_s", "text"),
    [
        pytest.param(NOW, 0, "today 22:13", id="today"),
        pytest.param(NOW, 7_200, "today 00:13", id="today is the site's own"),
        pytest.param(NOW + 7_200, 0, "tomorrow 00:13", id="tomorrow"),
        pytest.param(NOW + 4 * DAY, 0, "Sat 18 Nov 22:13", id="later"),
        pytest.param(NOW + 300 * DAY, 0, "09 Sep 2024 22:13", id="much later"),
        pytest.param(NOW - DAY, 0, "Mon 13 Nov 22:13", id="before"),
    ],
)
def test_local(at, offset_s, text):
    assert local(at, offset_s, NOW) == text


def test_relative():
    assert relative(NOW + 3_600, NOW) == "in 1 h"
    assert relative(NOW - 100, NOW) == "any moment"


@pytest.mark.parametrize(
    ("offset_s", "text"), [(0, "UTC+00:00"), (-12_600, "UTC-03:30"), (19_800, "UTC+05:30")]
)
def test_zone(offset_s, text):
    assert zone(offset_s) == text
