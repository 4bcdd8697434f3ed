"""Estimates of run times from jobs that ended before, the most special kind first."""

from clusters import MINUTE, spec

from verification.ladder.medians import Medians, kinds_of

LIMIT_S = 60 * MINUTE
MINE = kinds_of(spec("9", 1, 60))


def known(*run_s, **more):
    medians = Medians()
    for one in run_s:
        medians.learn(kinds_of(spec("1", 1, 60, **more)), one)
    return medians


def test_without_enough_that_ended_the_limit_is_left():
    assert known().run_s(MINE, LIMIT_S) == LIMIT_S
    assert known(5, 6).run_s(MINE, LIMIT_S) == LIMIT_S


def test_the_median_of_the_same_user_counts():
    assert known(5, 600, 7).run_s(MINE, LIMIT_S) == 7


def test_only_the_last_ones_count():
    assert known(*[5] * 30, *[50] * 20).run_s(MINE, LIMIT_S) == 50


def test_others_of_the_partition_with_that_limit_count_before_the_limit_does():
    assert known(70, 70, 70, user="bob").run_s(MINE, LIMIT_S) == 70


def test_who_has_run_for_long_is_compared_with_those_who_ran_longer():
    medians = known(5, 6, 7, 500, 600, 700)
    assert medians.run_s(MINE, LIMIT_S, elapsed_s=100) == 600
    assert medians.run_s(MINE, LIMIT_S, elapsed_s=650) == LIMIT_S


def test_nobody_runs_beyond_the_limit():
    assert known(9000, 9000, 9000).run_s(MINE, LIMIT_S) == LIMIT_S
