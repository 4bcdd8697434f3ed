"""What holds for every model of run times."""

import json

import pytest
from clusters import HOUR, MINUTE, spec
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ints, values

from predictor.domain import JobSpec
from predictor.errors import StorageError
from predictor.runtimes.ended import Ended
from predictor.runtimes.law import LONGER_S
from predictor.runtimes.models import DEFAULT, MODELS, restored

few = settings(max_examples=25)
every_model = pytest.mark.parametrize("name", MODELS)
users = st.sampled_from(("ada", "bob", "\x00", "\ud800"))
seconds = st.integers(-10, 2 * HOUR) | ints
jobs = st.lists(
    values(Ended, spec=values(JobSpec, user=users), run_s=seconds, limit_s=seconds), max_size=12
)


@every_model
@few
@given(past=jobs, job=values(JobSpec, user=users), elapsed_s=st.integers(0, 2**40))
def test_a_job_runs_longer_than_it_has_and_not_beyond_its_limit(name, past, job, elapsed_s):
    model = MODELS[name]()
    model.learn(past)
    law = model.estimate(job, HOUR, elapsed_s).law
    assert law.atoms[0] > elapsed_s
    assert law.atoms[-1] <= max(HOUR, elapsed_s + LONGER_S)


@every_model
@few
@given(past=jobs, later=jobs, job=values(JobSpec, user=users))
def test_a_model_goes_on_where_it_stopped(name, past, later, job):
    model = MODELS[name]()
    model.learn(past)
    again = restored(name, json.loads(json.dumps(model.state())))
    for one in (model, again):
        one.learn(later)
    assert again.estimate(job, HOUR) == model.estimate(job, HOUR)
    assert again.state() == model.state()


@every_model
def test_who_knows_nothing_says_so(name):
    assert "limit" in MODELS[name]().estimate(spec("1"), HOUR).because


@pytest.mark.parametrize("state", [None, 7, [1], [["a"]], {"kinds": 3}, [[["name"], ["x"]]]])
def test_a_strange_state_is_refused(state):
    with pytest.raises(StorageError, match="run times"):
        restored(DEFAULT, state)


def test_a_model_nobody_knows_is_refused():
    with pytest.raises(StorageError, match="'crystal ball'"):
        restored("crystal ball", None)


def test_history_tells_where_an_estimate_comes_from(over):
    model = MODELS["history"]()
    model.learn(over(5 * MINUTE, 12 * MINUTE, 40 * MINUTE))
    estimate = model.estimate(spec("9", minutes=60), HOUR)
    assert estimate.because.startswith("as the last 3 jobs of this user with the same name")
    assert estimate.because.endswith("half of them 12 min or less")
