import errno
from contextlib import suppress

import pytest
from recordings import START, FailingFiles, ended, snapshot

from predictor.errors import StorageError
from predictor.storage import open_for_reading, open_for_writing, prune

INSTANTS = [START + 60 * i for i in range(10)]


@pytest.fixture
def recording(folder, monkeypatch):
    """Five segments of two snapshots."""
    monkeypatch.setattr("predictor.storage.segment.SNAPSHOTS", 2)
    with open_for_writing(folder) as writer:
        for at in INSTANTS:
            writer.append(snapshot(at))
    return folder


@pytest.mark.parametrize(
    ("before", "first_kept"),
    [
        pytest.param(INSTANTS[4], 4, id="what is older goes"),
        pytest.param(INSTANTS[5], 4, id="a segment goes whole or not at all"),
        pytest.param(INSTANTS[0], 0, id="nothing is older"),
        pytest.param(INSTANTS[9] + 1, 8, id="the newest segment stays"),
    ],
)
def test_by_age(recording, before, first_kept):
    prune(recording, before=before)
    assert open_for_reading(recording).instants == tuple(INSTANTS[first_kept:])


def test_by_size(recording):
    whole = open_for_reading(recording).size_bytes
    gone = prune(recording, max_bytes=whole // 2)
    kept = open_for_reading(recording)
    assert kept.size_bytes <= whole // 2 < whole - gone.size_bytes + gone.size_bytes // 2
    assert kept.size_bytes == whole - gone.size_bytes
    assert kept.instants == tuple(INSTANTS[2 * gone.segments :])
    assert gone.begins_at == kept.instants[0]


def test_beside_a_writer(recording):
    with open_for_writing(recording) as writer:
        prune(recording, max_bytes=0)
        writer.append(snapshot(START + 900))
    reader = open_for_reading(recording)
    assert reader.instants == (*INSTANTS[8:], START + 900)
    assert list(reader.snapshots())
    assert reader.damage == ()


def test_outcomes_of_pruned_segments_are_forgotten(recording):
    with open_for_writing(recording) as writer:
        writer.add_outcomes([ended("1")])
        for at in range(START + 900, START + 1140, 60):
            writer.append(snapshot(at))
    prune(recording, max_bytes=0)
    with open_for_writing(recording) as writer:
        assert writer.add_outcomes([ended("1")]) == 1


def test_reading_that_began_before_just_ends_sooner(recording):
    reader = open_for_reading(recording)
    prune(recording, max_bytes=0)
    assert [each.taken_at for each in reader.snapshots()] == INSTANTS[8:]
    assert reader.damage == ()


@pytest.mark.parametrize("n", range(1, 14))
def test_cut_off_anywhere_it_leaves_no_hole(recording, n):
    with suppress(StorageError):
        prune(recording, max_bytes=0, files=FailingFiles(n, errno.EIO, sticky=True))
    kept = open_for_reading(recording).instants
    assert kept == tuple(INSTANTS[len(INSTANTS) - len(kept) :])
    assert kept[-2:] == tuple(INSTANTS[-2:])
