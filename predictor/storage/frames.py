"""The bytes of a segment: a header, then records with a checksum each."""

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

MARK = b"qc\x1eR"
"""Begins each record; the search for the next one after damage looks for it."""
RECORD = struct.Struct("<4sBIqII8s")
"""Mark, kind, epoch, instant, offset of the base, length of the document, checksum."""
HEAD = struct.Struct("<24sII8s")
"""Name of the format, epoch, length of the cluster's name, checksum; the cluster's name follows."""
FORMAT = b"queuecast recording 1\n"


class Kind(IntEnum):
    """What a record holds."""

    SNAPSHOT = 1
    OUTCOMES = 2
    ANSWERS = 3
    """What was published of a snapshot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Where a record stands in its segment."""

    kind: Kind
    taken_at: int
    epoch: int
    offset: int
    size: int
    """In bytes, all included."""
    base: int
    """The offset of the record it is compressed against; 0: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """A piece of a recording that cannot be read."""

    segment: str
    offset: int
    cause: str

    def __str__(self) -> str:
        return f"{self.segment}: byte {self.offset}: {self.cause}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was found in a segment."""

    segment: str
    cluster: str | None
    """None if the head is damaged."""
    size: int
    entries: tuple[Entry, ...]
    damage: tuple[Damage, ...]
    end: int
    """Where the last sound record ends; more bytes, without damage, are an unfinished record."""

    @property
    def unfinished(self) -> bool:
        """Whether the segment ends in the middle of a record."""
        return self.end < self.size and not self.damage

    @property
    def gapless(self) -> bool:
        """Whether records, and the damage between them, leave nothing untold up to `end`."""
        damaged = {each.offset for each in self.damage}
        at = None if self.cluster is None else _head_size(self.cluster)
        for entry in self.entries:
            if at is not None and entry.offset != at and at not in damaged:
                return False
            at = entry.offset + entry.size
        return at is None or at == self.end


def _head_size(cluster: str) -> int:
    return HEAD.size + len(cluster.encode(errors="surrogatepass"))


def segment_head(cluster: str, epoch: int) -> bytes:
    """Return what a segment begins with."""
    name = cluster.encode(errors="surrogatepass")
    sealed = HEAD.pack(FORMAT, epoch, len(name), bytes(8))[:-8] + name
    return HEAD.pack(FORMAT, epoch, len(name), _checksum(sealed)) + name


def record(kind: Kind, taken_at: int, epoch: int, base: int, packed: bytes) -> bytes:
    """Return a record around a compressed document."""
    fields = (MARK, kind, epoch, taken_at, base, len(packed))
    checksum = _checksum(RECORD.pack(*fields, bytes(8))[:-8] + packed)
    return RECORD.pack(*fields, checksum) + packed


def packed_document(data: bytes, entry: Entry) -> bytes:
    """Return the compressed document of an entry of the segment `data`."""
    return data[entry.offset + RECORD.size : entry.offset + entry.size]


def scan(segment: str, data: bytes) -> Scan:
    """Find all sound records of the segment `data`, and name what lies between them."""
    cluster, offset = _read_head(data)
    damage = [] if offset else [Damage(segment=segment, offset=0, cause="the head is damaged")]
    entries: list[Entry] = []
    end = offset
    for entry in _sound_records(data, offset):
        if entry.offset > end and offset:
            damage.append(Damage(segment=segment, offset=end, cause="a damaged record"))
        offset = end = entry.offset + entry.size
        entries.append(entry)
    if end < len(data) and not _cut_short(data[end:]):
        damage.append(Damage(segment=segment, offset=end, cause="a damaged record"))
    return Scan(
        segment=segment,
        cluster=cluster,
        size=len(data),
        entries=tuple(entries),
        damage=tuple(damage),
        end=end,
    )


def entry_at(data: bytes, offset: int) -> Entry | None:
    """Return the record at `offset` of the segment `data`; None if there is no sound one."""
    if len(data) - offset < RECORD.size:
        return None
    mark, kind, epoch, taken_at, base, length, checksum = RECORD.unpack_from(data, offset)
    size = RECORD.size + length
    if mark != MARK or len(data) - offset < size or 0 < offset <= base:
        return None
    body = memoryview(data)[offset : offset + size]
    if checksum != _checksum(body[: RECORD.size - 8], body[RECORD.size :]):
        return None
    if kind not in set(Kind):
        return None
    return Entry(
        kind=Kind(kind), taken_at=taken_at, epoch=epoch, offset=offset, size=size, base=base
    )


def _sound_records(data: bytes, offset: int) -> Iterator[Entry]:
    while 0 <= offset < len(data):
        entry = entry_at(data, offset)
        if entry is not None:
            yield entry
            offset += entry.size
        else:
            offset = data.find(MARK, offset + 1)


def _read_head(data: bytes) -> tuple[str | None, int]:
    """Return the cluster and where the records begin; (None, 0) if the head is damaged."""
    if len(data) < HEAD.size:
        return None, 0
    name, epoch, length, checksum = HEAD.unpack_from(data)
    cluster = data[HEAD.size : HEAD.size + length]
    sealed = HEAD.pack(name, epoch, length, bytes(8))[:-8] + cluster
    if name.rstrip(b"\0") != FORMAT or checksum != _checksum(sealed):
        return None, 0
    return cluster.decode(errors="surrogatepass"), HEAD.size + length


def _cut_short(tail: bytes) -> bool:
    """Return whether a crash in the middle of writing a record explains these last bytes."""
    if not tail.strip(b"\0"):
        return True
    if not tail.startswith(MARK[: len(tail)]):
        return False
    if len(tail) < RECORD.size:
        return True
    length: int = RECORD.unpack_from(tail)[5]
    return len(tail) < RECORD.size + length


def _checksum(*parts: bytes | memoryview) -> bytes:
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    return digest.digest()
