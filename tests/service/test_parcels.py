"""What goes between processes arrives as it was, and is not let apart by its form."""

import pickle
from dataclasses import dataclass, replace

import pytest
import services

from predictor.service.parcels import packed, unpacked


@dataclass(frozen=True, slots=True, kw_only=True)
class Lone:
    """A value of a single field."""

    part: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Both(Lone):
    """A value that inherits a field, and has one that nobody gives."""

    other: int = 7


def test_a_result_arrives_as_it_was():
    result = services.result()
    assert unpacked(packed((result.snapshot, result.forecast))) == (
        result.snapshot,
        result.forecast,
    )


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "text",
        {"a": (1, 2.5)},
        Lone(part=None),
        Both(part=Lone(part=(1,))),
        [Lone(part=1)] * 2,
    ],
)
def test_values_of_every_form_arrive(value):
    assert unpacked(packed(value)) == value


def test_what_is_the_same_value_is_packed_once():
    one = Lone(part="x" * 10_000)
    first, second = unpacked(packed((one, one)))
    assert first is second
    assert len(packed([one] * 100)) < 20_000


def test_what_arrives_is_as_frozen_and_can_be_replaced():
    arrived = unpacked(packed(Both(part=1)))
    assert replace(arrived, other=8) == Both(part=1, other=8)
    with pytest.raises(AttributeError):
        arrived.part = 2


def test_what_cannot_be_packed_says_so():
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        packed(lambda: None)
