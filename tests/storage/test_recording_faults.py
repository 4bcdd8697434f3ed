"""No call to the disk that fails costs a snapshot that was acknowledged."""

import errno
import os
import random
import signal
import sqlite3
import time
from contextlib import suppress

import pytest
from recordings import START, FailingFiles, ended, snapshot

from predictor.errors import StorageError
from predictor.storage import open_for_reading, open_for_writing
from predictor.storage.index import Index

INSTANTS = [START + 60 * i for i in range(6)]
MANY = 1000
BETWEEN_KILLS = (0, 1, 3, 8) * 5
"""So many snapshots are acknowledged from one kill to the next, at least."""


@pytest.fixture(autouse=True)
def short_segments(monkeypatch):
    """Two snapshots each, so that a few of them see every kind of call."""
    monkeypatch.setattr("predictor.storage.segment.SNAPSHOTS", 2)


def append_all(folder, files, acknowledged):
    """Record as a daemon would: what fails is logged, and the next minute comes."""
    with suppress(StorageError), open_for_writing(folder, files=files) as writer:
        for at in INSTANTS:
            with suppress(StorageError):
                writer.append(snapshot(at))
                acknowledged.append(at)


def assert_kept(folder, acknowledged):
    """Everything acknowledged is there, unchanged, and the recording goes on."""
    with open_for_writing(folder) as writer:
        writer.append(snapshot(START + 6000))
    reader = open_for_reading(folder)
    read = {each.taken_at: each for each in reader.snapshots()}
    assert set(acknowledged) <= read.keys()
    assert all(each == snapshot(at) for at, each in read.items())
    assert START + 6000 in read
    assert reader.damage == ()


@pytest.mark.parametrize("sticky", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("fault", [errno.EIO, errno.ENOSPC, "short"])
def test_the_nth_call_fails(tmp_path, fault, sticky):
    for n in range(1, MANY):
        folder = tmp_path / str(n)
        files = FailingFiles(n, fault, sticky=sticky)
        acknowledged = []
        append_all(folder, files, acknowledged)
        assert_kept(folder, acknowledged)
        if not files.fired:
            break
        if not sticky and acknowledged:
            assert len(acknowledged) >= len(INSTANTS) - 1, f"call {n} cost more than one snapshot"
    assert 30 < n < MANY
    assert acknowledged == INSTANTS


@pytest.mark.parametrize("fault", [errno.EIO, errno.ENOSPC, "short"])
def test_the_nth_call_fails_while_recovering(tmp_path, fault):
    for n in range(1, MANY):
        folder = tmp_path / str(n)
        append_all(folder, FailingFiles(MANY), [])
        with (folder / "segment-000003.qcr").open("r+b") as newest:
            newest.truncate(newest.seek(0, os.SEEK_END) - 20)
        files = FailingFiles(n, fault)
        with suppress(StorageError):
            open_for_writing(folder, files=files).close()
        assert_kept(folder, INSTANTS[:-1])
        if not files.fired:
            break
    assert 8 < n < MANY


def test_a_snapshot_that_failed_can_be_appended_again(folder):
    files = FailingFiles(MANY)
    with open_for_writing(folder, files=files) as writer:
        writer.append(snapshot(START))
        files.left = 3  # the owner's check, the write, and then the fsync
        with pytest.raises(StorageError, match=r"cannot be written: .*injected"):
            writer.append(snapshot(START + 60))
        assert writer.append(snapshot(START + 60))
    assert open_for_reading(folder).instants == (START, START + 60)


def test_an_index_that_failed_once_is_remade_when_it_is_needed(folder, monkeypatch):
    def fail(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with open_for_writing(folder) as writer:
        writer.append(snapshot(START))
        assert writer.add_outcomes([ended("7")]) == 1
        with monkeypatch.context() as full:
            full.setattr(Index, "add", fail)
            writer.append(snapshot(START + 60))
        assert writer.add_outcomes([ended("7"), ended("8")]) == 1
    assert [job.spec.id for job in open_for_reading(folder).outcomes()] == ["7", "8"]


def keep_recording(folder, ledger):
    """Append until killed, noting each instant once it is acknowledged."""
    with open_for_writing(folder) as writer:
        at = (writer.last_at or START) + 60
        while True:
            writer.append(snapshot(at))
            os.write(ledger, b"%d\n" % at)
            at += 60


def wait_for_lines(ledger, count):
    """Return once the ledger has so many lines, however slow the machine is; at last give up."""
    patient_until = time.monotonic() + 60
    while lines(ledger) < count and time.monotonic() < patient_until:
        time.sleep(0.001)


def lines(file):
    return file.read_bytes().count(b"\n")


def test_killed_at_any_time_nothing_acknowledged_is_lost(folder, tmp_path):
    chance = random.Random(4)  # noqa: S311
    ledger = os.open(tmp_path / "ledger", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for more in BETWEEN_KILLS:
        due = lines(tmp_path / "ledger") + more
        child = os.fork()
        if child == 0:
            try:
                keep_recording(folder, ledger)
            finally:
                os._exit(1)
        wait_for_lines(tmp_path / "ledger", due)
        # From just after a commit to some commits later, or while the recording is still opened.
        time.sleep(chance.uniform(0, 0.02))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), "the child gave up by itself"
    os.close(ledger)

    acknowledged = [int(line) for line in (tmp_path / "ledger").read_text().split()]

    assert len(acknowledged) >= sum(BETWEEN_KILLS)
    assert_kept_in_order(folder, acknowledged)


def assert_kept_in_order(folder, acknowledged):
    reader = open_for_reading(folder)
    read = {each.taken_at: each for each in reader.snapshots()}
    assert set(acknowledged) <= read.keys()
    assert all(each == snapshot(at) for at, each in read.items())
    # The kill may have come between commit and ledger, but nowhere else.
    assert len(read) <= len(acknowledged) + len(BETWEEN_KILLS)
