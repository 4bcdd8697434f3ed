"""What users are told of a start: likely, at least, at most, and on what that rests."""

from dataclasses import replace
from math import inf

import pytest
from clusters import MINUTE, NOW, array, cluster, running, waiting
from hypothesis import HealthCheck, given, settings
from services import StandingClock
from strategies import snapshots
from test_experience import learned, over

from predictor.domain import Hold
from predictor.experience import Experience
from predictor.forecast import forecast
from predictor.outlooks import likely, with_outlooks
from predictor.site import Site, default

SITE = default()
PAST = tuple(over(str(n), minutes=5 + n % 10, ago=n) for n in range(40))


def site(**more):
    return Site.model_validate({"forecast": more})


def told(scene, at=SITE, experience=None):
    if experience is None:
        experience = Experience.of(at)
        experience.learn(scene)
    made = likely(scene, at, experience)
    return with_outlooks(made, scene, at, experience, clock=StandingClock(), budget_s=inf)


def outlooks(scene, at=SITE, experience=None):
    made = told(scene, at, experience).forecast
    return {one.job_id: one.outlook for one in made.predictions}


BUSY = cluster(
    1,
    running("r", "n1", 90),
    waiting("1", minutes=100),
    waiting("2", minutes=100),
    finished=PAST,
)


def test_a_likely_start_comes_long_before_all_limits():
    by_limits = {one.job_id: one.start_at for one in forecast(BUSY, SITE).predictions}
    soon = {one.job_id: one.start_at for one in likely(BUSY, SITE, learned(BUSY)).predictions}
    assert by_limits["2"] - NOW > 180 * MINUTE
    assert soon["2"] - NOW < 60 * MINUTE


@pytest.mark.parametrize("minutes_left", [90, 0, -1])
def test_where_limits_are_believed_the_replica_itself_says_who_starts_when(minutes_left):
    by_limit = site(run_times="limit")
    busy = replace(BUSY, running=(running("r", "n1", minutes_left),))
    assert likely(busy, by_limit, learned(busy)) == forecast(busy, by_limit)


def test_each_level_comes_after_the_one_before_and_none_in_the_past():
    for outlook in outlooks(BUSY).values():
        instants = [at for _, at in outlook.quantiles]
        assert instants == sorted(instants)
        assert NOW <= outlook.low_at <= outlook.likely_at <= outlook.high_at <= outlook.by_at
        assert outlook.basis


def test_equal_arguments_give_equal_windows():
    assert told(BUSY) == told(BUSY)


def test_without_draws_there_are_no_windows():
    made = told(BUSY, site(draws=0))
    assert made.forecast == likely(BUSY, SITE, learned(BUSY))
    assert (made.sayings, made.draws) == ((), 0)


def test_with_limits_alone_and_nobody_coming_the_window_is_a_point_until_it_is_corrected():
    plain = {"run_times": "limit", "arrivals": False, "cancellations": False}
    starts = {one.job_id: one.start_at for one in forecast(BUSY, SITE).predictions}
    for id_, outlook in outlooks(BUSY, site(**plain, corrected=False)).items():
        assert outlook.low_at == outlook.likely_at == outlook.by_at == starts[id_]
    for outlook in outlooks(BUSY, site(**plain)).values():
        assert outlook.low_at < outlook.high_at


def test_who_cannot_be_told_anything_has_no_window():
    scene = cluster(1, waiting("1", hold=Hold.USER), waiting("2", count=9), finished=PAST)
    made = told(scene).forecast
    assert {one.job_id for one in made.abstentions} == {"1", "2"}


def test_all_tasks_of_an_array_share_what_is_said_and_it_is_kept_under_its_name():
    scene = cluster(1, array("70", 3), finished=PAST)
    (one,) = told(scene).sayings
    assert one.key == "70"


class Asked(Exception):
    """Somebody asked a part that should be off."""


def refuses(*_, **__):
    raise Asked


PARTS = {
    "arrivals": ("predictor.arrivals.arrivals.Arrivals", "draw"),
    "cancellations": ("predictor.arrivals.departures.Departures", "leaves_s"),
    "corrected": ("predictor.windows.calibration.Calibration", "corrected"),
}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_can_be_switched_off_and_is_then_not_asked(part, monkeypatch):
    monkeypatch.setattr(".".join(PARTS[part]), refuses)
    with pytest.raises(Asked):
        told(BUSY)
    made = told(BUSY, site(**{part: False})).forecast
    assert all(one.outlook is not None for one in made.predictions)


def test_who_ran_before_and_waits_again_is_not_taken_for_started():
    again = waiting("1", minutes=100)
    scene = cluster(1, again, finished=(over("1", minutes=5, ago=10),))
    experience = learned(scene)
    experience.heard(told(scene, experience=experience).sayings)
    state = experience.state()
    after = Experience.restored(SITE, state)
    after.learn(replace(scene, taken_at=NOW + MINUTE))
    assert after.calibration.followed == {"1"}


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(snapshots(max_jobs=4))
def test_whatever_a_snapshot_says_everybody_gets_an_answer(snapshot):
    made = told(snapshot, site(draws=3)).forecast
    answered = [one.job_id for one in (*made.predictions, *made.abstentions)]
    assert sorted(answered) == sorted(job.spec.id for job in snapshot.pending)
