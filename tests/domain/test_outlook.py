"""What a distribution of starts says of a deadline."""

import pytest

from predictor.domain import Outlook

QUANTILES = ((0.1, 100), (0.5, 200), (0.9, 200), (0.95, 400))


@pytest.mark.parametrize(
    ("deadline_at", "chance"),
    [(99, 0.0), (100, 0.1), (150, 0.3), (200, 0.9), (300, 0.925), (400, 0.95), (10**9, 0.95)],
)
def test_the_chance_grows_between_quantiles_and_never_beyond_the_last(deadline_at, chance):
    outlook = Outlook(likely_at=200, low_at=100, high_at=200, by_at=400, quantiles=QUANTILES)
    assert outlook.chance_by(deadline_at) == pytest.approx(chance)


def test_who_has_no_quantiles_has_no_chance():
    nothing = Outlook(likely_at=0, low_at=0, high_at=0, by_at=0, quantiles=())
    assert nothing.chance_by(5) == 0.0
