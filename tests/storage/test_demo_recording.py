from pathlib import Path

import predictor.service
from predictor.lml.check import check
from predictor.storage import open_for_reading

DEMO = Path(predictor.service.__file__).parent / "demo_recording"


def test_the_shipped_recording_is_whole_and_small():
    reader = open_for_reading(DEMO)
    assert len(reader.instants) == 239
    assert reader.instants[-1] - reader.instants[0] > 4 * 3600
    assert sum(1 for _ in reader.documents()) == 239
    assert len(list(reader.outcomes())) > 400
    assert (reader.damage, reader.gaps()) == ((), ())
    assert reader.size_bytes < 2**20


def test_the_shipped_recording_has_no_words_that_are_known_no_more():
    reader = open_for_reading(DEMO)
    for at in reader.instants[::60]:
        ((_, document),) = reader.documents(since=at, until=at + 1)
        told = check(document)
        assert (told.errors, told.warnings) == ((), ())
        assert [name for name, _ in told.counters if name.startswith("unknown")] == []


def test_the_shipped_recording_is_lively():
    reader = open_for_reading(DEMO)
    for at in reader.instants[::60]:
        (seen,) = reader.snapshots(since=at, until=at + 1)
        assert len(seen.nodes) == 128
        assert len(seen.pending) > 80
        assert len(seen.running) > 20
        assert not seen.provenance.hidden
        assert not seen.provenance.quarantined
