"""What is forgotten first."""

import pytest

from predictor.runtimes import memory
from predictor.runtimes.memory import Memory


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(memory, "MOST_OF_ALL", 6)
    return Memory(most_of_user=3)


def test_a_user_who_floods_it_forgets_only_the_users_own(small):
    small.put("ada", ("a",), 1)
    for number in range(1000):
        small.put("mallory", (number,), number)
    assert small.of("ada") == {("a",): 1}
    assert small.of("mallory") == {(997,): 997, (998,): 998, (999,): 999}


def test_what_was_put_again_is_kept_longer(small):
    for key in "abcad":
        small.put("ada", (key,), 0)
    assert set(small.of("ada")) == {("c",), ("a",), ("d",)}


def test_when_all_is_full_who_was_not_heard_of_for_longest_goes(small):
    for user in ("ada", "bob", "ada", "cyd"):
        for key in "abc":
            small.put(user, (key,), 0)
    assert [len(small.of(user)) for user in ("ada", "bob", "cyd")] == [3, 0, 3]


def test_it_may_be_put_again_as_it_is_told(small):
    for user, key in (("ada", "a"), ("bob", "b"), ("ada", "c"), ("bob", "a")):
        small.put(user, (key,), 0)
    again = Memory(most_of_user=3)
    for one in small.items():
        again.put(*one)
    assert list(again.items()) == list(small.items())
