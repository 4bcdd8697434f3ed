"""Told all but the starts of a cluster whose scheduler is known, the replica errs by nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_recordings import recorded

from predictor.site import Site
from verification.replica.window import play

NUMBERED = ("fcfs", "list", "easy", "conservative")
POLICIES = (*NUMBERED, "two-pass")
SIZE = 6
MINUTES = 60


@st.composite
def rows(draw):
    """Submit time, nodes, run time and limit of some jobs: enough to be in each other's way."""
    # Whole minutes let plans and ends meet at the same second.
    submit = st.sampled_from((0, 60, 120)) | st.integers(0, 30 * 60)
    limit = st.integers(1, 20).map(lambda minutes: 60 * minutes)
    found = []
    for at in sorted(draw(st.lists(submit, min_size=1, max_size=14))):
        longest = draw(limit)
        run = draw(st.integers(1, longest) | st.just(longest))
        found.append((at, draw(st.integers(1, SIZE)), run, longest))
    return found


def site_of(policy):
    return Site.model_validate({} if policy == "two-pass" else {"policy": {"name": policy}})


def errors_of(played):
    return {
        one.id: (one.real_at, one.said_at) for one in played.members if one.real_at != one.said_at
    }


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=12, deadline=None)
@given(rows=rows(), begin=st.integers(0, 20))
def test_nobody_is_off_by_a_second(policy, rows, begin):
    history = recorded(rows, SIZE, policy, MINUTES)
    played = play(history, begin, 30 * 60, site_of(policy))
    assert errors_of(played) == {}


# submit, nodes, run, limit: the second is wide and has to wait; the third could pass it
SCENE = ((60, 4, 600, 900), (120, 6, 300, 600), (180, 2, 1200, 1200), (240, 2, 300, 300))


@pytest.mark.parametrize("policy", NUMBERED)
@pytest.mark.parametrize("other", NUMBERED)
def test_a_replica_of_another_policy_is_found_out(policy, other):
    played = play(recorded(SCENE, SIZE, policy, MINUTES), 0, 50 * 60, site_of(other))
    alike = policy == other or {policy, other} == {"easy", "conservative"}
    assert (errors_of(played) == {}) is alike
