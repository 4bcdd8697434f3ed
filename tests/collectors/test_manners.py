"""How often a batch system is asked, by each way of looking."""

import pytest
from recordings import HandClock
from ways import NOW, WAYS

MOST_A_MINUTE = 8


@pytest.mark.parametrize("way", [pytest.param(way, id=way.name) for way in WAYS])
def test_a_handful_of_questions_a_minute_one_at_a_time(way):
    answer, clock, asked, in_flight = way.run({}), HandClock(NOW), [], []

    def run(argv, timeout_s):
        assert not in_flight
        in_flight.append(argv)
        clock.sleep(0.5)
        asked.append(tuple(argv))
        answered = answer(argv, timeout_s)
        in_flight.clear()
        return answered

    source = way.make(run, clock)
    source.observe()
    for _ in range(3):
        asked.clear()
        clock.sleep(60)
        source.observe()
        assert 0 < len(asked) <= MOST_A_MINUTE
        assert len(set(asked)) == len(asked)
