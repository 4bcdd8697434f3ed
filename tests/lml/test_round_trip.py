"""Written and read again, every value is equal to what it was."""

import strategies as domain
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.lml import read, write


@settings(max_examples=150, deadline=None)
@given(domain.snapshots())
def test_a_snapshot_survives(snapshot):
    document = read(write(snapshot))
    assert document.snapshot == snapshot
    assert document.forecast is None
    assert document.notes == ()


@settings(max_examples=150, deadline=None)
@given(st.data(), domain.snapshots(), st.booleans())
def test_a_forecast_survives_beside_its_snapshot(data, snapshot, compat):
    forecast = data.draw(domain.forecasts(snapshot))
    document = read(write(snapshot, forecast, compat=compat))
    assert document.snapshot == snapshot
    assert document.forecast == forecast
    assert document.notes == ()
