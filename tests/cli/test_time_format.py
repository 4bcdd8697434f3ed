from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from clusters import NOW

from predictor.cli.timeformat import deadline, short_time, time_format, window

DAY = 86_400  # NOW is Tue 14 Nov 2023 22:13:20 UTC


@pytest.mark.parametrize(
    ("wanted", "after_s", "text"),
    [
        ("", 0, "2023-11-14T22:13:20"),
        ("standard", 0, "2023-11-14T22:13:20"),
        ("%d.%m. %H:%M", 0, "14.11. 22:13"),
        ("relative", 0, "22:13:20"),
        ("relative", DAY, "Tomorr 22:13"),
        ("relative", -DAY, "Ystday 22:13"),
        ("relative", 3 * DAY, "Fri 22:13"),
        ("relative", 9 * DAY, "23 Nov 22:13"),
        ("relative", 90 * DAY, "12 Feb 2024"),
    ],
)
def test_instants(wanted, after_s, text):
    assert time_format(wanted, NOW, UTC)(NOW + after_s) == text


@pytest.mark.parametrize(
    ("low_s", "high_s", "text"),
    [
        pytest.param(0, 3_600, "22:13 - 23:13", id="today"),
        pytest.param(0, 7_200, "22:13 - Wed 00:13", id="over midnight"),
        pytest.param(2 * DAY, 2 * DAY + 60, "Thu 22:13 - 22:14", id="within one other day"),
        pytest.param(2 * DAY, 5 * DAY, "Thu 22:13 - Sun 22:13", id="within a week"),
        pytest.param(5 * DAY, 9 * DAY, "Sun 22:13 - 23 Nov", id="far away days are enough"),
        pytest.param(9 * DAY, 9 * DAY + 60, "23 Nov", id="one far away day"),
        pytest.param(60, 60, "22:14", id="no width"),
        pytest.param(-DAY, 60, "13 Nov - 22:14", id="yesterday is no day to come"),
    ],
)
def test_windows(low_s, high_s, text):
    short = short_time(NOW, UTC)
    assert window(short(NOW + low_s), short(NOW + high_s)) == text


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("now", "text", "at"),
    [
        pytest.param("2026-11-20T17:00", "18:00", "2026-11-20T18:00", id="today"),
        pytest.param("2026-11-20T18:00", "18:00", "2026-11-20T18:00", id="now"),
        pytest.param("2026-11-20T18:01", "18:00", "2026-11-21T18:00", id="tomorrow"),
        pytest.param("2026-10-24T18:01", "18:00", "2026-10-25T18:00", id="clocks go back at night"),
        pytest.param("2026-03-28T18:01", "18:00", "2026-03-29T18:00", id="or forth"),
        pytest.param("2026-11-20T18:01", "2026-11-20T12:00", "2026-11-20T12:00", id="past instant"),
        pytest.param("2026-11-20T18:01", "2026-11-24", "2026-11-24T00:00", id="a day's beginning"),
    ],
)
def test_deadlines_are_times_of_day_to_come_or_instants(now, text, at):
    instant, expected = (datetime.fromisoformat(t).replace(tzinfo=BERLIN) for t in (now, at))
    assert deadline(text, instant.timestamp(), BERLIN) == expected.timestamp()
