"""Several processes begin to write one recording at the same instant: one of them may.

Also where the lock of the file system is no good, as on some network file systems, and where calls
to it take their time: then who came later takes over, and nothing acknowledged may be lost.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

from campaigns.findings import Findings, spread
from recordings import START, snapshot

from predictor.errors import RecordingInUse, StorageError
from predictor.storage import RecordingWriter, open_for_reading, open_for_writing, segment
from predictor.storage.files import OsFiles

AT_ONCE = (2, 2, 3)
SECOND_ENDS_WITHIN_S = 2
APART_S = 0.03
"""So much later than the first, at most, the others of a race without locks begin."""
RACE_S = 0.15
SLOW_S = 0.01
SLOW_SHARE = 0.2
SNAPSHOTS = 4
"""In a segment, so that in a race new ones are begun."""


class Unlocked(OsFiles):
    """A file system that gives its lock to everybody, and lets some calls take their time."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def lock(self, path: Path) -> int:
        """Lock nothing."""
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o640)

    def _dawdle(self) -> None:
        if self._chance.random() < SLOW_SHARE:
            time.sleep(self._chance.uniform(0, SLOW_S))

    def write(self, descriptor: int, data: bytes) -> int:
        """Write, perhaps later."""
        self._dawdle()
        return super().write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        """Return when it is safe, or later."""
        self._dawdle()
        super().fsync(descriptor)


Tell = Callable[[str], object]
Wait = Callable[[], object]


class Racer:
    """A process forked from this one that tells by lines what becomes of it."""

    def __init__(self, task: Callable[[Tell, Wait], None]) -> None:
        self._receive, tell = os.pipe()
        self._begin, begin = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(begin)
            os.close(self._receive)
            os.read(self._begin, 1)
            try:
                task(
                    lambda line: os.write(tell, line.encode() + b"\n"),
                    lambda: os.read(self._begin, 1),
                )
            finally:
                os._exit(0)
        os.close(tell)
        os.close(self._begin)
        self._start = begin

        self._told = os.fdopen(self._receive)

    def begin(self) -> None:
        """Let it go, or go on if it waits again."""
        with suppress(BrokenPipeError):  # it is over already
            os.write(self._start, b"!")

    def first(self) -> str:
        """Return the first line that it tells, once it does."""
        return self._told.readline().rstrip()

    def told_until(self, line: str) -> list[str]:
        """Return what it tells up to such a line, or to its end."""
        lines = []
        while (told := self.first()) and told != line:
            lines.append(told)
        return lines

    def end(self) -> list[str]:
        """Return what it told besides, once it is over."""
        with self._told:
            lines = self._told.read().split("\n")[:-1]
        os.waitpid(self.pid, 0)
        os.close(self._start)
        return lines


def owner_races(options: argparse.Namespace, findings: Findings) -> None:
    """Race with a lock and without, by turns."""
    chance = random.Random(options.seed)  # noqa: S311
    refused_s: list[float] = []
    findings.figures |= {"races": 0, "lost": 0, "taken_over": 0}
    while findings.figures["races"] < options.cases and time.monotonic() < options.until:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "recording")
            if findings.figures["races"] % 2 == 0:
                refused_s += race(folder, chance, options.seeded_fault, findings)
            else:
                with patch.object(segment, "SNAPSHOTS", SNAPSHOTS):
                    race_unlocked(folder, chance, findings)
        findings.count("races")
    findings.figures |= {f"refused_{name}": s for name, s in spread(refused_s).items()}


def race(folder: Path, chance: random.Random, unlocked: bool, findings: Findings) -> list[float]:
    """Let some begin at once; returns how long it took to turn away those that came too late."""

    def hold(tell: Tell, wait: Wait) -> None:
        files = Unlocked(chance) if unlocked else OsFiles()
        begun = time.monotonic()
        try:
            with open_for_writing(folder, files=files) as writer:
                tell("opened")
                writer.append(snapshot(START))
                wait()
        except RecordingInUse:
            tell(f"{time.monotonic() - begun}")

    racers = [Racer(hold) for _ in range(chance.choice(AT_ONCE))]
    for racer in racers:
        racer.begin()
    told = [racer.first() for racer in racers]
    for racer, line in zip(racers, told, strict=True):
        if line == "opened":
            racer.begin()
        racer.end()
    writers = told.count("opened")
    refused_s = [float(line) for line in told if line not in ("", "opened")]
    findings.expect(writers == 1, f"race {findings.figures['races']}: {told}")
    findings.expect(
        max(refused_s, default=0) < SECOND_ENDS_WITHIN_S, f"turned away late: {refused_s}"
    )
    return refused_s


def race_unlocked(folder: Path, chance: random.Random, findings: Findings) -> None:
    """Let two write without a lock: in the end one does, and nothing acknowledged is lost."""
    ends_at = time.monotonic() + RACE_S

    def write(tell: Tell, wait: Wait) -> None:
        files = Unlocked(random.Random(os.getpid()))  # noqa: S311
        try:
            with open_for_writing(folder, files=files) as writer:
                while time.monotonic() < ends_at:
                    append_next(writer, tell)
                tell("done")
                wait()
                append_next(writer, tell)
                tell("ended")
        except RecordingInUse:
            tell("taken over")
        except StorageError as error:
            tell(f"failed {error}")

    racers = [Racer(write) for _ in range(2)]
    for racer in racers:
        racer.begin()
        time.sleep(chance.uniform(0, APART_S))
    told = [racer.told_until("done") for racer in racers]
    for racer, lines in zip(racers, told, strict=True):
        racer.begin()  # what each of them writes now was not written before by the other
        lines += racer.end()
    place = f"race {findings.figures['races']}"
    last = [lines[-1] if lines else "nothing" for lines in told]
    findings.expect(last.count("ended") <= 1, f"{place}: both wrote to the end")
    findings.count("taken_over", last.count("taken over"))
    owed = {int(line.split()[1]) for lines in told for line in lines if "acknowledged" in line}
    lost = owed - readable(folder)
    findings.expect(not lost, f"{place}: lost {sorted(lost)[:3]} of {len(owed)}; {last}")
    findings.count("lost", len(lost))
    findings.count("acknowledged", len(owed))


def append_next(writer: RecordingWriter, tell: Tell) -> None:
    """Append the next snapshot, and tell that it was acknowledged."""
    at = (writer.last_at or START) + 60
    writer.append(snapshot(at))
    tell(f"acknowledged {at}")


def readable(folder: Path) -> set[int]:
    """Return the instants of the snapshots that read as they were written."""
    reader = open_for_reading(folder)
    return {each.taken_at for each in reader.snapshots() if each == snapshot(each.taken_at)}
