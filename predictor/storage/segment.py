"""The newest segment of a recording, open for appending."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from predictor.errors import StorageError
from predictor.storage.codec import pack
from predictor.storage.documents import Documents, base_number, chain_of
from predictor.storage.files import Files, put_in_place, write_all
from predictor.storage.frames import Entry, Kind, Scan, record, segment_head
from predictor.storage.ownership import Ownership

IN_SERIES = (Kind.SNAPSHOT, Kind.ANSWERS)
"""The kinds of which each record is much like those before it."""
SNAPSHOTS = 64
"""In a full segment. More save little, and lose more when the first record is damaged."""
FULL_BYTES = 64 * 2**20

Base = tuple[int, bytes]
"""A record's offset, and its document."""


class Series:
    """The records of one kind in a segment that are compressed against earlier ones of them."""

    def __init__(self, count: int = 0, bases: Mapping[int, Base] | None = None) -> None:
        self.count = count
        """How many there are."""
        self.bases = dict(bases or {})
        """By their numbers, those that later ones may build on."""

    @property
    def base(self) -> Base | None:
        """What the next one builds on; None: it is the first."""
        return self.bases[base_number(self.count)] if self.count else None

    def add(self, offset: int, document: bytes) -> None:
        """Note one that was appended."""
        self.bases[self.count] = offset, document
        needed = set(chain_of(self.count))
        self.bases = {n: each for n, each in self.bases.items() if n in needed}
        self.count += 1


class Segment:
    """Appends records to one segment. Every method but `close` raises OSError."""

    def __init__(
        self, files: Files, path: Path, size: int, series: Mapping[Kind, "Series"]
    ) -> None:
        self._files = files
        self._path = path
        self._size = size
        self._series = series
        self._descriptor = files.append(path)

    @property
    def name(self) -> str:
        """The file's name."""
        return self._path.name

    @property
    def full(self) -> bool:
        """Whether the next record belongs into a new segment."""
        return self._series[Kind.SNAPSHOT].count >= SNAPSHOTS or self._size >= FULL_BYTES

    def append(self, kind: Kind, taken_at: int, epoch: int, document: bytes) -> Entry:
        """Return where the record stands, once it would survive a loss of power."""
        base = self._base(kind)
        offset, known = (0, None) if base is None else base
        data = record(kind, taken_at, epoch, offset, pack(document, known))
        write_all(self._files, self._descriptor, data)
        self._files.fsync(self._descriptor)
        # What stands elsewhere than we think could not be read: later ones are told to build on it.
        if self._files.size(self._path) != self._size + len(data):
            raise OSError(f"{self._path}: another process wrote to it")
        return self._appended(kind, taken_at, epoch, offset, data, document)

    def cut_back(self) -> None:
        """Drop what an append that failed has left."""
        self._files.truncate(self._descriptor, self._size)
        self._files.fsync(self._descriptor)

    def close(self) -> None:
        """Give the file back; what was appended is safe already."""
        with suppress(OSError):
            self._files.close(self._descriptor)

    def _base(self, kind: Kind) -> Base | None:
        if kind in self._series:
            return self._series[kind].base
        return self._series[Kind.SNAPSHOT].bases.get(0)

    def _appended(
        self, kind: Kind, taken_at: int, epoch: int, base: int, data: bytes, document: bytes
    ) -> Entry:
        offset, self._size = self._size, self._size + len(data)
        if kind in self._series:
            self._series[kind].add(offset, document)
        return Entry(
            kind=kind, taken_at=taken_at, epoch=epoch, offset=offset, size=len(data), base=base
        )


def new_segment(
    files: Files,
    path: Path,
    cluster: str,
    kind: Kind,
    taken_at: int,
    owner: Ownership,
    document: bytes,
) -> tuple[Segment, Entry]:
    """Create a segment with its first record, which then would survive a loss of power.

    Raises OSError; the segment then may be there or not, but never a part of it.
    """
    epoch = owner.epoch
    head = segment_head(cluster, epoch)
    data = record(kind, taken_at, epoch, 0, pack(document, None))
    put_in_place(files, path, head + data, mark=f".{owner.mark}", replace=False)
    series = {each: Series() for each in IN_SERIES}
    if kind in series:
        series[kind].add(len(head), document)
    segment = Segment(files, path, len(head + data), series)
    entry = Entry(
        kind=kind, taken_at=taken_at, epoch=epoch, offset=len(head), size=len(data), base=0
    )
    return segment, entry


def reopened(files: Files, path: Path, found: Scan) -> Segment | None:
    """Return a segment opened again to append more; None if it should rather be left alone.

    An unfinished record at its end is dropped: it was never acknowledged. A full or damaged
    segment is left alone. Raises OSError.
    """
    snapshots = sum(entry.kind is Kind.SNAPSHOT for entry in found.entries)
    if found.damage or snapshots >= SNAPSHOTS or found.cluster is None:
        return None
    documents = Documents(files.read(path))
    try:
        series = {kind: _series(kind, found, documents) for kind in IN_SERIES}
    except StorageError:
        return None
    segment = Segment(files, path, found.end, series)
    if found.unfinished:
        segment.cut_back()
    return segment


def _series(kind: Kind, found: Scan, documents: Documents) -> Series:
    """Return the series as it stands. Raises StorageError if what it builds on is damaged."""
    offsets = [entry.offset for entry in found.entries if entry.kind is kind]
    numbers = chain_of(len(offsets) - 1) if offsets else ()
    return Series(len(offsets), {n: (offsets[n], documents.at(offsets[n])) for n in numbers})
