"""The last run times of one kind, and what they make of the next one's."""

import json

import pytest

from predictor.domain.durations import HOUR_S as HOUR
from predictor.runtimes.law import Law
from predictor.runtimes.runs import EARLY_S, OF_ONE_USER, REMEMBERED, Runs

LIMIT_S = 10 * HOUR


def known(*run_s, limit_s=LIMIT_S, shared=False, users=("ada",)):
    """Run times in the order of their ends; of users in turn."""
    runs = Runs(shared=shared)
    for number, one in enumerate(run_s):
        runs.add(one, limit_s, users[number % len(users)])
    return runs


def test_the_last_one_counts_most():
    law = known(1 * HOUR, 2 * HOUR, 3 * HOUR).law(LIMIT_S)
    assert law.atoms == (HOUR, 2 * HOUR, 3 * HOUR)
    assert law.reached == pytest.approx((2 / 11, 5 / 11, 1))


def test_of_several_users_each_counts_the_same():
    runs = known(HOUR, HOUR, HOUR, shared=True)
    runs.add(2 * HOUR, LIMIT_S, "bob")
    assert runs.law(LIMIT_S).reached == pytest.approx((0.5, 1))
    assert runs.mass == 2


def test_one_user_cannot_fill_what_is_remembered_of_all():
    runs = known(*[HOUR] * 20, shared=True, users=("ada", "bob"))
    for _ in range(1000):
        runs.add(5 * HOUR, LIMIT_S, "mallory")
    users = [user for _, _, user in runs.last]
    assert {name: users.count(name) for name in users} == {
        "mallory": OF_ONE_USER,
        "ada": OF_ONE_USER,
        "bob": OF_ONE_USER,
    }
    assert runs.law(LIMIT_S).quantile(0.6) == HOUR


def test_only_so_many_are_remembered():
    runs = known(*[5 * HOUR] * 10, *[HOUR] * REMEMBERED)
    assert runs.law(LIMIT_S) == Law.certain(HOUR)


@pytest.mark.parametrize(
    ("run_s", "under_s"),
    [
        pytest.param(2 * HOUR, HOUR, id="who used a share of the limit uses that share of another"),
        pytest.param(EARLY_S - 1, EARLY_S - 1, id="who failed early fails as early"),
        pytest.param(LIMIT_S, LIMIT_S // 2, id="who ran into the limit runs into another"),
    ],
)
def test_under_another_limit(run_s, under_s):
    assert known(run_s).law(LIMIT_S // 2) == Law.certain(under_s)


def test_run_times_that_stay_the_same_whatever_the_limit_are_told_as_such():
    runs = known(HOUR, limit_s=2 * HOUR)
    for limit_s in (20 * HOUR, 4 * HOUR, 40 * HOUR):
        runs.add(HOUR, limit_s, "ada")
    assert runs.law(10 * HOUR).quantile(0.5) == HOUR


def test_a_limit_that_told_better_than_earlier_jobs_is_believed():
    wild = known(LIMIT_S, HOUR, LIMIT_S, LIMIT_S, 2 * HOUR, LIMIT_S, HOUR, HOUR, LIMIT_S, LIMIT_S)
    tame = known(*[HOUR] * 10)
    assert wild.law(LIMIT_S).reached[-2] <= 0.5
    assert tame.law(LIMIT_S) == Law.certain(HOUR)


def test_an_answer_is_not_kept_beyond_the_next_job():
    runs = known(HOUR)
    before = runs.law(LIMIT_S)
    runs.add(2 * HOUR, LIMIT_S, "ada")
    assert runs.law(LIMIT_S) != before


def test_what_is_restored_goes_on_the_same_way():
    runs = known(HOUR, 2 * HOUR, 3 * HOUR, limit_s=LIMIT_S)
    again = Runs.restored(json.loads(json.dumps(runs.state())), shared=False)
    for one in (runs, again):
        one.add(4 * HOUR, 5 * HOUR, "ada")
    assert again.law(LIMIT_S) == runs.law(LIMIT_S)
    assert again.state() == runs.state()


@pytest.mark.parametrize(
    "state",
    [
        pytest.param([[0, 0, 0, 0], []], id="no run time"),
        pytest.param([[0, 0, 0, 0], [[5, 0, ""]]], id="a limit of nothing"),
        pytest.param([[0, 0, 0, 0], [[-5, 60, ""]]], id="a negative run time"),
        pytest.param([[0, 0, 0, 0], [[61, 60, ""]]], id="longer than its limit"),
        pytest.param([[0, 0], [[5, 60, ""]]], id="half of the misses"),
        pytest.param([[0, 0, 0, 0], [[5, 60, ""]] * (REMEMBERED + 1)], id="too many"),
    ],
)
def test_run_times_that_cannot_be_are_refused(state):
    with pytest.raises(ValueError, match="cannot be"):
        Runs.restored(state, shared=True)
