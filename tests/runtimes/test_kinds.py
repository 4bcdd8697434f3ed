"""What jobs have in common."""

import pytest
from clusters import HOUR, spec
from hypothesis import given, settings
from strategies import values

from predictor.domain import JobSpec, Untrusted
from predictor.runtimes.kinds import LONGEST_NAME, WORDS, kinds_of, stem_of


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("run12", "run"),
        ("run_12", "run"),
        ("run-3.7", "run"),
        ("2024", "2024"),
        ("", ""),
        ("x2y", "x2y"),
        ("\x00", "\x00"),
    ],
)
def test_numbers_at_the_end_of_a_name_are_left_out(name, stem):
    assert stem_of(spec("1", name=Untrusted(name))) == stem


def test_the_most_special_kind_comes_first_and_all_jobs_last():
    kinds = kinds_of(spec("1", name=Untrusted("run1")), HOUR)
    sorts = [key[0] for key in (*kinds.own, *kinds.shared)]
    assert sorts == list(WORDS)


def test_a_name_without_number_is_its_own_stem():
    kinds = kinds_of(spec("1", name=Untrusted("run")), HOUR)
    assert "stem" not in [key[0] for key in kinds.own]


@settings(max_examples=50)
@given(values(JobSpec))
def test_kinds_are_small_and_each_is_there_once(job):
    kinds = kinds_of(job, HOUR)
    keys = (*kinds.own, *kinds.shared)
    assert len(set(keys)) == len(keys)
    assert {key[0] for key in keys} <= WORDS.keys()
    assert max(len(part) for key in keys for part in key if isinstance(part, str)) <= LONGEST_NAME
    assert kinds.work in kinds.own
