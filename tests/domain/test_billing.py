"""What amounts of resources cost."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain.billing import BillingRule, billing

SUM, DEAREST, DEAREST_AND_GRES = BillingRule
AMOUNTS = {
    "cpu": 8,
    "mem": 4096,
    "node": 2,
    "gres/gpu": 3,
    "gres/gpu:a100": 2,
    "license/x": 3,
}
WEIGHTS = (("cpu", 1.0), ("gres/gpu", 5.0), ("license/x", 10.0), ("mem", 0.25 / 1024))
names = st.sampled_from([*AMOUNTS, "energy"])


@pytest.mark.parametrize(
    ("weights", "rule", "units"),
    [
        pytest.param((), SUM, 8, id="without weights: CPUs"),
        pytest.param(WEIGHTS, SUM, 8 + 15 + 30 + 1, id="the sum"),
        pytest.param(WEIGHTS, DEAREST, 15 + 30, id="the dearest, and licenses"),
        pytest.param(WEIGHTS, DEAREST_AND_GRES, 8 + 15 + 30, id="the dearest, gres, licenses"),
        pytest.param((("license/x", 0.5),), DEAREST, 1.5, id="licenses alone, not rounded"),
        pytest.param((("gres/gpu:a100", 5.0), ("node", 1.0)), SUM, 12, id="one type of GPU"),
        pytest.param((("energy", 5.0),), SUM, 0, id="what nobody counts"),
        pytest.param((("cpu", 0.0),), SUM, 0, id="a weight of zero is one"),
    ],
)
def test_what_is_billed(weights, rule, units):
    assert billing(AMOUNTS, weights, rule) == units


@pytest.mark.parametrize("mistake", [-1.0, 1e15, math.inf, math.nan])
def test_a_weight_that_makes_no_sense_is_none(mistake):
    assert billing(AMOUNTS, (("mem", mistake),), SUM) == AMOUNTS["cpu"]
    assert billing(AMOUNTS, (("mem", mistake), ("node", 3.0)), SUM) == 6


@given(
    st.dictionaries(names, st.integers(0, 2**63)),
    st.dictionaries(names, st.floats(0, 1e6), min_size=1),
)
def test_the_dearest_never_costs_more_than_the_sum(amounts, weights):
    dearest, with_gres, everything = (
        billing(amounts, weights.items(), rule) for rule in (DEAREST, DEAREST_AND_GRES, SUM)
    )
    slack = 1 + 1e-9
    assert 0 <= dearest <= with_gres * slack <= everything * slack**2
