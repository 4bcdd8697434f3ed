"""What is packed small and unpacks without end is refused before it has filled the memory."""

import gzip
import tracemalloc
from contextlib import contextmanager

import pytest
import zstandard

from collectors import capture
from collectors.swf import source as swf
from predictor.errors import QueuecastError, StorageError
from predictor.storage import codec

MIB = 2**20
BOMB = bytes(64 * MIB)
"""Of zeros: a few kilobytes when packed."""


@contextmanager
def little_memory():
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 16 * MIB
    finally:
        tracemalloc.stop()


def test_a_recorded_run_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(capture, "LONGEST_LINE", MIB)
    monkeypatch.setattr(capture, "PIECE", 2**6)
    (tmp_path / capture.RUNS).write_bytes(zstandard.compress(BOMB))
    with little_memory(), pytest.raises(QueuecastError, match="a line of more than"):
        list(capture.Capture(tmp_path).observations())


def test_no_piece_unpacks_to_more_than_a_line_may_have():
    largest_ratio = 128 * 1024 / 4  # a block of 128 KiB that holds one byte again and again
    assert capture.PIECE * largest_ratio <= capture.LONGEST_LINE


def test_a_table_of_outcomes_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(capture, "LONGEST_FILE", MIB)
    (tmp_path / capture.OUTCOMES).write_bytes(gzip.compress(BOMB))
    with little_memory(), pytest.raises(QueuecastError, match="when unpacked"):
        capture._unpacked(tmp_path / capture.OUTCOMES)


def test_a_trace_without_end(tmp_path):
    (tmp_path / "trace.swf.gz").write_bytes(gzip.compress(BOMB))
    with little_memory(), pytest.raises(QueuecastError, match="longer than"):
        swf.from_settings({"path": str(tmp_path / "trace.swf.gz")}).observe()


def test_a_record_larger_than_any_document(monkeypatch):
    monkeypatch.setattr(codec, "MAX_DOCUMENT_BYTES", MIB)
    packed = zstandard.compress(BOMB)
    with little_memory(), pytest.raises(StorageError, match="at most"):
        codec.unpack(packed, None)
