from datetime import UTC

import pytest
from clusters import NOW

from predictor.cli.timeformat import time_format

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
