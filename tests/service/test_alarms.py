"""Alarms as they are told."""

from dataclasses import replace

import pytest
from clusters import NOW
from services import ALARM

from predictor.service.alarms import MOST, RECENT_S, alarm_body, alarm_sentence, recent
from predictor.service.bodies import Alarm as Body
from predictor.windows.drift import Figure


@pytest.mark.parametrize(
    ("figure", "before", "after", "sentence"),
    [
        (
            Figure.HELD,
            0.82,
            0.554,
            "Since then, jobs of batch: share of 80 % windows that hold is 55%, and was 82%.",
        ),
        (
            Figure.OFF,
            1.62,
            13.4,
            "Since then, jobs of batch: typical factor by which starts are off is 13, and was 1.6.",
        ),
    ],
)
def test_shares_are_percents_and_factors_are_not(figure, before, after, sentence):
    alarm = replace(ALARM, what=figure, before=before, after=after)
    assert alarm_sentence(alarm, lambda _at: "then") == sentence


def test_old_ones_are_no_news_and_the_newest_come_first():
    alarms = [replace(ALARM, raised_at=NOW - age_s) for age_s in (RECENT_S + 1, 3, 2, 1)]
    assert [NOW - alarm.raised_at for alarm in recent(alarms, NOW)] == [1, 2, 3]
    assert len(recent([ALARM] * 100, NOW)) == MOST


def test_each_figure_keeps_to_the_schema():
    for figure in Figure:
        body = Body.model_validate(alarm_body(replace(ALARM, what=figure)))
        assert body.whom == "jobs of batch"
        assert body.since == "2023-11-14T20:13:20Z"
