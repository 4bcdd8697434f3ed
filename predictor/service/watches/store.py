"""The watches there are and what they told, in one file: replaced in one step, bounded."""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from predictor.errors import StorageError
from predictor.outfile import replace_file
from predictor.service.logs import log
from predictor.service.memory import set_aside
from predictor.service.watches.deciding import Decision, Ledger
from predictor.service.watches.watch import Kind, Told, Watch

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
    """All watches. For several threads at a time; all but reading may wait for the disk."""

    def __init__(self, file: Path | None) -> None:
        """Begin with what `file` holds; what is damaged is set aside, and told in the log.

        None: they are not kept.
        """
        self._file = file
        self._lock = threading.Lock()
        self._watches: dict[str, Watch] = {}
        self._ledger: Ledger = {}
        if file is None:
            return
        try:
            self._watches, self._ledger = _read(file)
        except StorageError as error:
            log("watches begin anew", level=40, cause=str(error), set_aside=_aside(file))

    def of(self, owner: str) -> tuple[Watch, ...]:
        """Return somebody's watches, oldest first."""
        return tuple(watch for watch in self.all()[0] if watch.owner == owner)

    def all(self) -> tuple[tuple[Watch, ...], Ledger]:
        """Return all of them, and what they told."""
        with self._lock:
            return tuple(self._watches.values()), self._ledger

    def add(self, watch: Watch) -> Watch:
        """Keep a watch and return it, or the one there is that tells the same.

        Raises TooMany, and StorageError if it cannot be kept; then there is none.
        """
        with self._lock:
            own = [one for one in self._watches.values() if one.owner == watch.owner]
            if same := next((one for one in own if one.wish == watch.wish), None):
                return same
            if len(own) >= MOST_OF_ONE:
                raise TooMany(f"you have {MOST_OF_ONE} watches already, and more are not kept")
            if len(self._watches) >= MOST:
                raise TooMany("more watches are not kept here")
            self._replace({**self._watches, watch.id: watch}, self._ledger)
            return watch

    def remove(self, owner: str, id_: str) -> Watch | None:
        """Forget a watch and return it; None if the owner has none such. Raises StorageError."""
        with self._lock:
            watch = self._watches.get(id_)
            if watch is None or watch.owner != owner:
                return None
            self._without({id_})
            return watch

    def settle(self, decision: Decision) -> None:
        """Keep what is now told, and forget the watches that are done.

        Raises StorageError if it cannot be kept: it is known all the same, until the end.
        """
        with self._lock:
            ledger = {id_: told for id_, told in decision.ledger.items() if id_ in self._watches}
            if ledger == self._ledger and not decision.done:
                return
            kept = {k: watch for k, watch in self._watches.items() if k not in decision.done}
            told = {k: each for k, each in ledger.items() if k not in decision.done}
            self._watches, self._ledger = kept, told
            self._write(kept, told)

    def _without(self, ids: set[str]) -> None:
        watches = {k: watch for k, watch in self._watches.items() if k not in ids}
        self._replace(watches, {k: told for k, told in self._ledger.items() if k not in ids})

    def _replace(self, watches: dict[str, Watch], ledger: Ledger) -> None:
        self._write(watches, ledger)
        self._watches, self._ledger = watches, ledger

    def _write(self, watches: Mapping[str, Watch], ledger: Ledger) -> None:
        if self._file is not None:
            _write(self._file, watches, ledger)


def _aside(file: Path) -> str:
    try:
        return str(set_aside(file))
    except StorageError as error:
        return str(error)


def _write(file: Path, watches: Mapping[str, Watch], ledger: Ledger) -> None:
    body = {
        "schema": SCHEMA,
        "watches": [
            {**asdict(watch), "kinds": sorted(watch.kinds), "told": _told_body(ledger.get(id_, {}))}
            for id_, watch in watches.items()
        ],
    }
    try:
        # Who watches what is nobody else's business.
        file.touch(OWNER_ONLY)
        # ASCII only: a strange name may hold a lone surrogate.
        replace_file(file, json.dumps(body, separators=(",", ":")).encode("ascii"))
    except OSError as error:
        raise StorageError(f"{file}: cannot be kept: {error.strerror}") from error


def _told_body(told: Mapping[str, Told]) -> Mapping[str, Any]:
    return {
        key: [one.likely_at, one.soon_at, one.started, one.gone_at] for key, one in told.items()
    }


def _read(file: Path) -> tuple[dict[str, Watch], dict[str, Mapping[str, Told]]]:
    """Return what was kept; nothing if there is no file. Raises StorageError if it is damaged."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE_BYTES + 1)
        if len(content) > LARGEST_FILE_BYTES:
            raise StorageError(f"{file}: more than {LARGEST_FILE_BYTES} bytes")
        body = json.loads(content)
        if body["schema"] != SCHEMA:
            raise StorageError(f"{file}: a form that is not known")
        return _watches(body["watches"])
    except FileNotFoundError:
        return {}, {}
    except OSError as error:
        raise StorageError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
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
