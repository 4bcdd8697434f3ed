"""The watches there are and what they told, in one file: replaced in one step, bounded."""

import json
import threading
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from predictor.errors import StorageError
from predictor.service.logs import log
from predictor.service.memory import set_aside
from predictor.service.watches.deciding import Decision, Ledger
from predictor.service.watches.watch import Kind, Told, Watch
from predictor.storage.answers import TOO_MUCH
from predictor.storage.files import OS_FILES, Files, put_in_place

SCHEMA = "queuecast.watches/1"
SUFFIX = ".watches"
MOST_OF_ONE = 20
MOST = 10_000
LARGEST_FILE_BYTES = 256 * 2**20
OWNER_ONLY = 0o600


class TooMany(Exception):
    """There is no room for another watch; the message says whose fault that is."""


def file_of(recording: Path) -> Path:
    """Return the file that belongs to the recording in that folder."""
    return recording.with_name(recording.name + SUFFIX)


class Watches:
    """All watches. For several threads at a time; reading never waits, all else for the disk."""

    def __init__(self, file: Path | None, files: Files = OS_FILES) -> None:
        """Begin with what `file` holds; what is damaged is set aside, and told in the log.

        None: they are not kept.
        """
        self._file = file
        self._files = files
        self._lock = threading.Lock()
        # Replaced as a whole, so that readers need no lock.
        self._kept: tuple[Mapping[str, Watch], Ledger] = ({}, {})
        if file is None:
            return
        try:
            self._kept = _read(file, files)
        except StorageError as error:
            log("watches begin anew", level=40, cause=str(error), set_aside=_aside(file, files))

    def of(self, owner: str) -> tuple[Watch, ...]:
        """Return somebody's watches, oldest first."""
        return tuple(watch for watch in self.all()[0] if watch.owner == owner)

    def all(self) -> tuple[tuple[Watch, ...], Ledger]:
        """Return all of them, and what they told."""
        watches, ledger = self._kept
        return tuple(watches.values()), ledger

    def add(self, watch: Watch) -> Watch:
        """Keep a watch and return it, or the one there is that tells the same.

        Raises TooMany, and StorageError if it cannot be kept; then there is none.
        """
        with self._lock:
            watches, ledger = self._kept
            own = [one for one in watches.values() if one.owner == watch.owner]
            if same := next((one for one in own if one.wish == watch.wish), None):
                return same
            if len(own) >= MOST_OF_ONE:
                raise TooMany(f"you have {MOST_OF_ONE} watches already, and more are not kept")
            if len(watches) >= MOST:
                raise TooMany("more watches are not kept here")
            self._replace({**watches, watch.id: watch}, ledger)
            return watch

    def remove(self, owner: str, id_: str) -> Watch | None:
        """Forget a watch and return it; None if the owner has none such. Raises StorageError."""
        with self._lock:
            watches, ledger = self._kept
            watch = watches.get(id_)
            if watch is None or watch.owner != owner:
                return None
            self._replace(_without({id_}, watches), _without({id_}, ledger))
            return watch

    def settle(self, decision: Decision) -> None:
        """Keep what is now told, and forget the watches that are done.

        Raises StorageError if it cannot be kept: it is known all the same, until the end.
        """
        with self._lock:
            watches, known = self._kept
            left = _without(decision.done, watches)
            # Who was new while it was decided has been told nothing yet.
            ledger = {id_: decision.ledger.get(id_, known.get(id_, {})) for id_ in left}
            if (left, ledger) != (watches, known):
                self._kept = left, ledger
                self._write(left, ledger)

    def _replace(self, watches: Mapping[str, Watch], ledger: Ledger) -> None:
        self._write(watches, ledger)
        self._kept = watches, ledger

    def _write(self, watches: Mapping[str, Watch], ledger: Ledger) -> None:
        if self._file is not None:
            _write(self._file, watches, ledger, self._files)


T = TypeVar("T")


def _without(ids: Collection[str], of: Mapping[str, T]) -> Mapping[str, T]:
    return {id_: one for id_, one in of.items() if id_ not in ids}


def _aside(file: Path, files: Files) -> str:
    try:
        return str(set_aside(file, files))
    except StorageError as error:
        return str(error)


def _write(file: Path, watches: Mapping[str, Watch], ledger: Ledger, files: Files) -> None:
    body = {
        "schema": SCHEMA,
        "watches": [
            {**_watch_body(watch), "told": _told_body(ledger.get(id_, {}))}
            for id_, watch in watches.items()
        ],
    }
    try:
        # ASCII only: a strange name may hold a lone surrogate.
        content = json.dumps(body, separators=(",", ":")).encode("ascii")
        # Who watches what is nobody else's business.
        put_in_place(files, file, content, OWNER_ONLY)
    except OSError as error:
        raise StorageError(f"{file}: cannot be kept: {error}") from error


def _watch_body(watch: Watch) -> Mapping[str, Any]:
    return {
        "id": watch.id,
        "owner": watch.owner,
        "job": watch.job,
        "kinds": sorted(watch.kinds),
        "soon_s": watch.soon_s,
        "webhook": watch.webhook,
        "created_at": watch.created_at,
    }


def _told_body(told: Mapping[str, Told]) -> Mapping[str, Any]:
    return {
        key: [one.likely_at, one.soon_at, one.started, one.gone_at] for key, one in told.items()
    }


def _read(file: Path, files: Files) -> tuple[dict[str, Watch], dict[str, Mapping[str, Told]]]:
    """Return what was kept; nothing if there is no file. Raises StorageError if it is damaged."""
    try:
        if files.size(file) > LARGEST_FILE_BYTES:
            raise StorageError(f"{file}: more than {LARGEST_FILE_BYTES} bytes")
        body = json.loads(files.read(file))
        if body["schema"] != SCHEMA:
            raise StorageError(f"{file}: a form that is not known")
        return _watches(body["watches"])
    except FileNotFoundError:
        return {}, {}
    except OSError as error:
        raise StorageError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError, *TOO_MUCH) as error:
        raise StorageError(f"{file}: damaged: {error!r}"[:200]) from error


def _watches(
    bodies: Iterable[Mapping[str, Any]],
) -> tuple[dict[str, Watch], dict[str, Mapping[str, Told]]]:
    watches: dict[str, Watch] = {}
    ledger: dict[str, Mapping[str, Told]] = {}
    for body in bodies:
        watch = _watch(body)
        watches[watch.id] = watch
        ledger[watch.id] = {str(key): _told(*one) for key, one in body["told"].items()}
    return watches, ledger


def _watch(body: Mapping[str, Any]) -> Watch:
    return Watch(
        id=str(body["id"]),
        owner=str(body["owner"]),
        job=_text(body["job"]),
        kinds=frozenset(map(Kind, body["kinds"])),
        soon_s=int(body["soon_s"]),
        webhook=_text(body["webhook"]),
        created_at=int(body["created_at"]),
    )


def _told(likely_at: Any, soon_at: Any, started: Any, gone_at: Any) -> Told:
    likely, soon, gone = (None if at is None else int(at) for at in (likely_at, soon_at, gone_at))
    return Told(likely_at=likely, soon_at=soon, started=bool(started), gone_at=gone)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
