"""Windows of the minute before are shown for some seconds, where they still make sense."""

from dataclasses import replace

from clusters import NOW
from services import result, said, scene, sure

from predictor.domain.durations import HOUR_S
from predictor.service.carrying import carried

SEEN = scene()


def starting(made, *, later_s):
    """The same forecast with all starts moved."""
    moved = tuple(replace(one, start_at=one.start_at + later_s) for one in made.predictions)
    return replace(made, predictions=moved)


def test_windows_stay_until_there_are_new_ones():
    made = said(scene())
    told = carried(made, SEEN, result(windows=True))
    assert told == sure(made)


def test_what_of_them_is_past_by_now_is_cut_off():
    seen = replace(scene(), taken_at=NOW + 2_000)
    made = starting(said(seen), later_s=-2_000)
    outlook = carried(made, SEEN, result(windows=True)).predictions[0].outlook
    # said at NOW: between half an hour and two hours later
    assert outlook.low_at == NOW + 2_000
    assert outlook.quantiles[0] == (0.1, NOW + 2_000)
    assert outlook.likely_at == NOW + HOUR_S


def test_a_start_outside_of_its_window_has_none():
    told = carried(starting(said(scene()), later_s=3 * HOUR_S), SEEN, result(windows=True))
    assert [one.outlook for one in told.predictions] == [None, None]


def test_a_job_that_is_new_has_none():
    made = said(scene())
    last = result(replace(scene(), pending=scene().pending[:1]), windows=True)
    assert [one.outlook is None for one in carried(made, SEEN, last).predictions] == [False, True]


def test_windows_are_carried_over_once():
    made = said(scene())
    last = replace(result(windows=True), first=True)
    assert carried(made, SEEN, last) is made


def test_before_the_first_result_there_is_nothing_to_carry():
    made = said(scene())
    assert carried(made, SEEN, None) is made
    assert carried(made, SEEN, replace(result(windows=True), cluster="other")) is made


def test_windows_that_are_told_already_are_not_replaced():
    made = sure(said(scene()), likely_s=60)
    assert carried(made, SEEN, result(windows=True)) == made


def test_nor_has_one_that_goes_by_the_id_of_another():
    first, *others = SEEN.pending
    later = replace(first.spec, submitted_at=first.spec.submitted_at + 1)
    seen = replace(SEEN, pending=(replace(first, spec=later), *others))
    told = carried(said(seen), seen, result(windows=True))
    assert [one.outlook is None for one in told.predictions] == [True, False]
