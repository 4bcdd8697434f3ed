"""A request that makes no sense is refused where it is made."""

import pytest

from predictor.domain import Request


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"nodes": 0}, "at least one node, not 0"),
        ({"cpus": 0}, "at least one CPU, not 0"),
        ({"cpus_named": 0}, "at least one CPU, not 0"),
        ({"cpus_named": -3}, "at least one CPU, not -3"),
        ({"cpus_per_core": 0}, "at least one CPU of a core, not 0"),
        ({"limit_s": -1}, "cannot be negative: -1"),
    ],
)
def test_a_request_for_less_than_nothing_is_none(told, why):
    with pytest.raises(ValueError, match=why):
        Request(**{"nodes": 1, "cpus": 1} | told)
