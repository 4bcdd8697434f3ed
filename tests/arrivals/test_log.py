"""What is remembered of submissions has bounds, and nobody fills them for others."""

import pytest
from clusters import HOUR, NOW, waiting

from predictor.arrivals import log as logs
from predictor.arrivals.log import Log
from predictor.arrivals.submission import submission_of
from predictor.domain import Untrusted

MOST, MOST_OF_A_USER = 1000, 200


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(logs, "MOST", MOST)
    monkeypatch.setattr(logs, "MOST_OF_A_USER", MOST_OF_A_USER)
    monkeypatch.setattr(logs, "SLACK", 0)


def came(id_, at, user="ada", **more):
    job = waiting(str(id_), of_job={"submitted_at": at, "user": user, **more})
    return submission_of([job], keep_points=False)


def kept(log):
    return [one.key for one in log.between(0, 2 * NOW)]


def test_a_user_of_many_odd_jobs_forgets_own_ones_only():
    log = Log()
    log.add([came("ada", NOW)])
    log.cover(NOW, NOW + HOUR)
    log.add(came(n, NOW + 1 + n % HOUR, user="eve") for n in range(5 * MOST))
    assert kept(log)[0] == "ada"
    assert len(kept(log)) == MOST_OF_A_USER + 1
    assert log.covers(NOW, NOW + HOUR)


def test_of_very_many_the_oldest_are_forgotten_and_known_to_be():
    log = Log()
    log.cover(NOW, NOW + MOST + 99)
    log.add(came(n, NOW + n, user=f"u{n % 50}") for n in range(MOST + 100))
    assert kept(log) == [str(n) for n in range(100, MOST + 100)]
    assert not log.covers(NOW + 50, NOW + 200)
    assert log.covers(NOW + 101, NOW + 200)


def test_texts_without_end_are_not_remembered():
    log = Log()
    log.add([came(1, NOW, user="x" * 10_000), came(2, NOW, name=Untrusted("x" * 10_000))])
    assert kept(log) == ["2"]


def test_spans_that_touch_are_one():
    log = Log()
    log.cover(0, 10)
    log.cover(10, 20)
    log.cover(30, 40)
    assert log.spans == [(0, 20), (30, 40)]
    assert log.covers(5, 15)
    assert not log.covers(15, 35)


def test_what_a_clock_put_back_makes_future_is_forgotten():
    log = Log()
    log.add(came(n, NOW + n) for n in range(10))
    log.cover(NOW, NOW + 5)
    log.cover(NOW + 7, NOW + 9)
    log.forget_after(NOW + 4)
    assert kept(log) == ["0", "1", "2", "3"]
    assert log.spans == [(NOW, NOW + 4)]
