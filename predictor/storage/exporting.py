"""Taking a stretch of a recording out of it: as LML files, or as a smaller recording."""

from pathlib import Path
from typing import Protocol

from predictor.domain import FinishedJob, Snapshot
from predictor.domain.instants import rfc3339
from predictor.errors import StorageError
from predictor.storage.files import cause_of
from predictor.storage.reader import RecordingReader
from predictor.storage.writer import open_for_writing


def export_files(
    reader: RecordingReader, output: Path, since: int | None, until: int | None
) -> int:
    """Write each snapshot from `since` and before `until` to an LML file; return how many.

    `output` is a folder, made if need be; ending in `.lml` it is the one snapshot's file.
    Raises StorageError, also if one file is to hold several snapshots.
    """
    one_file = output.suffix == ".lml"
    if one_file and reader.count(since, until) > 1:
        raise StorageError(f"{output}: one file for several snapshots; give a folder")
    count = 0
    try:
        if not one_file:
            output.mkdir(parents=True, exist_ok=True)
        for taken_at, document in reader.documents(since, until):
            (output if one_file else output / _file_name(taken_at)).write_bytes(document)
            count += 1
    except OSError as error:
        raise StorageError(f"{output}: cannot be written: {cause_of(error, output)}") from error
    return count


class Rename(Protocol):
    """Gives everybody in a recording another name."""

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        """Return the same snapshot under other names."""
        ...

    def job(self, job: FinishedJob) -> FinishedJob:
        """Return the same end of a job under other names."""
        ...


class Unchanged:
    """Leaves names as they are."""

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        """Return it as it is."""
        return snapshot

    def job(self, job: FinishedJob) -> FinishedJob:
        """Return it as it is."""
        return job


def export_recording(
    reader: RecordingReader,
    output: Path,
    since: int | None,
    until: int | None,
    rename: Rename = Unchanged(),  # noqa: B008 - it holds nothing
) -> int:
    """Append the snapshots from `since` and before `until` to the recording `output`.

    Returns how many there were. What was published of them, and the ends of jobs that were there in
    that time, come along. Raises StorageError.
    """
    count = 0
    with open_for_writing(output) as writer:
        for snapshot in reader.snapshots(since, until):
            writer.append(rename.snapshot(snapshot))
            count += 1
        if count:
            writer.copy_answers(reader.answer_documents(since, until))
            for notice in reader.notices():
                there = (
                    rename.job(job)
                    for job in reader.ends(notice)
                    if (since is None or job.ended_at >= since)
                    and (until is None or job.spec.submitted_at < until)
                )
                writer.add_outcomes(there, learned_at=notice.learned_at)
    return count


def _file_name(instant: int) -> str:
    return rfc3339(instant).replace("-", "").replace(":", "") + ".lml"
