"""Where the lock is lost, one process writes all the same, and nothing acknowledged is lost."""

import os
from pathlib import Path

import pytest
from recordings import START, snapshot

from predictor.errors import RecordingInUse, StorageError
from predictor.storage import open_for_reading, open_for_writing
from predictor.storage.files import OsFiles

LATER = START + 60


class Unlocked(OsFiles):
    """Gives the lock to everybody; `before` a file so called is made or synced, something happens.

    Once each.
    """

    def __init__(self):
        self.before = {}

    def lock(self, path):
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o640)

    def create(self, path, mode=0o640):
        self._happen("create", path.name)
        return super().create(path, mode)

    def fsync(self, descriptor):
        self._happen("fsync", Path(f"/proc/self/fd/{descriptor}").readlink().name)
        super().fsync(descriptor)

    def _happen(self, call, name):
        for known in [*self.before]:
            if known[0] == call and name.startswith(known[1]):
                self.before.pop(known)()


@pytest.fixture
def files():
    return Unlocked()


def seen(folder):
    reader = open_for_reading(folder)
    return {each.taken_at for each in reader.snapshots() if each == snapshot(each.taken_at)}


def test_of_two_who_count_to_the_same_number_the_one_who_signed_last_writes(folder, files):
    others = []
    files.before["create", "epoch"] = lambda: others.append(open_for_writing(folder, files=files))
    with open_for_writing(folder, files=files) as late, others[0] as early:
        assert early.epoch == late.epoch == 1
        with pytest.raises(RecordingInUse, match="taken over"):
            early.append(snapshot(START))
        assert late.append(snapshot(START))
    assert seen(folder) == {START}


@pytest.mark.parametrize("segment", ["a new one", "one that grows"])
def test_who_is_taken_over_while_it_writes_acknowledges_nothing(folder, files, segment):
    with open_for_writing(folder, files=files) as old:
        if segment == "one that grows":
            old.append(snapshot(START - 60))
        new = []
        files.before["fsync", "segment"] = lambda: new.append(open_for_writing(folder, files=files))
        with pytest.raises(StorageError):
            old.append(snapshot(START))
        with new[0] as writer:
            assert writer.append(snapshot(LATER))
            with pytest.raises(RecordingInUse):
                old.append(snapshot(LATER + 60))
            assert writer.append(snapshot(LATER + 120))
    assert {LATER, LATER + 120} <= seen(folder)


def test_what_another_process_wrote_in_between_costs_one_snapshot_and_no_older_one(folder):
    with open_for_writing(folder) as writer:
        writer.append(snapshot(START))
        with (folder / "segment-000001.qcr").open("ab") as segment:
            segment.write(b"by somebody who was held up")
        with pytest.raises(StorageError, match="another process wrote to it"):
            writer.append(snapshot(LATER))
        assert writer.append(snapshot(LATER))
        assert writer.append(snapshot(LATER + 60))
    assert seen(folder) == {START, LATER, LATER + 60}


def test_a_segment_that_another_process_made_is_not_replaced(folder, files):
    with open_for_writing(folder, files=files) as old:
        taken = folder / "segment-000001.qcr"
        files.before["fsync", "segment"] = lambda: taken.write_bytes(b"")
        with pytest.raises(StorageError, match="another process made it"):
            old.append(snapshot(START))
        assert taken.read_bytes() == b""


def test_what_a_crash_has_left_is_removed(folder):
    folder.mkdir()
    (folder / "segment-000001.qcr.0a1b2c3d.new").touch()
    open_for_writing(folder).close()
    assert not list(folder.glob("*.new"))
