"""Documents of other programs, LLview's raw LML above all, as well as they can be told."""

from collections.abc import Iterable

from predictor.errors import DocumentError
from predictor.lml.document import Document
from predictor.lml.findings import Notebook
from predictor.lml.records import Record


def document(found: Iterable[Record], place: str, notes: Notebook) -> Document:
    """Return what the records say."""
    raise DocumentError("no document of queuecast", place=place)
