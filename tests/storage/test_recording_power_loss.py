"""What was acknowledged survives a loss of power after any call to the disk.

The disk here forgets on demand whatever was not fsynced: bytes of files and names in the folder.
"""

from contextlib import suppress
from pathlib import Path

import pytest
from recordings import START, snapshot

from predictor.errors import StorageError
from predictor.storage import open_for_reading, open_for_writing

FOLDER = Path("/a folder/that only the disk below knows")
INSTANTS = [START + 60 * i for i in range(6)]
MANY = 1000


class PowerLoss(BaseException):
    """The machine is gone."""


class Inode:
    def __init__(self, content=b"", synced=b""):
        self.content = content
        self.synced = synced


class Disk:
    """A folder on a disk with a volatile cache, which loses power at the n-th call."""

    def __init__(self, names=None, power_lasts=MANY * MANY):
        self.now = dict(names or {})
        self.durable = dict(self.now)
        self.open = {}
        self.left = power_lasts

    def after_power_loss(self, keep):
        """Return the disk as found later: unsynced bytes cut to the share `keep`.

        With none of them kept the unsynced names are gone too, otherwise they are there.
        """
        names = self.now if keep else self.durable
        return Disk({name: _survivor(inode, keep) for name, inode in names.items()})

    def _call(self):
        self.left -= 1
        if self.left == 0:
            raise PowerLoss

    def _inode(self, path):
        if path.name not in self.now:
            raise FileNotFoundError(path)
        return self.now[path.name]

    def make_folder(self, path):
        self._call()

    def names(self, folder):
        return sorted(self.now)

    def size(self, path):
        return len(self._inode(path).content)

    def read(self, path):
        return self._inode(path).content

    def create(self, path, mode=0o640):
        self._call()
        if path.name in self.now:
            raise FileExistsError(path)
        self.now[path.name] = Inode()
        return self.append(path)

    def append(self, path):
        descriptor = 3 + len(self.open)
        self.open[descriptor] = self._inode(path)
        return descriptor

    def write(self, descriptor, data):
        self._call()
        self.open[descriptor].content += data
        return len(data)

    def truncate(self, descriptor, size):
        self._call()
        self.open[descriptor].content = self.open[descriptor].content[:size]

    def fsync(self, descriptor):
        self._call()
        self.open[descriptor].synced = self.open[descriptor].content

    def close(self, descriptor):
        pass

    def rename(self, old, new):
        self._call()
        self.now[new.name] = self.now.pop(old.name)

    def unlink(self, path):
        self._call()
        self._inode(path)
        del self.now[path.name]

    def fsync_folder(self, folder):
        self._call()
        self.durable = dict(self.now)

    def lock(self, path):
        self.now.setdefault(path.name, Inode())
        return -1


def _survivor(inode, keep):
    unsynced = inode.content[len(inode.synced) :]
    if not inode.content.startswith(inode.synced):  # it was cut, and that was not synced
        return Inode(inode.synced, inode.synced)
    kept = inode.synced + unsynced[: round(len(unsynced) * keep)]
    return Inode(kept, kept)


def record(disk, acknowledged):
    with open_for_writing(FOLDER, files=disk) as writer:
        for at in INSTANTS:
            with suppress(StorageError):  # those that an earlier life has recorded
                writer.append(snapshot(at))
                acknowledged.add(at)


def assert_kept(disk, acknowledged):
    reader = open_for_reading(FOLDER, files=disk)
    read = {each.taken_at: each for each in reader.snapshots()}
    assert acknowledged <= read.keys()
    assert all(each == snapshot(at) for at, each in read.items())


@pytest.mark.parametrize("keep", [0, 0.5, 1])
def test_power_goes_off_after_any_call(monkeypatch, keep):
    """Twice in a row, so that recovery is struck as well."""
    monkeypatch.setattr("predictor.storage.segment.SNAPSHOTS", 2)
    for n in range(1, MANY):
        disk, acknowledged = Disk(power_lasts=n), set()
        try:
            record(disk, acknowledged)
            break
        except PowerLoss:
            found = disk.after_power_loss(keep)
            assert_kept(found, acknowledged)
        found.left = 1 + n % 7
        with suppress(PowerLoss):
            record(found, acknowledged)
        found = found.after_power_loss(1 - keep)
        assert_kept(found, acknowledged)
        record(found, acknowledged)
        assert_kept(found, set(INSTANTS))
    assert 30 < n < MANY
    assert acknowledged == set(INSTANTS)
