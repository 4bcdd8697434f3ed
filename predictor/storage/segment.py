"""The newest segment of a recording, open for appending."""

from contextlib import suppress
from pathlib import Path

from predictor.errors import StorageError
from predictor.storage.codec import pack
from predictor.storage.documents import Documents, base_number, chain_of
from predictor.storage.files import Files, put_in_place, write_all
from predictor.storage.frames import Entry, Kind, Scan, record, segment_head

SNAPSHOTS = 64
"""In a full segment. More save little, and lose more when the first record is damaged."""
FULL_BYTES = 64 * 2**20

Base = tuple[int, bytes]
"""A record's offset, and its document."""


class Segment:
    """Appends records to one segment. Every method but `close` raises OSError."""

    def __init__(
        self, files: Files, path: Path, size: int, snapshots: int, bases: dict[int, Base]
    ) -> None:
        self._files = files
        self._path = path
        self._size = size
        self._snapshots = snapshots
        self._bases = bases
        self._descriptor = files.append(path)

    @property
    def name(self) -> str:
        """The file's name."""
        return self._path.name

    @property
    def full(self) -> bool:
        """Whether the next record belongs into a new segment."""
        return self._snapshots >= SNAPSHOTS or self._size >= FULL_BYTES

    def append(self, kind: Kind, taken_at: int, epoch: int, document: bytes) -> Entry:
        """Return where the record stands, once it would survive a loss of power."""
        base = self._base(kind)
        offset, known = (0, None) if base is None else base
        data = record(kind, taken_at, epoch, offset, pack(document, known))
        write_all(self._files, self._descriptor, data)
        self._files.fsync(self._descriptor)
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
        if kind is Kind.OUTCOMES or self._snapshots == 0:
            return self._bases.get(0)
        return self._bases[base_number(self._snapshots)]

    def _appended(
        self, kind: Kind, taken_at: int, epoch: int, base: int, data: bytes, document: bytes
    ) -> Entry:
        offset, self._size = self._size, self._size + len(data)
        if kind is Kind.SNAPSHOT:
            self._bases[self._snapshots] = offset, document
            needed = set(chain_of(self._snapshots))
            self._bases = {n: each for n, each in self._bases.items() if n in needed}
            self._snapshots += 1
        return Entry(
            kind=kind, taken_at=taken_at, epoch=epoch, offset=offset, size=len(data), base=base
        )


def new_segment(
    files: Files, path: Path, cluster: str, kind: Kind, taken_at: int, epoch: int, document: bytes
) -> tuple[Segment, Entry]:
    """Create a segment with its first record, which then would survive a loss of power.

    Raises OSError; the segment then may be there or not, but never a part of it.
    """
    head = segment_head(cluster, epoch)
    data = record(kind, taken_at, epoch, 0, pack(document, None))
    put_in_place(files, path, head + data)
    is_snapshot = kind is Kind.SNAPSHOT
    bases = {0: (len(head), document)} if is_snapshot else {}
    segment = Segment(files, path, len(head + data), int(is_snapshot), bases)
    entry = Entry(
        kind=kind, taken_at=taken_at, epoch=epoch, offset=len(head), size=len(data), base=0
    )
    return segment, entry


def reopened(files: Files, path: Path, found: Scan) -> Segment | None:
    """Return a segment opened again to append more; None if it should rather be left alone.

    An unfinished record at its end is dropped: it was never acknowledged. A full or damaged
    segment is left alone. Raises OSError.
    """
    offsets = [entry.offset for entry in found.entries if entry.kind is Kind.SNAPSHOT]
    if found.damage or len(offsets) >= SNAPSHOTS or found.cluster is None:
        return None
    documents = Documents(files.read(path))
    try:
        bases = {
            number: (offsets[number], documents.at(offsets[number]))
            for number in chain_of(len(offsets) - 1)
            if offsets
        }
    except StorageError:
        return None
    segment = Segment(files, path, found.end, len(offsets), bases)
    if found.unfinished:
        segment.cut_back()
    return segment
