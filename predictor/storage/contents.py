"""What the records of a recording hold."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from predictor import lml
from predictor.domain import Snapshot
from predictor.errors import DocumentError, StorageError
from predictor.storage.answers import Answered, digest, read
from predictor.storage.catalogue import Place
from predictor.storage.documents import Documents
from predictor.storage.files import Files
from predictor.storage.frames import Damage

Lost = Callable[[Damage], None]
"""Is told of each record that cannot be read."""


def contents(
    folder: Path, files: Files, places: Iterable[Place], lost: Lost
) -> Iterator[tuple[Place, bytes]]:
    """Yield the documents at these places; what cannot be read goes to `lost` instead."""
    for segment, here in groupby(places, key=lambda place: place.segment):
        try:
            documents = Documents(files.read(folder / segment))
        except FileNotFoundError:  # pruned since it was listed: not damaged, only gone
            continue
        except OSError as error:
            lost(Damage(segment=segment, offset=0, cause=str(error)))
            continue
        for place in here:
            try:
                yield place, documents.at(place.entry.offset)
            except StorageError as error:
                lost(Damage(segment=segment, offset=place.entry.offset, cause=str(error)))


def read_answers(
    folder: Path, files: Files, places: Iterable[Place], lost: Lost
) -> Iterator[tuple[Answered, str]]:
    """Yield the answers at these places with their hashes; what is damaged goes to `lost`."""
    for place, content in contents(folder, files, places, lost):
        try:
            yield read(content), digest(content)
        except StorageError as error:
            lost(Damage(segment=place.segment, offset=place.entry.offset, cause=str(error)))


def read_snapshots(
    folder: Path, files: Files, places: Iterable[Place], lost: Lost
) -> Iterator[Snapshot]:
    """Yield the snapshots at these places; what cannot be read goes to `lost` instead."""
    series = lml.Series()
    for place, content in contents(folder, files, places, lost):
        name = f"{folder / place.segment}@{place.entry.offset}"
        try:
            yield series.read(content, place=name).snapshot
        except DocumentError as error:
            lost(Damage(segment=place.segment, offset=place.entry.offset, cause=error.cause))
