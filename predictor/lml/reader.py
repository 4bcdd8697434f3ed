"""LML to snapshots and forecasts: our own documents exactly, others as well as they can be told."""

from collections.abc import Iterable, Sequence

from predictor.errors import DocumentError
from predictor.lml import own
from predictor.lml.document import Document
from predictor.lml.findings import Notebook
from predictor.lml.foreign import document as foreign
from predictor.lml.records import Record, records
from predictor.lml.standard import FORMAT, FORMAT_KEY


def read_sections(parts: Iterable[tuple[str, bytes]]) -> Document:
    """Return what several documents of one instant say together, as LLview's collector writes them.

    They come with the places that errors are to name. Raises DocumentError, also for one of ours,
    which is whole already.
    """
    notes = Notebook()
    found: list[Record] = []
    for place, data in parts:
        section = records(data, place, notes)
        if any(record.type == "system" and FORMAT_KEY in record.texts for record in section):
            raise DocumentError("a whole document, not a section of one", place=place)
        found += section
    return foreign.document(found, "", notes)


def read(data: bytes, *, place: str = "") -> Document:
    """Return what the document says; `place` is named in errors.

    Raises DocumentError if it is no LML, must not be parsed, or does not say what cluster it is
    about and when. A record that makes no sense is left out and noted.
    """
    notes = Notebook()
    return document_of(records(data, place, notes), place, notes, {})


def document_of(
    found: Sequence[Record], place: str, notes: Notebook, made: dict[str, own.Made]
) -> Document:
    """Return what a document's records say; `made` as for our own documents.

    Raises DocumentError, as `read`.
    """
    system = next((record for record in found if record.type == "system"), None)
    if system is None or FORMAT_KEY not in system.texts:
        return foreign.document(found, place, notes)
    if (version := system.texts[FORMAT_KEY]) != FORMAT:
        cause = f"{FORMAT_KEY} is {version!r}; only {FORMAT!r} is known here"
        raise DocumentError(cause, place=place, line=system.line)
    return own.document(found, system, place, notes, made)
