"""What the engine is told of each limit, besides its cap: whom it puts off, and what is forgotten.

Source: Slurm 22.05, acct_policy.c, and logs of passes of a real one with `assoc_limit_stop`.
"""

import pytest

from predictor.limits import Bound, Scope, Whose, rules
from predictor.limits.groups import Group, Watch
from predictor.simulation.limit_rules import translated

GROUP = Group(watch=Watch(), used_seconds={})


def told(bound, whose, resource="", *, early):
    scope = Scope(whose=whose, name="normal")
    one = rules.Rule(bound=bound, scope=scope, resource=resource, cap=3, group=GROUP)
    return translated(one, {"": 0, "cpu": 2, "node": 1}, {GROUP: 0}, early=early)


@pytest.mark.parametrize(
    ("bound", "whose", "resource", "delays"),
    [
        pytest.param(Bound.TRES, Whose.QOS, "cpu", True, id="what a QOS may have at a time"),
        pytest.param(Bound.JOBS, Whose.QOS, "", False, id="not how many jobs"),
        pytest.param(Bound.USED_WALL, Whose.QOS, "", False, id="nor how long these ran"),
        pytest.param(Bound.TRES, Whose.USER_OF_QOS, "cpu", False, id="nor what a user of it may"),
        pytest.param(Bound.TRES, Whose.ACCOUNT, "cpu", False, id="nor an account"),
    ],
)
def test_which_limits_put_off_others_of_the_qos(bound, whose, resource, delays):
    assert told(bound, whose, resource, early=not resource).delays is delays


@pytest.mark.parametrize("whose", Whose)
def test_only_of_jobs_of_accounts_within_a_qos_it_is_forgotten_whom_they_keep_back(whose):
    assert told(Bound.JOBS, whose, early=True).forgotten is (whose is Whose.ACCOUNT_OF_QOS)
    assert not told(Bound.TRES, whose, "cpu", early=False).forgotten
