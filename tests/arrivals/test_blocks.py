"""Pieces of the past are like what comes, and chosen with luck that lasts."""

from collections import Counter

from clusters import HOUR, NOW
from hypothesis import given
from hypothesis import strategies as st

from predictor.arrivals.blocks import candidates, chosen
from predictor.domain.durations import DAY_S as DAY

MIDNIGHT = NOW - NOW % DAY
"""A Tuesday."""
options = st.dictionaries(st.integers(1, 10**7), st.floats(1e-3, 1), min_size=1, max_size=12)


def pieces(begin_at, since, now, length_s=4 * HOUR, offset_s=0):
    """Return the lags in hours, best first."""

    def covered(first, last):
        return since <= first and last <= now

    found = candidates(begin_at, length_s, covered, now, offset_s)
    return [lag // HOUR for lag, _ in sorted(found, key=lambda one: -one[1])]


@given(
    begin_at=st.integers(MIDNIGHT, MIDNIGHT + 30 * DAY),
    known_s=st.integers(0, 90 * DAY),
    length_s=st.sampled_from((900, 3600, 4 * 3600)),
)
def test_pieces_are_over_and_were_seen(begin_at, known_s, length_s):
    now = MIDNIGHT
    for lag in pieces(begin_at, now - known_s, now, length_s):
        first = begin_at - lag * HOUR
        assert now - known_s - HOUR < first
        assert first + length_s < now + HOUR


def test_the_same_hour_of_the_same_kind_of_day_is_best():
    known = MIDNIGHT - 8 * 7 * DAY
    tuesday = pieces(MIDNIGHT, known, MIDNIGHT)
    assert {24, 7 * 24} <= set(tuesday[:3])
    assert tuesday.index(24) < tuesday.index(2 * 24)  # Monday before Sunday
    saturday = pieces(MIDNIGHT + 4 * DAY, known, MIDNIGHT)
    assert saturday[0] == 7 * 24
    assert saturday.index(6 * 24) < saturday.index(5 * 24)  # Sunday before Monday


def test_weekends_are_those_of_local_time():
    known, sunday_evening = MIDNIGHT - 21 * DAY, MIDNIGHT - 2 * DAY + 20 * HOUR
    now = sunday_evening - HOUR
    here = pieces(sunday_evening, known, now)
    far_east = pieces(sunday_evening, known, now, offset_s=9 * HOUR)
    assert here.index(24) < here.index(3 * 24)  # Saturday before Thursday
    assert far_east.index(3 * 24) < far_east.index(24)


def test_with_little_known_any_hour_will_do():
    assert pieces(MIDNIGHT, MIDNIGHT - 6 * HOUR, MIDNIGHT) == [4, 5, 6]


@given(known=options, lag=st.integers(1, 10**7), fits=st.floats(1e-3, 1), seed=st.text())
def test_one_more_piece_changes_the_choice_only_to_itself(known, lag, fits, seed):
    seed = seed.encode("utf-8", "replace").decode()
    before = chosen(list(known.items()), seed)
    known.pop(lag, None)
    if before != lag:
        assert chosen([(lag, fits), *known.items()], seed) in (before, lag)


def test_pieces_are_chosen_as_they_fit():
    counts = Counter(chosen([(HOUR, 1.0), (DAY, 3.0)], str(n)) for n in range(2000))
    assert 0.71 < counts[DAY] / 2000 < 0.79
