"""Short slices of the campaigns against the disk, and whether they find what is planted."""

from contextlib import suppress

import pytest
from campaigns import io_faults, power_loss
from campaigns.simulated_disk import MemoryDisk
from campaigns.whole_system import quiet_site

from predictor.storage.segment import Segment


@pytest.fixture(scope="module")
def site():
    with quiet_site() as site:
        yield site


def test_calls_that_fail_lose_nothing(site):
    figures, found = io_faults.campaign(site, 30, ["first start", "pruning", "damage"])
    assert found == []
    assert figures["injections"] > 15


def test_losses_of_power_lose_nothing(site):
    figures, found = power_loss.campaign(site, 1, seed=1, names=["first start", "recovery"])
    assert found == []
    assert figures["states"] > 40


def test_a_record_that_is_acknowledged_too_early_is_found(site, monkeypatch):
    """The fsync of each append fails, and nobody looks."""
    append = Segment.append

    def hasty(self, *arguments):
        fsync = self._files.fsync
        self._files.fsync = lambda descriptor: None
        try:
            return append(self, *arguments)
        finally:
            self._files.fsync = fsync

    monkeypatch.setattr(Segment, "append", hasty)
    _, found = power_loss.campaign(site, 1, seed=1, names=["minutes"])
    assert any("lost" in one for one in found)


def test_a_ledger_that_may_be_older_than_the_snapshots_is_found(site, monkeypatch):
    """The folder beside the recording is not fsynced."""
    whole = MemoryDisk.fsync_folder

    def some(self, folder):
        if folder == site.recording.path:
            whole(self, folder)

    monkeypatch.setattr(MemoryDisk, "fsync_folder", some)
    _, found = power_loss.campaign(site, 1, seed=1, names=["minutes"])
    assert any("older than the snapshot" in one for one in found)


def test_a_failed_fsync_that_nobody_minds_is_found(site, monkeypatch):
    whole = MemoryDisk.fsync

    def hopeful(self, descriptor):
        with suppress(OSError):
            whole(self, descriptor)

    monkeypatch.setattr(MemoryDisk, "fsync", hopeful)
    _, found = io_faults.campaign(site, 80, ["first start"])
    assert any("lost" in one for one in found)
