"""The models one may choose instead: rules, the last two, the limit."""

import pytest
from clusters import HOUR, MINUTE, spec

from predictor.domain import Untrusted
from predictor.runtimes.models import MODELS

LIMIT_S = 10 * HOUR


@pytest.fixture
def after(over):
    def make(called, /, *run_s, model=None, **more):
        model = model or MODELS[called]()
        model.learn(over(*run_s, **({"limit_s": LIMIT_S} | more)))
        return model

    return make


def said_s(model, elapsed_s=0, **asked):
    estimate = model.estimate(spec("9", minutes=LIMIT_S // 60, **asked), LIMIT_S, elapsed_s)
    assert len(estimate.law.atoms) == 1
    return estimate.law.atoms[0]


def test_rules_take_the_last_of_the_most_special_profile(after):
    model = after("rules", 4 * HOUR, HOUR, name=Untrusted("a1"))
    after("rules", 2 * HOUR, model=model, name=Untrusted("a2"))
    after("rules", 3 * HOUR, model=model, name=Untrusted("b"))
    assert said_s(model, name=Untrusted("a1")) == HOUR
    assert said_s(model, name=Untrusted("a3")) == 2 * HOUR
    assert said_s(model, name=Untrusted("b"), count=7) == 3 * HOUR
    assert said_s(model, name=Untrusted("c")) == LIMIT_S


def test_rules_go_on_to_a_wider_profile_when_a_job_outlives_the_first(after):
    model = after("rules", HOUR, name=Untrusted("a1"))
    after("rules", 2 * HOUR, model=model, name=Untrusted("a2"))
    assert said_s(model, elapsed_s=90 * MINUTE, name=Untrusted("a1")) == 2 * HOUR
    assert said_s(model, elapsed_s=3 * HOUR, name=Untrusted("a1")) == LIMIT_S


def test_rules_say_which_one_it_was(after):
    model = after("rules", HOUR, name=Untrusted("a1"))
    estimate = model.estimate(spec("9", minutes=60, name=Untrusted("a1")), HOUR)
    assert estimate.because == "as the last job of this user of the same name and partition: 1 h"


def test_the_last_two_of_the_user_are_averaged(after):
    model = after("last-two", 9 * HOUR, HOUR, 2 * HOUR)
    assert said_s(model) == 90 * MINUTE
    assert said_s(model, user="bob") == LIMIT_S


def test_one_is_not_two(after):
    assert said_s(after("last-two", HOUR)) == LIMIT_S


def test_who_has_outlived_the_last_two_runs_into_its_limit(after):
    assert said_s(after("last-two", HOUR, HOUR), elapsed_s=HOUR) == LIMIT_S


def test_limits_are_believed_whatever_happened(after):
    assert said_s(after("limit", HOUR, HOUR)) == LIMIT_S
