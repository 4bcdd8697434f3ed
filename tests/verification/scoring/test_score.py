import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import case, cases

from predictor.domain.durations import DAY_S as DAY
from predictor.domain.durations import HOUR_S as HOUR
from verification.judging.case import Said
from verification.scoring.score import BASELINES, score

POINTS = ("jobs_scored", "answered", "mae_s", "median_abs_s", "p90_abs_s", "bias_s", "sigma_s")
SHARES = ("within_60s", "within_600s", "kendall_tau", "coverage80", "broken95")
HEADLINE = (*POINTS, *SHARES, "width80_median_s", "winkler80_s")


def told(some):
    return json.dumps(score(some, seed=1, draws=20).as_json())


def test_the_names_of_the_json_stay():
    found = score([case(started_at=9, ours=7, slurm=5)], seed=1).as_json()
    assert set(HEADLINE) <= found.keys()
    assert list(found["baselines"]) == list(BASELINES)
    for baseline in found["baselines"].values():
        assert {"mae_s", "median_abs_s", "answered", "mae_ratio"} <= baseline.keys()
    assert found["baselines"]["slurm"]["mae_ratio"] == 0.5
    assert found["baselines"]["qbets"]["answered"] == 0
    assert found["baselines"]["qbets"]["mae_ratio"] is None
    assert (found["coverage80"], found["broken95"]) == (None, None)


def test_nothing_is_scored_as_nothing():
    found = score([], seed=1).as_json()
    assert found["jobs_scored"] == 0
    assert all(found[name] is None for name in HEADLINE if name != "jobs_scored")


@settings(max_examples=25, deadline=None)
@given(cases(), st.randoms())
def test_the_order_of_cases_does_not_matter(some, random):
    assert told(random.sample(some, len(some))) == told(some)


@settings(max_examples=25, deadline=None)
@given(cases())
def test_each_way_of_telling_apart_loses_no_job(some):
    found = score(some, seed=1, draws=20).figures
    started = found.points.jobs_scored
    for name, strata in found.by.items():
        jobs = sum(stratum.points.jobs_scored for stratum in strata.values())
        assert jobs >= started or name == "lead"
    if started:
        silent = sum(found.abstentions.values())
        assert found.points.answered + silent == pytest.approx(1)


def test_errors_are_told_apart_by_how_far_ahead_a_start_was_said_to_be():
    some = [
        case("soon", started_at=100, ours=600),
        case("later", started_at=100, ours=601),
        case("silent", started_at=100, ours=Said(why_not="held")),
    ]
    found = score(some, seed=1).figures
    leads = [(label, stratum.points.jobs_scored) for label, stratum in found.by["lead"].items()]
    assert leads == [("up to 10 min", 1), ("up to 1 h", 1)]
    assert found.abstentions == {"held": pytest.approx(1 / 3)}


def test_a_start_told_of_a_job_that_left_before_is_false():
    some = [
        case("false", removed_at=100, ours=99),
        case("fine", removed_at=100, ours=100),
        case("silent", removed_at=100),
    ]
    assert score(some, seed=1).figures.false_starts == pytest.approx(1 / 3)


def test_only_jobs_that_both_answered_are_compared():
    some = [
        case("both", started_at=100, ours=110, slurm=140),
        case("ours only", started_at=100, ours=9999),
        case("theirs only", started_at=100, slurm=9999),
    ]
    found = score(some, seed=1).baselines["slurm"].comparison
    assert (found.mae_ratio, found.mae_difference_s) == (0.25, -30)
    assert found.verdict == "not_known_yet"  # one hour says nothing of others


def test_better_in_every_hour_is_better():
    some = [
        case(str(n), seen_at=n * HOUR, started_at=n * HOUR, ours=n * HOUR + n, slurm=n * HOUR + 99)
        for n in range(20)
    ]
    found = score(some, seed=1)
    assert (found.blocks, found.block_s, found.indicative) == (20, HOUR, True)
    assert found.baselines["slurm"].comparison.verdict == "better"
    low, high = found.intervals["mae_s"]
    assert 0 < low < 9.5 < high < 19
    assert found.intervals["bias_s"] == found.intervals["mae_s"]


def test_better_by_chance_is_not_known_yet():
    some = [
        case(str(n), seen_at=n * HOUR, started_at=n * HOUR, ours=n * HOUR, slurm=n * HOUR)
        for n in range(9)
    ]
    some.append(case("x", seen_at=10 * HOUR, started_at=0, ours=100, slurm=200))
    assert score(some, seed=1).baselines["slurm"].comparison.verdict == "not_known_yet"


def test_days_are_drawn_where_there_are_enough():
    some = [case(str(n), seen_at=n * DAY, started_at=n * DAY, ours=n * DAY) for n in range(14)]
    assert not score(some, seed=1).indicative
    assert score(some[:13], seed=1).indicative


def of_two_recordings():
    """Ten hours at the same dates; answers are off by 100 s in one, by 1000 s in the other."""
    return [
        case(f"{name}{n}", seen_at=at, started_at=at + real_s, ours=at + said_s, recording=name)
        for n, at in enumerate(range(0, 10 * HOUR, HOUR))
        for name, real_s, said_s in (("a/", 600, 700), ("b/", 6000, 5000))
    ]


def test_the_same_hours_of_another_recording_are_other_blocks():
    found = score(of_two_recordings(), seed=1)
    assert found.blocks == 20
    low, high = found.intervals["mae_s"]
    assert low < 550 < high, "were blocks shared, each would hold one of either: 550 for sure"


def test_blocks_of_each_recording_begin_with_it():
    some = [
        case(name, seen_at=at, started_at=at, ours=at, recording=name)
        for name, begin in (("a/", 0), ("b/", HOUR // 2))
        for at in (begin, begin + HOUR - 1)
    ]
    assert score(some, seed=1).blocks == 2


def test_orders_are_agreed_upon_within_one_recording():
    one = [case(f"a{n}", started_at=n, ours=n, recording="a/") for n in range(3)]
    other = [case(f"b{n}", started_at=n, ours=n + 9, recording="b/") for n in range(3)]
    assert score([*one, *other], seed=1).figures.kendall_tau == 1


def test_equal_seeds_draw_equally():
    some = [
        case(str(n), seen_at=n * HOUR, started_at=n * HOUR, ours=n * HOUR + n * n)
        for n in range(30)
    ]
    assert score(some, seed=1).intervals == score(some, seed=1).intervals
    assert score(some, seed=1).intervals != score(some, seed=2).intervals
