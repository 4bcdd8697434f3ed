"""Values survive as JSON, and what is none of them is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import values

from predictor.arrivals.packing import packed, unpacked
from predictor.domain import PendingJob, Request
from predictor.errors import StorageError

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("spec", "id", "hold", "x")), inner, max_size=3)
    ),
)


@given(values(PendingJob))
def test_a_job_comes_back_as_it_was(job):
    assert unpacked(PendingJob, json.loads(json.dumps(packed(job)))) == job


@given(anything)
def test_anything_else_is_refused(data):
    with pytest.raises(StorageError):
        unpacked(PendingJob, data)


@pytest.mark.parametrize(
    "data",
    [
        {"nodes": 1},
        {"nodes": 0, "cpus": 1},
        {"nodes": True, "cpus": 1},
        {"nodes": 1, "cpus": 1, "colour": "red"},
        {"nodes": 1, "cpus": 1, "sharing": "sometimes"},
        {"nodes": 1, "cpus": 1, "licenses": [["matlab"]]},
        {"nodes": 1, "cpus": 1, "limit_s": "UNLIMITED?"},
    ],
)
def test_a_request_must_be_one(data):
    with pytest.raises(StorageError):
        unpacked(Request, data)


def test_what_stands_at_its_default_takes_no_room():
    assert packed(Request(nodes=1, cpus=2)) == {"nodes": 1, "cpus": 2}
