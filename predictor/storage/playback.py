"""A recording played as if it happened now: the source of kind `recording`."""

from bisect import bisect_right
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from predictor.clock import Clock, SystemClock
from predictor.domain import Call, Observation
from predictor.domain.instants import instant_of
from predictor.domain.shift import shifted
from predictor.errors import SiteError, SourceError, StorageError
from predictor.storage.reader import PERIOD_S, RecordingReader, open_for_reading

SYSTEM_CLOCK = SystemClock()
KEYS = frozenset({"path", "speed", "from"})
"""What the source can be told in a site file."""


class Playback:
    """Shows a recording's snapshots one after the other, dated as if it began just now.

    At the end it starts over, one period after the last snapshot: ids stay as they were, all
    instants go on. A snapshot is shown with the same instants however often it is looked at.
    At another speed than 1 only the snapshots come faster or slower: within each of them
    durations stay what they were.
    """

    def __init__(
        self, reader: RecordingReader, *, speed: float, begin_at: int | None, clock: Clock
    ) -> None:
        """Begin now, with the snapshot of `begin_at`; None: the first one."""
        self._reader = reader
        self._clock = clock
        self._speed = speed
        self._started_at = clock.now()
        self._instants = [at for at in reader.instants if begin_at is None or at >= begin_at]
        if not self._instants:
            raise SiteError("source.from: the recording has no snapshot from there on")

    def observe(self) -> Observation:
        """Look at the snapshot whose turn it is. Raises SourceError."""
        began = self._clock.monotonic()
        at, shown_at = self._turn()
        try:
            found = next(self._reader.snapshots(since=at, until=at + 1), None)
        except StorageError as error:
            raise SourceError(str(error)) from error
        if found is None:
            raise SourceError(f"the snapshot of {at} cannot be read: {self._reader.damage[-1]}")
        call = Call(name="recording", duration_s=self._clock.monotonic() - began, size_bytes=0)
        return Observation(snapshot=shifted(found, shown_at - at), calls=(call,))

    def _turn(self) -> tuple[int, int]:
        """Return the instant of the snapshot whose turn it is, and when it is to be taken."""
        first, last = self._instants[0], self._instants[-1]
        cycle_s = last - first + PERIOD_S
        elapsed_s = max(0.0, self._clock.now() - self._started_at) * self._speed
        rounds, position_s = divmod(elapsed_s, cycle_s)
        at = self._instants[bisect_right(self._instants, first + position_s) - 1]
        since_start_s = (rounds * cycle_s + at - first) / self._speed
        return at, int(self._started_at + since_start_s)


def from_settings(settings: Mapping[str, object], *, clock: Clock = SYSTEM_CLOCK) -> Playback:
    """Return a source from `path`, `speed` (1) and `from` (an instant; the beginning).

    At the highest speed a snapshot comes each second: faster, two would share an instant.
    Raises SiteError if a setting is wrong or there is no recording.
    """
    if unknown := sorted(settings.keys() - KEYS):
        raise SiteError(f"source.{unknown[0]}: unknown; a recording has {', '.join(sorted(KEYS))}")
    path = settings.get("path")
    if not isinstance(path, str | Path) or not path:
        raise SiteError(f"source.path: expected the folder of a recording, got {path!r}")
    speed = settings.get("speed", 1.0)
    if isinstance(speed, bool) or not isinstance(speed, int | float) or not 0 < speed <= PERIOD_S:
        raise SiteError(
            f"source.speed: expected a number above 0, at most {PERIOD_S}, got {speed!r}"
        )
    try:
        reader = open_for_reading(Path(path))
    except StorageError as error:
        raise SiteError(f"source.path: {error}") from error
    return Playback(reader, speed=speed, begin_at=_begin_at(settings.get("from")), clock=clock)


def _begin_at(setting: object) -> int | None:
    if setting is None or (isinstance(setting, int) and not isinstance(setting, bool)):
        return setting
    try:
        if isinstance(setting, datetime):
            return int(setting.timestamp())
        if isinstance(setting, str):
            return instant_of(setting)
    except ValueError:
        pass
    raise SiteError(
        f"source.from: expected an instant such as 2026-11-20T14:02:00Z, got {setting!r}"
    )
