"""The ledger of the past on disk, beside the recording: replaced in one step."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from predictor.errors import StorageError
from predictor.service.past import KINDS, Past, Stretch
from predictor.storage.answers import TOO_MUCH
from predictor.storage.files import OS_FILES, Files, put_in_place

SCHEMA = "queuecast.past/1"
SUFFIX = ".past"


def file_of(recording: Path) -> Path:
    """Return the file that belongs to the recording in that folder."""
    return recording.with_name(recording.name + SUFFIX)


def save(file: Path, past: Past, files: Files = OS_FILES) -> None:
    """Replace the file, so that it survives a loss of power. Raises StorageError."""
    body = {"schema": SCHEMA, **asdict(past)}
    try:
        # ASCII only: a strange name may hold a lone surrogate.
        put_in_place(files, file, json.dumps(body, separators=(",", ":")).encode("ascii"))
    except OSError as error:
        raise StorageError(f"{file}: cannot be kept: {error}") from error


def load(file: Path, cluster: str, files: Files = OS_FILES) -> Past | None:
    """Return what was kept; None if nothing was, or it is damaged or of another cluster.

    Then the past is asked for anew, which costs some questions and changes nothing else.
    """
    try:
        body = json.loads(files.read(file))
        if body.pop("schema") != SCHEMA or body["cluster"] != cluster:
            return None
        return _past(body)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, *TOO_MUCH):
        return None


def _past(body: Mapping[str, Any]) -> Past:
    return Past(
        cluster=str(body["cluster"]),
        first_at=int(body["first_at"]),
        open={kind: _stretch(body["open"][kind]) for kind in KINDS if kind in body["open"]},
        missing={
            str(id_): (int(since), int(until)) for id_, (since, until) in body["missing"].items()
        },
        width_s=int(body["width_s"]),
    )


def _stretch(body: Mapping[str, Any]) -> Stretch:
    return Stretch(since=int(body["since"]), until=int(body["until"]), due_at=int(body["due_at"]))
