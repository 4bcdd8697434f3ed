"""Which records a recording's folder holds, in order."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from predictor.storage.files import Files
from predictor.storage.frames import Damage, Entry, Kind, Scan, scan

NAME = re.compile(r"segment-(\d{6,})\.qcr")
OURS = re.compile(
    rf"(lock|epoch|index\.sqlite|{NAME.pattern})((\.[0-9a-f]+)?\.new|-wal|-shm|-journal)?"
)


def segment_name(number: int) -> str:
    """Return the file name of the segment with this number."""
    return f"segment-{number:06}.qcr"


def segment_number(name: str) -> int | None:
    """Return the number of the segment that a file name stands for; None: it is none."""
    found = NAME.fullmatch(name)
    return None if found is None else int(found[1])


def is_ours(name: str) -> bool:
    """Return whether a recording's folder may hold a file of this name."""
    return OURS.fullmatch(name) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a record stands in a recording."""

    segment: str
    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """What a recording holds."""

    scans: tuple[Scan, ...]
    """One per segment, oldest first."""
    snapshots: Mapping[int, Place]
    """By instant, ascending."""
    outcomes: tuple[Place, ...]
    answers: tuple[Place, ...]
    """In the order in which they were published."""
    damage: tuple[Damage, ...]

    @property
    def cluster(self) -> str | None:
        """The cluster that was recorded; None if nothing tells."""
        return _recorded(self.scans)

    @property
    def epoch(self) -> int:
        """The highest epoch that wrote here; 0 for none."""
        return max((e.epoch for found in self.scans for e in found.entries), default=0)

    @property
    def size_bytes(self) -> int:
        """How many bytes its segments take."""
        return sum(found.size for found in self.scans)


def read_scans(
    folder: Path, files: Files, known: Mapping[str, Scan], first: int = 0
) -> tuple[Scan, ...]:
    """Return what each segment from number `first` on holds, oldest first.

    One that is `known` is not read again. Raises OSError.
    """
    names = [name for name in files.names(folder) if _number(name) >= first]
    found = (_scan(folder / name, files, known.get(name)) for name in sorted(names, key=_number))
    return tuple(each for each in found if each is not None)


def catalogue(scans: Iterable[Scan]) -> Catalogue:
    """Put what was found in the segments in order."""
    kept = tuple(scans)
    damage = [each for found in kept for each in found.damage]
    # The newest segment may end in a record that is being written right now.
    damage += [_unfinished(found) for found in kept[:-1] if found.unfinished]
    cluster = _recorded(kept)
    strange = {found.segment for found in kept if found.cluster not in (None, cluster)}
    damage += [_stranger(found) for found in kept if found.segment in strange]
    places = [
        Place(segment=found.segment, entry=e)
        for found in kept
        if found.segment not in strange
        for e in found.entries
    ]
    current, outdated = _by_epoch(places)
    damage += [_outdated(place) for place in outdated]
    # A record may stand there twice when a failed write was repeated: the later one counts.
    snapshots = {p.entry.taken_at: p for p in current if p.entry.kind is Kind.SNAPSHOT}
    return Catalogue(
        scans=kept,
        snapshots=dict(sorted(snapshots.items())),
        outcomes=tuple(p for p in current if p.entry.kind is Kind.OUTCOMES),
        answers=tuple(p for p in current if p.entry.kind is Kind.ANSWERS),
        damage=tuple(damage),
    )


def _number(name: str) -> int:
    """Return a segment's number; -1 for what is none."""
    number = segment_number(name)
    return -1 if number is None else number


def _scan(path: Path, files: Files, known: Scan | None) -> Scan | None:
    try:
        if known is not None and known.size == files.size(path):
            return known
        return scan(path.name, files.read(path))
    except FileNotFoundError:  # pruned since the folder was listed
        return None


def _by_epoch(places: Iterable[Place]) -> tuple[list[Place], list[Place]]:
    """Part the records of the rightful writers from those of one that had lost the lock."""
    current: list[Place] = []
    outdated: list[Place] = []
    epoch = 0
    for place in places:
        (current if place.entry.epoch >= epoch else outdated).append(place)
        epoch = max(epoch, place.entry.epoch)
    return current, outdated


def _recorded(scans: Iterable[Scan]) -> str | None:
    """Return the cluster of most records, of several the one that came first."""
    sizes: dict[str, int] = {}
    for found in scans:
        if found.cluster is not None:
            sizes[found.cluster] = sizes.get(found.cluster, 0) + len(found.entries)
    return max(sizes, key=lambda name: sizes[name], default=None)


def _stranger(found: Scan) -> Damage:
    cause = f"records cluster {found.cluster!r}, as the others do not: left out"
    return Damage(segment=found.segment, offset=0, cause=cause)


def _outdated(place: Place) -> Damage:
    cause = f"a record of epoch {place.entry.epoch}, which was over"
    return Damage(segment=place.segment, offset=place.entry.offset, cause=cause)


def _unfinished(found: Scan) -> Damage:
    return Damage(segment=found.segment, offset=found.end, cause="ends in the middle of a record")
