"""Recordings: snapshots and outcomes on disk, committed means fsynced."""

from predictor.storage.answers import Answer, Answered, answers
from predictor.storage.exporting import export_files, export_recording
from predictor.storage.frames import Damage
from predictor.storage.pruning import Pruned, prune
from predictor.storage.reader import Gap, Notice, RecordingReader, open_for_reading
from predictor.storage.writer import RecordingWriter, open_for_writing

__all__ = [
    "Answer",
    "Answered",
    "Damage",
    "Gap",
    "Notice",
    "Pruned",
    "RecordingReader",
    "RecordingWriter",
    "answers",
    "export_files",
    "export_recording",
    "open_for_reading",
    "open_for_writing",
    "prune",
]
