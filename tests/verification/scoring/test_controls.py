import json
from dataclasses import replace
from random import Random

import pytest
from clusters import HOUR, NOW
from hypothesis import given, settings
from judged import case, cases
from performed import busy_cluster, recorded

from predictor.domain import shift
from predictor.domain.durations import DAY_S
from predictor.simulation.story import Story
from predictor.site import Site
from verification.baselines.everybody import everybody
from verification.fidelity.history import history_of
from verification.judging.assembling import cases_of
from verification.scoring.columns import columns_of
from verification.scoring.controls import ORACLE, SHUFFLED, oracle, shifted, shuffled
from verification.scoring.score import score

MONTH_S = 30 * DAY_S + 12_345


@settings(max_examples=25, deadline=None)
@given(cases())
def test_an_oracle_makes_no_error(some):
    found = score(
        saying(some, ORACLE, oracle(columns_of(some))), seed=1, draws=20, ours=ORACLE
    ).figures
    if not found.points.jobs_scored:
        return
    assert found.points.answered == 1
    assert found.abstentions == {}
    assert found.points.mae_s == found.points.p99_abs_s == found.points.bias_s == 0
    assert found.points.within_60s == found.points.within_factor2 == 1
    assert found.windows.coverage80 == 1
    assert found.windows.winkler80_s == found.distributions.crps_s == 0
    assert found.promises.broken95 == 0
    assert found.kendall_tau in (1, None)


def test_answers_given_to_the_wrong_jobs_show_no_skill():
    """Real starts far apart, said within five minutes: skill, until the answers change hands."""
    source = Random(1)  # noqa: S311 - no secret
    some = []
    for snapshot in range(60):
        at = snapshot * HOUR
        for job in range(20):
            started_at = at + source.randrange(1, 20_000)
            said_at = started_at + source.randrange(-300, 300)
            some.append(case(f"{snapshot}-{job}", seen_at=at, started_at=started_at, ours=said_at))
    given_ = shuffled(columns_of(some), columns_of(some).said("ours"), seed=2)
    told = saying(some, SHUFFLED, given_)
    found = score(told, seed=3, draws=200, baselines=(SHUFFLED,))
    wrong = found.baselines[SHUFFLED]
    assert found.figures.kendall_tau > 0.9
    assert abs(wrong.figures.kendall_tau) < 0.05
    assert wrong.figures.points.bias_s == pytest.approx(found.figures.points.bias_s)
    # Two instants drawn from the same 20,000 s lie a third of that apart.
    assert wrong.figures.points.mae_s == pytest.approx(20_000 / 3, rel=0.1)
    assert wrong.comparison.verdict == "better"
    same = score(told, seed=3, draws=200, ours=SHUFFLED, baselines=("ours",))
    assert same.baselines["ours"].comparison.verdict == "worse"


def test_shuffling_gives_each_answer_away_once():
    columns = columns_of([case(str(n), started_at=50, ours=n) for n in range(9)] + [case("x")])
    said = columns.said("ours")
    given_ = [one.likely_at for one in shuffled(columns, said, seed=1)]
    assert sorted(given_[:9]) == [*range(9)] != given_[:9]
    assert given_[9] is None
    assert shuffled(columns, said, seed=1) == shuffled(columns, said, seed=1)


def test_shuffling_keeps_answers_in_their_recording():
    some = [
        case(f"{name}{n}", started_at=50, ours=n + first, recording=name)
        for name, first in (("a/", 0), ("b/", 100))
        for n in range(9)
    ]
    columns = columns_of(some)
    given_ = shuffled(columns, columns.said("ours"), seed=1)
    assert all(one.likely_at < 100 for one in given_[:9])
    assert all(one.likely_at >= 100 for one in given_[9:])


def test_each_score_tells_its_controls():
    some = [case(str(n), started_at=n, ours=n + 60) for n in range(9)]
    found = score(some, seed=1, draws=20).as_json()["controls"]
    assert (found[ORACLE]["mae_s"], found[ORACLE]["kendall_tau"]) == (0, 1)
    assert found[SHUFFLED]["kendall_tau"] < 1


def saying(some, name, said):
    """Return the cases, in the order of columns, with one more predictor."""
    ordered = columns_of(some).cases
    return [
        replace(one, said={**one.said, name: told_})
        for one, told_ in zip(ordered, said, strict=True)
    ]


@settings(max_examples=25, deadline=None)
@given(cases())
def test_cases_at_another_date_are_scored_the_same(some):
    there = [shifted(one, MONTH_S) for one in some]
    assert told(there) == told(some)


def test_a_recording_at_another_date_is_scored_the_same():
    snapshot, later, run_s = busy_cluster()
    snapshots, outcomes = recorded(snapshot, Story(run_s=run_s, arrivals=later), NOW + 1200)
    over = shift.shifted(replace(snapshot, finished=tuple(outcomes)), MONTH_S).finished
    moved = [shift.shifted(one, MONTH_S) for one in snapshots]
    here = list(replayed(history_of(snapshots, outcomes)))
    there = list(replayed(history_of(moved, over)))
    assert len(here) > 300
    assert told(here) == told(there)
    assert score(here, seed=1, draws=20).figures.points.answered == 1


def told(some):
    return json.dumps(score(some, seed=1, draws=20).as_json())


def replayed(history):
    """Yield the cases of a history as everybody answers it, snapshot by snapshot.

    Nobody draws newcomers: who comes depends on the hour of the week, and on luck of that date.
    """
    asked = everybody(Site.model_validate({"forecast": {"arrivals": False, "draws": 8}}))
    for number, snapshot in enumerate(history.snapshots):
        for one in asked:
            one.learn(snapshot)
        yield from cases_of(history, number, {one.name: one.say(snapshot) for one in asked})
