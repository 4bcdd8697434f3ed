"""Making the index agree with the segments."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from predictor.domain import FinishedJob
from predictor.storage.catalogue import Catalogue
from predictor.storage.contents import read_snapshots
from predictor.storage.files import Files
from predictor.storage.index import NAME, Index


def synchronised(folder: Path, files: Files, found: Catalogue) -> Index | None:
    """Return the index of the recording in `folder`, made to agree with what was found there.

    None if it cannot be kept: a recording is complete without it.
    """
    try:
        index = Index(folder / NAME)
    except (sqlite3.Error, OSError):
        return None
    try:
        known = index.scans()
        index.keep_only(each.segment for each in found.scans)
        for each in found.scans:
            if known.get(each.segment) != each:
                index.put(each, _outcomes(folder, files, found, each.segment))
    except sqlite3.Error:
        index.close()
        return None
    return index


def _outcomes(folder: Path, files: Files, found: Catalogue, segment: str) -> Iterator[FinishedJob]:
    places = [place for place in found.outcomes if place.segment == segment]
    for learned in read_snapshots(folder, files, places, lost=lambda damage: None):
        yield from learned.finished
