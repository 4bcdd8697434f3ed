"""An SQLite index over the segments: it can be lost at any time, for they tell all it knows."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from predictor.domain import FinishedJob
from predictor.storage.files import GROUP_READS
from predictor.storage.frames import Damage, Entry, Kind, Scan

NAME = "index.sqlite"
VERSION = 1
SCHEMA = f"""
PRAGMA user_version = {VERSION};
CREATE TABLE segment (
    name TEXT PRIMARY KEY, cluster BLOB, size INTEGER NOT NULL, end INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE entry (
    segment TEXT NOT NULL, position INTEGER NOT NULL, kind INTEGER NOT NULL,
    taken_at INTEGER NOT NULL, epoch INTEGER NOT NULL, size INTEGER NOT NULL,
    base INTEGER NOT NULL, PRIMARY KEY (segment, position)
) WITHOUT ROWID;
CREATE TABLE damage (segment TEXT NOT NULL, position INTEGER NOT NULL, cause TEXT NOT NULL);
CREATE TABLE outcome (key BLOB PRIMARY KEY, segment TEXT NOT NULL) WITHOUT ROWID;
"""

Key = tuple[str, int, int]
"""What makes an outcome one: the job's id, when it was submitted, when it ended."""


def outcome_key(job: FinishedJob) -> Key:
    """Return what tells this end from every other one of the cluster."""
    return job.spec.id, job.spec.submitted_at, job.ended_at


class Index:
    """The index of a recording, open for its writer. Methods raise sqlite3.Error."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._database = _open(path)
        except sqlite3.DatabaseError:
            _remove(path)
            self._database = _open(path)

    def scans(self) -> dict[str, Scan]:
        """Return what is known of each segment, by its name; nothing, if it had to begin anew."""
        try:
            return _scans(self._database)
        except sqlite3.DatabaseError:
            self._database.close()
            _remove(self._path)
            self._database = _open(self._path)
            return {}

    def put(self, found: Scan, outcomes: Iterable[FinishedJob]) -> None:
        """Take what was found in a segment for what is known of it."""
        with self._database as database:
            _forget(database, found.segment)
            database.execute(
                "INSERT INTO segment VALUES (?, ?, ?, ?)",
                (
                    found.segment,
                    None if found.cluster is None else _bytes(found.cluster),
                    found.size,
                    found.end,
                ),
            )
            database.executemany(
                "INSERT INTO damage VALUES (?, ?, ?)",
                [(each.segment, each.offset, each.cause) for each in found.damage],
            )
            _insert(database, found.segment, found.entries, outcomes)

    def add(
        self, segment: str, cluster: str, entry: Entry, outcomes: Iterable[FinishedJob] = ()
    ) -> None:
        """Note a record that was appended to a segment known up to there, or begins one."""
        end = entry.offset + entry.size
        with self._database as database:
            database.execute(
                "INSERT INTO segment VALUES (?, ?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET size = excluded.size, end = excluded.end",
                (segment, _bytes(cluster), end, end),
            )
            _insert(database, segment, [entry], outcomes)

    def keep_only(self, names: Iterable[str]) -> None:
        """Forget all other segments."""
        with self._database as database:
            known = {name for (name,) in database.execute("SELECT name FROM segment")}
            for gone in known - set(names):
                _forget(database, gone)

    def knows(self, outcome: Key) -> bool:
        """Return whether this outcome is in the recording."""
        found = self._database.execute("SELECT 1 FROM outcome WHERE key = ?", (_packed(outcome),))
        return found.fetchone() is not None

    def close(self) -> None:
        """Give the database back."""
        self._database.close()


def peek(path: Path, wanted: Callable[[str], bool] = bool) -> Mapping[str, Scan]:
    """Return what the index knows of the segments that are `wanted`, by their names.

    Nothing is written; nothing is returned if the index cannot be used.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return _scans(database, wanted) if _version(database) == VERSION else {}
    except sqlite3.Error:
        return {}


def _open(path: Path) -> sqlite3.Connection:
    # It tells whose job ended when, and SQLite would let everybody read it; its journal gets the
    # same mode.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL, GROUP_READS))
    database = sqlite3.connect(path, check_same_thread=False)
    try:
        # Not WAL: that maps a file into memory, and on a full disk a touch of it ends the process.
        database.execute("PRAGMA journal_mode = TRUNCATE")
        # Losing the last rows with the power is harmless: the segment's size then tells.
        database.execute("PRAGMA synchronous = NORMAL")
        if _version(database) == 0:
            database.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        if _version(database) != VERSION:
            raise sqlite3.DatabaseError("an index of another version")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _remove(path: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _version(database: sqlite3.Connection) -> int:
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    return version


def _forget(database: sqlite3.Connection, segment: str) -> None:
    database.execute("DELETE FROM segment WHERE name = ?", (segment,))
    for table in ("entry", "damage", "outcome"):
        database.execute(f"DELETE FROM {table} WHERE segment = ?", (segment,))  # noqa: S608


def _insert(
    database: sqlite3.Connection,
    segment: str,
    entries: Iterable[Entry],
    outcomes: Iterable[FinishedJob],
) -> None:
    database.executemany(
        "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(segment, e.offset, int(e.kind), e.taken_at, e.epoch, e.size, e.base) for e in entries],
    )
    database.executemany(
        "INSERT OR IGNORE INTO outcome VALUES (?, ?)",
        [(_packed(outcome_key(job)), segment) for job in outcomes],
    )


def _packed(outcome: Key) -> bytes:
    return _bytes("\0".join(map(str, outcome)))


def _bytes(text: str) -> bytes:
    # SQLite's own text refuses the lone surrogates that a strange name may hold.
    return text.encode(errors="surrogatepass")


def _scans(database: sqlite3.Connection, wanted: Callable[[str], bool] = bool) -> dict[str, Scan]:
    """Return what is known of each segment. Raises sqlite3.Error, also for what no scan finds."""
    try:
        found = _told(database, wanted)
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise sqlite3.DatabaseError(f"damaged: {error}") from error
    for each in found.values():
        told = [each.size, each.end]
        for entry in each.entries:
            told += (entry.taken_at, entry.epoch, entry.offset, entry.size, entry.base)
        # A column of SQLite's holds whatever it was given.
        if not all(type(number) is int for number in told):
            raise sqlite3.DatabaseError(f"damaged: {each.segment}")
    # Damage may also take rows away; such a segment is read anew.
    return {name: each for name, each in found.items() if each.gapless}


def _told(database: sqlite3.Connection, wanted: Callable[[str], bool]) -> dict[str, Scan]:
    damage: dict[str, list[Damage]] = {}
    for segment, offset, cause in database.execute("SELECT segment, position, cause FROM damage"):
        damage.setdefault(segment, []).append(Damage(segment=segment, offset=offset, cause=cause))
    return {
        name: Scan(
            segment=name,
            cluster=None if cluster is None else cluster.decode(errors="surrogatepass"),
            size=size,
            entries=tuple(_entries(database, name)),
            damage=tuple(damage.get(name, ())),
            end=end,
        )
        for name, cluster, size, end in database.execute(
            "SELECT name, cluster, size, end FROM segment"
        )
        if wanted(name)
    }


def _entries(database: sqlite3.Connection, segment: str) -> Iterator[Entry]:
    for offset, kind, taken_at, epoch, size, base in database.execute(
        "SELECT position, kind, taken_at, epoch, size, base FROM entry"
        " WHERE segment = ? ORDER BY position",
        (segment,),
    ):
        yield Entry(
            kind=Kind(kind), taken_at=taken_at, epoch=epoch, offset=offset, size=size, base=base
        )
