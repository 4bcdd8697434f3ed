"""Numbers of things as a person reads them."""

import pytest

from predictor.domain.counts import counted


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 nodes"), (1, "1 node"), (2, "2 nodes"), (1_200, "1,200 nodes")]
)
def test_one_thing_is_told_without_a_plural(number, told):
    assert counted(number, "node") == told
