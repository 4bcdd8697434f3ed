"""How good answers were of late: only what was known by then, of jobs like that."""

import pytest

from predictor.windows.lately import ENOUGH, MOST, MOST_STRATA, SPAN_S, CameOut, Record

NOW = 10_000_000
SPECIAL, GENERAL = "jobs of batch held back by a limit", "jobs of batch"


def came_out(off_s=60, *, held=True, known_at=NOW - 100):
    return CameOut(known_at=known_at, seen_at=known_at - 500, off_s=off_s, held=held)


def test_nothing_is_told_before_anything_is_known():
    assert Record().lately([SPECIAL, GENERAL], 2, NOW) is None


def test_error_and_windows_of_jobs_like_that():
    record = Record()
    for off_s in range(ENOUGH):
        record.add([SPECIAL, GENERAL], 2, came_out(off_s, held=off_s % 4 > 0))
    found = record.lately([SPECIAL, GENERAL], 2, NOW)
    assert found.like == "jobs of batch held back by a limit said to start in 1 to 4 h"
    assert (found.jobs, found.typical_error_s, found.held80) == (20, 9, 0.75)
    assert found.since_at == NOW - 600
    assert record.lately([SPECIAL, GENERAL], 3, NOW) is None, "nothing is known so far ahead"


@pytest.mark.parametrize(
    ("special", "general", "like"),
    [
        pytest.param(3, ENOUGH, GENERAL, id="too few of its own"),
        pytest.param(3, 5, "jobs", id="too few of all: those of all"),
    ],
)
def test_more_general_jobs_where_too_little_is_known(special, general, like):
    record = Record()
    for _ in range(special):
        record.add([SPECIAL, GENERAL], 0, came_out())
    for _ in range(general - special):
        record.add([GENERAL], 0, came_out())
    assert record.lately([SPECIAL, GENERAL], 0, NOW).like == f"{like} said to start within 10 min"


def test_what_is_long_ago_or_not_known_yet_does_not_count():
    record = Record()
    record.add([GENERAL], 1, came_out(known_at=NOW - SPAN_S - 1))
    record.add([GENERAL], 1, came_out(known_at=NOW + 1))
    assert record.lately([GENERAL], 1, NOW) is None
    record.add([GENERAL], 1, came_out())
    assert record.lately([GENERAL], 1, NOW).jobs == 1


def test_memory_is_bounded_whatever_classes_come():
    record = Record()
    for number in range(MOST_STRATA + 10):
        record.add([f"jobs of {number}"], number % 5, came_out())
    for _ in range(MOST + 10):
        record.add([GENERAL], 1, came_out())
    assert len(record.strata.items()) == MOST_STRATA
    assert len(record.strata.of((GENERAL, 1))) == MOST
