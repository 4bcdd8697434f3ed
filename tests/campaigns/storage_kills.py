"""A process that records is killed at any instant; the driver's ledger knows what was acknowledged.

The recording process is forked from this one, which has everything loaded, and tells through a pipe
what it was acknowledged. A folder is killed in `KILLS_A_FOLDER` times, from its first opening on.
"""

import argparse
import os
import random
import select
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from campaigns.findings import Findings, spread
from recordings import START, ended, snapshot
from services import said

from predictor.domain import Forecast
from predictor.errors import StorageError
from predictor.storage import open_for_reading, open_for_writing, prune, segment
from predictor.storage.files import OS_FILES, Files, OsFiles

KILLS_A_FOLDER = 50
WHILE_OPENING = 0.3
"""The share of those that are killed before they have told that the recording is open."""
LONGEST_OPENING_S = 0.02
LONGEST_S = 0.06
"""Of a life, once the recording is open."""
SNAPSHOTS = 6
"""In a segment, so that a few lives see new ones begun."""
KEPT_S = 1_200
"""What is older may be pruned."""
JOBS = 30
READ_BESIDE = 0.3
RECOVERY_S = 30
PLACES = (tempfile.gettempdir(), "/dev/shm")  # noqa: S108
"""A disk, on which most of a life is spent in fsync, and memory, where more is done in it."""


class Lazy(OsFiles):
    """The fault to be found: each write is told to be done, and done with the next one."""

    def __init__(self) -> None:
        self._held: dict[int, bytes] = {}

    def write(self, descriptor: int, data: bytes) -> int:
        """Keep it in memory, and write what was kept before."""
        held = self._held.get(descriptor, b"")
        self._held[descriptor] = data
        while held:
            held = held[super().write(descriptor, held) :]
        return len(data)

    def close(self, descriptor: int) -> None:
        """Write what is left."""
        self.write(descriptor, b"")
        self._held.pop(descriptor)
        super().close(descriptor)


class Ledger:
    """What was acknowledged in one folder."""

    def __init__(self) -> None:
        self.snapshots: set[int] = set()
        self.answers: set[str] = set()
        self.ends: set[str] = set()
        self.pruned_before = 0
        self.openings_s: list[float] = []

    def take(self, line: str) -> None:
        """Note one line of the process that records."""
        kind, _, what = line.partition(" ")
        match kind:
            case "opened":
                self.openings_s.append(float(what))
            case "snapshot":
                self.snapshots.add(int(what))
            case "answers":
                self.answers.add(what)
            case "end":
                self.ends.add(what)
            case "pruning":
                self.pruned_before = int(what)

    @property
    def owed(self) -> set[int]:
        """The instants that must be there."""
        return {at for at in self.snapshots if at >= self.pruned_before}


def record(folder: Path, tell: int, files: Files) -> None:
    """Record until killed."""

    def note(line: str) -> None:
        os.write(tell, line.encode() + b"\n")

    begun = time.monotonic()
    with open_for_writing(folder, files=files) as writer:
        note(f"opened {time.monotonic() - begun:.6f}")
        at = max(writer.last_at or START, START) + 60
        while True:
            writer.append(snapshot(at, jobs=JOBS))
            note(f"snapshot {at}")
            if at % 180 == 0:
                note(f"answers {writer.add_answers(_forecast(at))}")
            if at % 240 == 0:
                writer.add_outcomes([ended(str(at), at)], learned_at=at)
                note(f"end {at}")
            if at % 600 == 0:
                note(f"pruning {at - KEPT_S}")
                prune(folder, before=at - KEPT_S, files=files)
            at += 60


def storage_kills(options: argparse.Namespace, findings: Findings) -> None:
    """Kill again and again; nothing acknowledged may be lost."""
    chance = random.Random(options.seed)  # noqa: S311
    openings_s: list[float] = []
    kills = 0
    places = [place for place in PLACES if Path(place).is_dir()]
    while kills < options.cases and time.monotonic() < options.until:
        with tempfile.TemporaryDirectory(dir=chance.choice(places)) as scratch:
            most = min(KILLS_A_FOLDER, options.cases - kills)
            ledger = Ledger()
            for _ in range(most):
                live(Path(scratch, "recording"), ledger, chance, options.seeded_fault, findings)
            kills += most
            recover(Path(scratch, "recording"), ledger, findings)
            openings_s += ledger.openings_s
            findings.count("acknowledged", len(ledger.snapshots) + len(ledger.answers))
    findings.figures |= {"kills": kills, "recoveries": len(openings_s)}
    findings.figures |= {f"opening_{name}": s for name, s in spread(openings_s).items()}
    findings.figures["lost"] = findings.figures.get("lost", 0)


def live(
    folder: Path, ledger: Ledger, chance: random.Random, lazy: bool, findings: Findings
) -> None:
    """Let one process record and be killed; look at the recording meanwhile, and afterwards."""
    receive, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        segment.SNAPSHOTS = SNAPSHOTS
        try:
            record(folder, tell, Lazy() if lazy else OS_FILES)
        finally:
            os._exit(1)
    os.close(tell)
    if chance.random() < WHILE_OPENING:
        time.sleep(chance.uniform(0, LONGEST_OPENING_S))
    else:
        select.select([receive], [], [], RECOVERY_S)
        dies_at = time.monotonic() + chance.uniform(0, LONGEST_S)
        if chance.random() < READ_BESIDE:
            read_beside(folder, findings)
        time.sleep(max(0.0, dies_at - time.monotonic()))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    findings.expect(os.WIFSIGNALED(status), f"{folder}: it gave up by itself")
    with os.fdopen(receive) as told:
        for line in told:
            if line.endswith("\n"):
                ledger.take(line.rstrip())
    check_instants(folder, ledger, findings)


def read_beside(folder: Path, findings: Findings) -> None:
    """Read while it is written: no error, no damage."""
    if not (folder / "epoch").exists():
        return
    reader = open_for_reading(folder)
    reader.latest()
    findings.expect(not reader.damage, f"{folder}: damage beside a writer: {reader.damage}")
    findings.count("readings_beside")


def check_instants(folder: Path, ledger: Ledger, findings: Findings) -> None:
    """Compare what is there after a kill with the ledger."""
    if not ledger.snapshots:
        return
    missing = ledger.owed - set(open_for_reading(folder).instants)
    findings.expect(not missing, f"{folder}: lost {sorted(missing)[:3]}")
    findings.count("lost", len(missing))
    ledger.snapshots -= missing


def recover(folder: Path, ledger: Ledger, findings: Findings) -> None:
    """Open it once more: that ends, and all that was acknowledged is there as it was."""
    with ended_within(RECOVERY_S), open_for_writing(folder) as writer:
        writer.append(snapshot(max(ledger.snapshots, default=START) + 36_000))
    reader = open_for_reading(folder)
    wrong = [each.taken_at for each in reader.snapshots() if not is_right(each)]
    findings.expect(not wrong, f"{folder}: changed {wrong[:3]}")
    findings.expect(not reader.damage, f"{folder}: damage {reader.damage[:3]}")
    if ledger.pruned_before == 0:
        lost = ledger.answers - {hash_ for _, hash_ in reader.answers()}
        lost |= ledger.ends - {job.spec.id for job in reader.outcomes()}
        findings.expect(not lost, f"{folder}: lost {sorted(lost)[:3]}")
        findings.count("lost", len(lost))


def is_right(each: Any) -> bool:
    """Whether a snapshot reads as it was written."""
    return each in (snapshot(each.taken_at, jobs=JOBS), snapshot(each.taken_at))


@contextmanager
def ended_within(seconds: int) -> Iterator[None]:
    """Raise StorageError from the inside if it takes longer."""

    def give_up(_number: int, _frame: object) -> None:
        raise StorageError(f"not recovered within {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _forecast(at: int) -> Forecast:
    return said(snapshot(at, jobs=3))
