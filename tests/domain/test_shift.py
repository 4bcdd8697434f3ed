from dataclasses import fields, is_dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import snapshots

from predictor.domain.shift import shifted

few = settings(max_examples=30, deadline=None)
deltas = st.integers(-(10**9), 10**9)


def instants(value, place=""):
    """Yield place and value of everything that is an instant by its name, however deep."""
    if isinstance(value, tuple):
        for number, each in enumerate(value):
            yield from instants(each, f"{place}[{number}]")
    elif is_dataclass(value):
        for field in fields(value):
            inner = getattr(value, field.name)
            here = f"{place}.{field.name}"
            if field.name.endswith("_at") or field.name == "accrues_age_since":
                yield here, inner
            else:
                yield from instants(inner, here)


@few
@given(snapshots(), deltas)
def test_there_and_back_again(snapshot, delta_s):
    assert shifted(shifted(snapshot, delta_s), -delta_s) == snapshot


@few
@given(snapshots(), deltas)
def test_every_instant_moves(snapshot, delta_s):
    before, after = dict(instants(snapshot)), dict(instants(shifted(snapshot, delta_s)))
    moved = {at: None if was is None else was + delta_s for at, was in before.items()}
    assert after == moved


@few
@given(snapshots(), deltas)
def test_nothing_else_moves(snapshot, delta_s):
    assert shifted(snapshot, delta_s).fingerprint == snapshot.fingerprint
    assert [job.spec.id for job in shifted(snapshot, delta_s).pending] == [
        job.spec.id for job in snapshot.pending
    ]
