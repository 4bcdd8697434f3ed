"""Waits of late are heeded where they err less than the simulation, and only there."""

import pytest

from predictor.windows.guesses import EARNED, MOST, MOST_CLASSES, Blend, Merits, Waits
from predictor.windows.raw import BINS, Raw

SPECIAL, GENERAL = "jobs of batch held back by a limit", "jobs of batch"


def test_only_who_waited_longer_tells_how_much_longer():
    waits = Waits([("batch", [60] * 50 + [4000] * 6 + [5000] * 9)])
    assert waits.lead_s(["batch"], 0) == 60
    assert waits.lead_s(["batch"], 3000) == 2000
    assert waits.lead_s(["batch"], 4500) is None, "too few waited longer"


def test_a_more_general_class_is_asked_where_too_little_is_known():
    waits = Waits([(SPECIAL, [10] * 9), (GENERAL, [500] * 10)])
    assert waits.lead_s([SPECIAL, GENERAL], 0) == 500


def test_waits_are_bounded_whatever_classes_come():
    waits = Waits()
    for number in range(MOST_CLASSES + 50):
        waits.add([f"jobs of {number}", GENERAL, GENERAL], number)
    assert len(waits.known.items()) == MOST_CLASSES
    assert list(waits.known.of(GENERAL)) == list(range(MOST_CLASSES + 50 - MOST, MOST_CLASSES + 50))


@pytest.mark.parametrize(
    ("own_off_s", "other_off_s", "lead_s"),
    [
        pytest.param(100, 1000, 600, id="the simulation errs less"),
        pytest.param(1000, 100, 3600, id="waits of late err less"),
    ],
)
def test_who_errs_less_is_heeded(own_off_s, other_off_s, lead_s):
    merits = Merits()
    for _ in range(60):
        merits.heard((5000.0, 5000.0 - own_off_s + other_off_s), 5000.0 - own_off_s, 1.0)
    assert merits.blended_s((600.0, 3600.0)) == pytest.approx(lead_s, rel=0.01)


def test_the_simulation_is_heeded_until_others_have_earned_it():
    merits = Merits()
    for _ in range(int(EARNED) - 5):
        merits.heard((5000.0, 1000.0), 1000.0, 1.0)
    assert merits.blended_s((600.0, 3600.0)) == 600.0
    assert merits.blended_s((600.0,)) == 600.0


def test_marks_move_along_with_the_middle():
    blend = Blend([("batch", [7200] * 20)], [(100.0, (9000.0, 10.0))] * BINS)
    raw = Raw.of([600, 1200, 2400], horizon_s=86_400, waited_s=0)
    guesses = blend.guesses(raw, ["batch"])
    marks = blend.marks(raw, guesses)
    assert guesses == (1200.0, 7200)
    assert marks.middle_s == pytest.approx(7200, rel=0.01)
    assert marks.low_s < marks.middle_s < marks.high_s
