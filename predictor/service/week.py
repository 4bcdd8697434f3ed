"""How the last week was: backlog and waits of each partition by the hour, in one small file.

There are no single jobs in it: waits are counted in a few classes of length.
"""

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from predictor.domain.durations import HOUR_S
from predictor.errors import StorageError
from predictor.service.hours import BOUNDS_S, NONE, Hour, Hours
from predictor.service.logs import log
from predictor.service.memory import set_aside
from predictor.service.published import Published
from predictor.service.scoring import Wait
from predictor.storage.answers import TOO_MUCH
from predictor.storage.files import OS_FILES, Files, put_in_place

SCHEMA = "queuecast.week/1"
SUFFIX = ".week"
HOURS = 7 * 24
MOST_PARTITIONS = 50
"""Of so many it is remembered."""
SAVE_EVERY_S = 600
LARGEST_FILE_BYTES = 16 * 2**20


def file_of(recording: Path) -> Path:
    """Return the file that belongs to the recording in that folder."""
    return recording.with_name(recording.name + SUFFIX)


class Week:
    """Takes in results, and keeps a file. What it shows is never changed, but replaced."""

    def __init__(self, file: Path, files: Files = OS_FILES) -> None:
        """Begin with nothing until `recall`."""
        self._file = file
        self._files = files
        self._cluster = ""
        self._saved_at = 0
        self.hours: Hours = {}

    def take(self, current: Published, waits: Iterable[Wait]) -> Hours:
        """Take in a result and the waits that it told of, and return all that is known."""
        if current.cluster != self._cluster:
            self._cluster = current.cluster
            self.hours = self._recalled()
        now = current.snapshot_at // HOUR_S
        here = dict(self.hours.get(now, {}))
        for name, backlog_s in list(current.backlog.items())[:MOST_PARTITIONS]:
            here[name] = replace(here.get(name, Hour()), backlog_node_s=backlog_s)
        for wait in waits:
            if wait.partition in here or len(here) < MOST_PARTITIONS:
                here[wait.partition] = _with(here.get(wait.partition, Hour()), wait)
        last = {hour: one for hour, one in self.hours.items() if now - HOURS < hour < now}
        self.hours = last | {now: here}
        if not 0 <= current.snapshot_at - self._saved_at < SAVE_EVERY_S:
            self._saved_at = current.snapshot_at
            self.save()
        return self.hours

    def save(self) -> None:
        """Keep it, as far as that can be done: what fails is a line in the log."""
        if not self._cluster:
            return
        body = {"schema": SCHEMA, "cluster": self._cluster, "hours": _body(self.hours)}
        try:
            # ASCII only: a strange name may hold a lone surrogate.
            content = json.dumps(body, separators=(",", ":")).encode("ascii")
            put_in_place(self._files, self._file, content)
        except OSError as error:
            log("the week is not kept", level=30, cause=f"{self._file}: {error}")

    def _recalled(self) -> Hours:
        try:
            return read_week(self._file, self._cluster, self._files)
        except StorageError as error:
            log("the week begins anew", level=30, cause=str(error))
            try:
                set_aside(self._file, self._files)
            except StorageError as again:
                log("the week cannot be set aside", level=30, cause=str(again))
            return {}


def _with(hour: Hour, wait: Wait) -> Hour:
    before = hour.waits.get(wait.shape, NONE)
    place = bisect_left(BOUNDS_S, wait.waited_s)
    counts = (*before[:place], before[place] + 1, *before[place + 1 :])
    return replace(hour, waits={**hour.waits, wait.shape: counts})


def _body(hours: Hours) -> Mapping[str, Any]:
    return {
        str(hour): {name: [one.backlog_node_s, one.waits] for name, one in there.items()}
        for hour, there in hours.items()
    }


def read_week(file: Path, cluster: str, files: Files) -> Hours:
    """Return what was kept of that cluster. Raises StorageError if it is damaged."""
    try:
        if files.size(file) > LARGEST_FILE_BYTES:
            raise StorageError(f"{file}: more than {LARGEST_FILE_BYTES} bytes")
        body = json.loads(files.read(file))
        if body["schema"] != SCHEMA:
            raise StorageError(f"{file}: a form that is not known")
        if body["cluster"] != cluster:
            return {}
        return {
            int(hour): {str(name): _hour(*one) for name, one in there.items()}
            for hour, there in body["hours"].items()
        }
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StorageError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError, *TOO_MUCH) as error:
        raise StorageError(f"{file}: damaged: {error!r}"[:200]) from error


def _hour(backlog_node_s: Any, waits: Any) -> Hour:
    kept = {str(shape): tuple(map(int, counts)) for shape, counts in waits.items()}
    if any(len(counts) != len(NONE) or min(counts) < 0 for counts in kept.values()):
        raise ValueError("counts of other classes")
    backlog = None if backlog_node_s is None else int(backlog_node_s)
    return Hour(backlog_node_s=backlog, waits=kept)
