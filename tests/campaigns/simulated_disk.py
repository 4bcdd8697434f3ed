"""A disk in memory, behind the seam of the storage: it fails, fills up, and loses power.

What POSIX promises, and no more: bytes survive a loss of power once their file was fsynced, names
once their folder was. Of all else, any sector and any name may survive or not, in any order.
"""

import errno
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR = 512
CHANGES = frozenset(
    {"make_folder", "create", "write", "truncate", "fsync", "rename", "unlink", "fsync_folder"}
)


class PowerLoss(BaseException):
    """The machine is gone."""


class Killed(BaseException):
    """The process is gone; what it wrote is in the cache of the system."""


@dataclass(slots=True)
class Inode:
    """A file's bytes: as they are read, as they would survive, and what lies between."""

    content: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    pending: list[tuple[int, bytes]] = field(default_factory=list)
    """Since the last fsync: offset and data; of a cut, the new size and no data."""
    dropped: list[tuple[int, int]] = field(default_factory=list)
    """What a failed fsync has given up: written, read back, and never to be safe."""

    def write(self, data: bytes) -> None:
        self.pending.append((len(self.content), data))
        self.content += data

    def cut(self, size: int) -> None:
        del self.content[size:]
        self.pending.append((size, b""))
        self.dropped = [(at, min(end, size)) for at, end in self.dropped if at < size]

    def synced(self) -> None:
        safe = bytearray(self.content)
        for at, end in self.dropped:
            old = self.durable[at:end]
            safe[at:end] = old + bytes(end - at - len(old))
        self.durable = bytes(safe)
        self.pending.clear()

    def sync_failed(self) -> None:
        """As Linux does: the pages are clean from now on, whether they reached the disk or not."""
        self.dropped += [(at, at + len(data)) for at, data in self.pending if data]
        self.pending.clear()


Change = tuple[str, Path, Path | None, Inode | None]
"""Of names: link, unlink or rename; the path, the new path, and which file."""

Fault = int | str | None
"""An errno, `short`, `slow`, `power`, `power after`, `kill`; None: all is well."""


class MemoryDisk:
    """Files in memory. `strike` is asked before each call by what the call is named."""

    def __init__(self) -> None:
        self.now: dict[Path, Inode] = {}
        self.safe: dict[Path, Inode] = {}
        self.changes: list[Change] = []
        self.open: dict[int, Inode] = {}
        self.locks: dict[int, Path] = {}
        self.calls = 0
        self.strike: Callable[[str], Fault] = lambda call: None
        self.wait: Callable[[], None] = lambda: None
        self.capacity: int | None = None
        self.read_only = False
        self.with_index = True
        """Whether there is a real folder for the index, which SQLite keeps."""
        self.log: list[str] | None = None
        self._next = 3

    # What the seam asks for.

    def make_folder(self, path: Path) -> None:
        self._call("make_folder", path)
        if self.with_index:
            path.mkdir(parents=True, exist_ok=True)

    def names(self, folder: Path) -> list[str]:
        self._call("names", folder)
        return sorted(path.name for path in self.now if path.parent == folder)

    def size(self, path: Path) -> int:
        self._call("size", path)
        return len(self._inode(path).content)

    def read(self, path: Path) -> bytes:
        self._call("read", path)
        return bytes(self._inode(path).content)

    def create(self, path: Path, mode: int = 0o640) -> int:
        after = self._call("create", path)
        if path in self.now:
            raise FileExistsError(errno.EEXIST, "there already", str(path))
        self.now[path] = Inode()
        self.changes.append(("link", path, None, self.now[path]))
        self._after(after)
        return self._opened(self.now[path])

    def append(self, path: Path) -> int:
        self._call("append", path)
        return self._opened(self._inode(path))

    def write(self, descriptor: int, data: bytes) -> int:
        fault = self._call("write", None, len(data))
        inode = self.open[descriptor]
        if self.capacity is not None and self.used + len(data) > self.capacity:
            room = max(0, self.capacity - self.used)
            if not room:
                raise OSError(errno.ENOSPC, "no room")
            data = data[:room]
        if fault in ("short", "kill"):
            inode.write(data[: len(data) // 2])
            if fault == "kill":
                raise Killed
            return len(data) // 2
        inode.write(bytes(data))
        self._after(fault)
        return len(data)

    def truncate(self, descriptor: int, size: int) -> None:
        after = self._call("truncate", None)
        self.open[descriptor].cut(size)
        self._after(after)

    def fsync(self, descriptor: int) -> None:
        try:
            after = self._call("fsync", None)
        except OSError:
            self.open[descriptor].sync_failed()
            raise
        self.open[descriptor].synced()
        self._after(after)

    def close(self, descriptor: int) -> None:
        self.open.pop(descriptor, None)
        self.locks.pop(descriptor, None)

    def rename(self, old: Path, new: Path) -> None:
        after = self._call("rename", old)
        self.now[new] = self._inode(old)
        del self.now[old]
        self.changes.append(("rename", old, new, self.now[new]))
        self._after(after)

    def unlink(self, path: Path) -> None:
        after = self._call("unlink", path)
        self._inode(path)
        del self.now[path]
        self.changes.append(("unlink", path, None, None))
        self._after(after)

    def fsync_folder(self, folder: Path) -> None:
        after = self._call("fsync_folder", folder)
        self.safe = {path: inode for path, inode in self.safe.items() if path.parent != folder}
        self.safe |= {path: inode for path, inode in self.now.items() if path.parent == folder}
        self.changes = [one for one in self.changes if one[1].parent != folder]
        self._after(after)

    def lock(self, path: Path) -> int:
        self._call("lock", path)
        if path in self.locks.values():
            raise BlockingIOError(errno.EAGAIN, "locked")
        if path not in self.now:
            self.now[path] = Inode()
            self.changes.append(("link", path, None, self.now[path]))
        descriptor = self._opened(self.now[path])
        self.locks[descriptor] = path
        return descriptor

    # What is behind it.

    @property
    def used(self) -> int:
        """Bytes that files take."""
        return sum(len(inode.content) for inode in self.now.values())

    def killed(self) -> "MemoryDisk":
        """Return what another process finds."""
        return self._as(dict(self.now), self.safe, self.changes)

    @property
    def unsafe(self) -> bool:
        """Whether a loss of power may lose anything."""
        files = {id(inode): inode for inode in (*self.now.values(), *self.safe.values())}
        return bool(self.changes) or any(inode.pending for inode in files.values())

    def after_power_loss(
        self, chance: Random, share: float | None = None, sector: int = SECTOR
    ) -> "MemoryDisk":
        """Return what is found when the power is back; writes may be torn at each `sector`.

        Of all that was not fsynced each piece survived with the probability `share`; None: it is
        drawn too, now and then as all or nothing.
        """
        names = dict(self.safe)
        share = chance.choice((0, 1, 0.5, 0.5, chance.random())) if share is None else share
        for kind, path, new, inode in self.changes:
            if chance.random() >= share:
                continue
            if kind != "link":
                names.pop(path, None)
            if inode is not None:
                names[new or path] = inode
        found = {id(inode): survivor(inode, chance, share, sector) for inode in names.values()}
        kept = {path: found[id(inode)] for path, inode in names.items()}
        return self._as(kept, dict(kept), [])

    def _as(
        self, now: dict[Path, Inode], safe: dict[Path, Inode], changes: list[Change]
    ) -> "MemoryDisk":
        other = MemoryDisk()
        other.now, other.safe, other.changes = now, safe, changes
        other.capacity, other.wait, other.log = self.capacity, self.wait, self.log
        return other

    def copy(self) -> "MemoryDisk":
        """Return the same with nothing in common."""
        twins: dict[int, Inode] = {}

        def twin(inode: Inode) -> Inode:
            if id(inode) not in twins:
                twins[id(inode)] = Inode(
                    bytearray(inode.content), inode.durable, [*inode.pending], [*inode.dropped]
                )
            return twins[id(inode)]

        return self._as(
            {path: twin(inode) for path, inode in self.now.items()},
            {path: twin(inode) for path, inode in self.safe.items()},
            [(k, a, b, None if inode is None else twin(inode)) for k, a, b, inode in self.changes],
        )

    def _call(self, call: str, path: Path | None, size: int = 0) -> Fault:
        self.calls += 1
        fault = self.strike(call)
        if self.log is not None and (fault is not None or call in CHANGES):
            where = "" if path is None else path.name
            self.log.append(f"    disk: {call} {where} {size or ''}{f' !{fault}' if fault else ''}")
        if self.read_only and call in CHANGES - {"fsync", "fsync_folder", "make_folder"}:
            raise OSError(errno.EROFS, "read-only")
        if isinstance(fault, int):
            raise OSError(fault, "injected")
        if fault == "power":
            raise PowerLoss
        if fault == "kill" and call != "write":
            raise Killed
        if fault == "slow":
            self.wait()
        return fault

    def _after(self, fault: Fault) -> None:
        if fault == "power after":
            raise PowerLoss

    def _inode(self, path: Path) -> Inode:
        if path not in self.now:
            raise FileNotFoundError(errno.ENOENT, "no such file", str(path))
        return self.now[path]

    def _opened(self, inode: Inode) -> int:
        self._next += 1
        self.open[self._next] = inode
        return self._next


def survivor(inode: Inode, chance: Random, share: float, sector: int) -> Inode:
    """Return what is left of a file: each sector written since its fsync is there, or is not."""
    left = bytearray(inode.durable)
    for at, data in inode.pending:
        if not data:
            if chance.random() < share:
                del left[at:]
            continue
        for begin, end in _sectors(at, at + len(data), sector):
            if chance.random() < share:
                left += bytes(max(0, end - len(left)))
                left[begin:end] = data[begin - at : end - at]
    found = bytes(left)
    return Inode(bytearray(found), found)


def _sectors(since: int, until: int, sector: int) -> Iterator[tuple[int, int]]:
    at = since
    while at < until:
        end = min(until, (at // sector + 1) * sector)
        yield at, end
        at = end
