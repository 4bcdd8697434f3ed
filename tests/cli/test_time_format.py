from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from clusters import NOW
from hypothesis import given
from hypothesis import strategies as st

from predictor.cli.timeformat import short_time, time_format, window
from predictor.cli.timesyntax import deadline
from predictor.domain.durations import DAY_S as DAY

# NOW is Tue 14 Nov 2023 22:13:20 UTC


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


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("now", "2026-11-20T18:01"),
        ("now+60", "2026-11-20T18:02"),
        ("now+2hours", "2026-11-20T20:01"),
        ("now+1hour", "2026-11-20T19:01"),
        ("NOW+90min", "2026-11-20T19:31"),
        ("now+3 days", "2026-11-23T18:01"),
        ("now+1w", "2026-11-27T18:01"),
        ("now-1day", "2026-11-19T18:01"),
        ("today", "2026-11-20"),
        ("tomorrow", "2026-11-21"),
        ("midnight", "2026-11-21"),
        ("noon", "2026-11-21T12:00"),
        ("teatime", "2026-11-21T16:00"),
        ("6:30pm", "2026-11-20T18:30"),
        ("12:15 AM", "2026-11-21T00:15"),
        ("18:02:30", "2026-11-20T18:02:30"),
        ("11/24", "2026-11-24"),
        ("11/20", "2026-11-20"),
        ("11/19", "2027-11-19"),
        ("11/20-18:00", "2027-11-20T18:00"),
        ("11/20/26-18:00", "2026-11-20T18:00"),
        ("112426", "2026-11-24"),
        ("2026-11-24T08:15:30", "2026-11-24T08:15:30"),
        ("2026-11-24T08:15:30+01:00", "2026-11-24T08:15:30"),
        ("1795305228", "2026-11-22T00:53:48"),
    ],
)
def test_times_are_understood_as_slurms_commands_do(text, at):
    now = datetime(2026, 11, 20, 18, 1, tzinfo=BERLIN).timestamp()
    expected = datetime.fromisoformat(at).replace(tzinfo=BERLIN)
    assert deadline(text, now, BERLIN) == expected.timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "now+",
        "now+2fortnights",
        "now+999999999weeks",
        "25:00",
        "13:00pm",
        "02/30",
        "9" * 64,
        "18:00Z",
    ],
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises((ValueError, OverflowError)):
        deadline(text, 1_795_305_228, BERLIN)


@given(st.text(alphabet="now+-0123456789:/hdpmT ", max_size=20))
def test_no_text_is_worse_than_refused(text):
    with suppress(ValueError, OverflowError):
        assert isinstance(deadline(text, 1_795_305_228, BERLIN), int)
