"""How much of the last weeks is recorded, hour by hour."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from predictor import storage
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.errors import StorageError
from predictor.storage import Gap

DAYS = 14
MOST_GAPS = 20
LOOK_EVERY_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A recording as it is on the disk."""

    snapshots: int
    first_at: int | None
    last_at: int | None
    size_bytes: int
    segments: int
    damaged: int
    """Records known to be unreadable."""
    hours: Mapping[int, int]
    """Snapshots of the last days by the hour, counted from 1970 in the site's time."""
    gaps: tuple[Gap, ...]
    """The newest ones of those days, the newest first."""


def recorded(path: Path, now: float, interval_s: int, utc_offset_s: int) -> Recorded | None:
    """Return what is there; None: nothing can be read. Linear in the records."""
    try:
        reader = storage.open_for_reading(path)
    except StorageError:
        return None
    since = int(now) - DAYS * DAY_S
    instants = reader.instants
    gaps = [gap for gap in reader.gaps(interval_s) if gap.until >= since]
    return Recorded(
        snapshots=len(instants),
        first_at=instants[0] if instants else None,
        last_at=instants[-1] if instants else None,
        size_bytes=reader.size_bytes,
        segments=reader.segments,
        damaged=len(reader.damage),
        hours=by_hour((at for at in instants if at >= since), utc_offset_s),
        gaps=tuple(reversed(gaps[-MOST_GAPS:])),
    )


class Looking:
    """Looks at a recording every LOOK_EVERY_S at most, however many ask, from whatever thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._seen: tuple[float, Recorded | None] | None = None

    def recorded(self, now: float, interval_s: int, utc_offset_s: int) -> Recorded | None:
        """Return what is there, or was not long ago; None: nothing can be read."""
        with self._lock:
            if self._seen is None or not 0 <= now - self._seen[0] < LOOK_EVERY_S:
                self._seen = now, recorded(self._path, now, interval_s, utc_offset_s)
            return self._seen[1]


def by_hour(instants: Iterable[int], utc_offset_s: int) -> Mapping[int, int]:
    """Return how many of the instants lie in each hour of the site's time."""
    return Counter((at + utc_offset_s) // HOUR_S for at in instants)
