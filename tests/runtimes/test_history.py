"""What earlier jobs tell of the next: scenes for the model that learns."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, spec

from predictor.domain import Outcome, Untrusted
from predictor.runtimes.ended import Ended
from predictor.runtimes.history import History

LIMIT_S = 10 * HOUR
MIDDLE = 0.5


def job(user="ada", limit_s=LIMIT_S, **more):
    return spec("9", minutes=limit_s // 60, user=user, **more)


@pytest.fixture
def after(over):
    """Make a model that has learned of jobs with these run times."""

    def make(*run_s, model=None, **more):
        model = model or History()
        model.learn(over(*run_s, **({"limit_s": LIMIT_S} | more)))
        return model

    return make


def middle_s(model, asked=None, elapsed_s=0):
    return model.estimate(asked or job(), LIMIT_S, elapsed_s).law.quantile(MIDDLE)


def test_who_knows_nothing_guesses_broadly_below_the_limit():
    estimate = History().estimate(job(), LIMIT_S)
    assert estimate.law.quantile(0.1) < LIMIT_S / 10
    assert estimate.law.quantile(0.95) == LIMIT_S
    assert estimate.because == "up to its limit of 10 h: no job like it has ended yet"


def test_jobs_like_it_tell_more_than_others(after):
    model = after(*[HOUR] * 5, name=Untrusted("short"))
    after(*[5 * HOUR] * 5, model=model, name=Untrusted("long"))
    assert middle_s(model, job(name=Untrusted("short"))) == HOUR
    assert middle_s(model, job(name=Untrusted("long"))) == 5 * HOUR


def test_a_number_at_the_end_of_a_name_hides_no_likeness(after):
    model = after(*[5 * HOUR] * 9, name=Untrusted("other"))
    after(*[HOUR] * 5, model=model, name=Untrusted("step_1"))
    assert middle_s(model, job(name=Untrusted("step_2"))) == HOUR
    assert "a like name" in model.estimate(job(name=Untrusted("step_2")), LIMIT_S).because


def test_a_new_user_is_taken_for_one_of_the_others(after):
    model = History()
    for user in "abcdefghij":
        after(HOUR, model=model, user=user)
    estimate = model.estimate(job(user="new"), LIMIT_S)
    assert estimate.law.quantile(MIDDLE) == HOUR
    assert estimate.because.startswith("as the last 10 jobs of this account")


def test_it_adapts_after_one_job(after):
    model = after(*[HOUR] * 30)
    assert model.estimate(job(), LIMIT_S).law.quantile(0.9) < 2 * HOUR
    after(5 * HOUR, model=model)
    assert model.estimate(job(), LIMIT_S).law.quantile(0.9) == 5 * HOUR


def test_who_has_run_for_long_is_compared_with_those_who_ran_longer(after):
    model = after(*[HOUR] * 9, 5 * HOUR)
    assert middle_s(model, elapsed_s=2 * HOUR) == 5 * HOUR
    assert "it has run 2 h already" in model.estimate(job(), LIMIT_S, 2 * HOUR).because


def test_who_has_outlived_all_likes_may_still_reach_the_limit(after):
    law = after(*[HOUR] * 50).estimate(job(), LIMIT_S, 9 * HOUR).law
    assert law.atoms[0] > 9 * HOUR
    assert law.atoms[-1] == LIMIT_S


def test_who_has_outlived_the_limit_never_ends_now(after):
    estimate = after(*[HOUR] * 5).estimate(job(), LIMIT_S, LIMIT_S + 100)
    assert estimate.law.quantile(MIDDLE) == LIMIT_S + 100 + MINUTE
    assert "outlived" in estimate.because


def test_who_was_stopped_at_the_limit_ran_into_it(after):
    stopped = after(*[LIMIT_S - 2] * 9, outcome=Outcome.TIMEOUT)
    assert middle_s(stopped) == LIMIT_S


@pytest.mark.parametrize("outcome", [Outcome.NODE_FAIL, Outcome.PREEMPTED])
def test_who_was_cut_short_by_others_tells_nothing(after, outcome):
    assert after(*[MINUTE] * 9, outcome=outcome).state() == History().state()


@pytest.mark.parametrize(
    ("run_s", "limit_s"),
    [(-1, HOUR), (-(2**63), HOUR), (HOUR, 0), (HOUR, -5)],
)
def test_nonsense_tells_nothing(run_s, limit_s):
    model = History()
    model.learn([told(run_s, limit_s)])
    assert model.state() == History().state()


def told(run_s, limit_s, user="ada", name="odd"):
    asked = spec("1", user=user, name=Untrusted(name))
    return Ended(spec=asked, run_s=run_s, limit_s=limit_s, ended_at=0, outcome=Outcome.COMPLETED)


def test_jobs_that_ran_for_no_time_or_beyond_their_limits_count_as_if_within(after):
    assert middle_s(after(*[0] * 9)) == 1
    assert middle_s(after(*[2**62] * 9)) == LIMIT_S


def test_jobs_that_are_alike_share_a_mark_and_others_do_not(after):
    model = after(*[HOUR] * 3)
    likes = [
        model.estimate(job(**asked), LIMIT_S).likes
        for asked in (
            {"name": Untrusted("a1")},
            {"name": Untrusted("a2")},
            {"name": Untrusted("b")},
            {"name": Untrusted("a1"), "user": "bob"},
        )
    ]
    assert likes[0] == likes[1]
    assert len(set(likes)) == 3


def test_one_users_flood_of_odd_jobs_moves_nobody_else(after):
    model = after(*[HOUR] * 5)
    for user in "abcdefgh":
        after(HOUR, model=model, user=user)
    before = {user: model.estimate(job(user=user), LIMIT_S).law for user in ("ada", "a", "new")}
    odd = [
        told((n * 7919) % 10**6, 10 ** (n % 12), user="mallory", name=f"\x00{n}\ud800")
        for n in range(3000)
    ]
    model.learn(odd)
    for user, law in before.items():
        now = model.estimate(job(user=user), LIMIT_S).law
        assert now.quantile(MIDDLE) == law.quantile(MIDDLE) == HOUR
    assert len(model.state()[0]) < 400


def test_no_sentence_holds_what_a_user_wrote(after):
    marked = {"name": Untrusted("<mark>"), "user": "<mark>", "account": "<mark>"}
    model = after(*[HOUR] * 5, **marked)
    for elapsed_s in (0, HOUR // 2, 2 * HOUR, LIMIT_S):
        assert "mark" not in model.estimate(job(**marked), LIMIT_S, elapsed_s).because


def test_of_equal_jobs_equal_things_are_said(after):
    model = after(HOUR, 2 * HOUR, 3 * HOUR)
    one = model.estimate(job(), LIMIT_S)
    assert model.estimate(replace(job(), id="10"), LIMIT_S) == one
    assert after(HOUR, 2 * HOUR, 3 * HOUR).estimate(job(), LIMIT_S) == one
