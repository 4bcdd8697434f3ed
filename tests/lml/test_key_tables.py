"""The tables of keys know every field of the domain, and no key twice."""

from collections import Counter

import pytest

from predictor.domain import Forecast, Snapshot
from predictor.lml import keys_cluster, keys_jobs
from predictor.lml.kinds import Kind
from predictor.lml.objects import SECTIONS
from predictor.lml.vocabulary import keys_of

ELSEWHERE = {
    "Prediction": {"job_id"},
    "Abstention": {"job_id"},
}
"""Fields that the job at which they stand tells."""

KINDS = [
    kind
    for module in (keys_cluster, keys_jobs)
    for kind in vars(module).values()
    if isinstance(kind, Kind) and kind.of not in (Snapshot, Forecast)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.of.__name__)
def test_every_field_has_exactly_one_key(kind):
    carried = [key.field for key in kind.keys] + [part.field for part in kind.parts]
    expected = set(kind.of.__dataclass_fields__) - ELSEWHERE.get(kind.of.__name__, set())
    assert Counter(carried) == Counter(expected)


def test_every_field_of_a_snapshot_is_carried_once():
    heads = [
        entry.field
        for kind in (keys_cluster.SYSTEM, keys_cluster.SCHEDULER)
        for entry in (*kind.keys, *kind.parts)
    ]
    carried = heads + [section.field for section in SECTIONS]
    assert Counter(carried) == Counter(Snapshot.__dataclass_fields__.keys())


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.field)
def test_no_key_serves_two_fields_of_one_object(section):
    names = Counter(_names(section.kind))
    assert max(names.values()) == 1
    assert set(names) == keys_of(section.kind)


def _names(kind):
    yield from (key.name for key in kind.keys)
    for part in kind.parts:
        yield from _names(part.kind)
