"""The snapshot document: LML 1.1, written strictly and read tolerantly."""

from predictor.lml.annotate import annotate
from predictor.lml.check import Report, check
from predictor.lml.document import Document
from predictor.lml.findings import Finding
from predictor.lml.reader import read, read_sections
from predictor.lml.series import Series
from predictor.lml.writer import write

__all__ = [
    "Document",
    "Finding",
    "Report",
    "Series",
    "annotate",
    "check",
    "read",
    "read_sections",
    "write",
]
