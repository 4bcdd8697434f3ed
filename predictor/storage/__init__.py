"""Recordings: snapshots and outcomes on disk, committed means fsynced."""

from predictor.storage.frames import Damage
from predictor.storage.reader import Gap, RecordingReader, open_for_reading
from predictor.storage.writer import RecordingWriter, open_for_writing

__all__ = [
    "Damage",
    "Gap",
    "RecordingReader",
    "RecordingWriter",
    "open_for_reading",
    "open_for_writing",
]
