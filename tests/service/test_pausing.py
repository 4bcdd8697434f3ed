"""How long a batch system is left alone that could not be asked."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.service.pausing import pause_s


@pytest.mark.parametrize(
    ("interval_s", "pauses"),
    [
        pytest.param(60, [60, 120, 240, 480, 600, 600], id="each minute"),
        pytest.param(10, [60, 120, 240, 480, 600, 600], id="never twice in a minute"),
        pytest.param(300, [300, 600, 600], id="up to ten minutes"),
        pytest.param(3_600, [3_600, 3_600], id="no sooner than usual"),
        pytest.param(3, [3, 6, 12, 24, 30, 30], id="forced: ten intervals"),
    ],
)
def test_pauses_double(interval_s, pauses):
    found = [pause_s(failures, interval_s, 0) for failures in range(1, len(pauses) + 1)]
    assert found == pauses


@given(st.integers(10, 86_400), st.floats(0, 1, exclude_max=True), st.integers(1, 10**6))
def test_chance_never_brings_a_look_too_early(interval_s, chance, failures):
    found = pause_s(failures, interval_s, chance)
    assert max(60, interval_s) <= found <= max(600, interval_s)
    assert found >= 0.8 * pause_s(failures, interval_s, 0)


def test_chance_keeps_those_apart_who_failed_together():
    pauses = [pause_s(5, 60, chance / 10) for chance in range(10)]
    assert all(earlier - later > 10 for earlier, later in pairwise(pauses))
