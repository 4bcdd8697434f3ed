"""A small real file system, ext4 on a loop device: full, read-only, without inodes. Needs root.

    python tests/campaigns/full_disk.py [--cases 20] [--seed 1] [--seeded-fault]

The daemon's rounds on real files. While the disk refuses, answers go on from memory and the trouble
is told; nothing acknowledged is lost; once there is room again, all is recorded as before.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from random import Random

from campaigns.promises import Broken, check_kept
from campaigns.seeds import finish
from campaigns.silence import silence
from campaigns.simulated_cluster import Cluster, FaultySource, VirtualClock
from campaigns.simulated_daemon import Ledger, Life, Oracle, site_of

from predictor.storage.files import OS_FILES, Files, OsFiles

BEGIN = 1_700_000_000
SIZE_MIB = 16
INODES = 256


class Deaf(OsFiles):
    """Files that say of what the disk refused that it was written: the planted fault."""

    def write(self, descriptor: int, data: bytes) -> int:
        with suppress(OSError):
            super().write(descriptor, data)
        return len(data)

    def fsync(self, descriptor: int) -> None:
        with suppress(OSError):
            super().fsync(descriptor)


class Machine:
    """A daemon on the mounted folder."""

    def __init__(self, mount: Path, image: Path, seed: int, files: Files = OS_FILES) -> None:
        self.files = files
        self.mount = mount
        self.image = image
        self.chance = Random(seed)
        self.clock = VirtualClock(BEGIN)
        cluster = Cluster(Random(seed), BEGIN - 900, size=4, every_s=60, ids=10_000)
        self.source = FaultySource(cluster, self.clock, Random(seed))
        self.site = site_of(mount / "state")
        (mount / "state").mkdir(exist_ok=True)
        self.ledger = Ledger()
        self.life: Life | None = None
        self.fillers: list[Path] = []
        self.damaged = False

    def start(self) -> None:
        self.life = Life(
            self.site,
            self.files,
            self.clock,
            self.source,
            Oracle(real_every=0),
            self.ledger,
            self.chance,
        )
        self.life.watch()
        self.life.revive()

    def end(self) -> None:
        if self.life is not None:
            self.life.stop()
            self.life = None

    def minutes(self, count: int) -> list[bool]:
        """Look so many times; return whether each was recorded. Each has to be answered."""
        recorded = []
        for _ in range(count):
            assert self.life is not None
            self.clock.sleep(self.life.agenda.left_s())
            report = self.life.tick()
            answered = self.life.newest.any().snapshot_at == max(self.source.shown)
            if report.published is None or not answered:
                raise Broken(9, f"no answer: {[stage.cause for stage in report.failures]}")
            failed = {stage.name: stage.kind for stage in report.failures}
            if set(failed.values()) - {"storage"}:
                raise Broken(9, f"{failed}")
            recorded.append("record" not in failed)
        return recorded

    def check(self) -> None:
        check_kept(self.site, OS_FILES, self.ledger, 0, self.chance)

    def fill(self) -> None:
        """Leave no byte."""
        file = self.mount / f"filler{len(self.fillers)}"
        self.fillers.append(file)
        with file.open("wb", buffering=0) as opened:
            for piece in (2**20, 4_096, 512, 1):
                try:
                    while opened.write(bytes(piece)):
                        pass
                except OSError:
                    continue

    def use_up_inodes(self) -> None:
        """Leave no name."""
        for number in range(4 * INODES):
            file = self.mount / f"name{number}"
            try:
                file.touch()
            except OSError:
                return
            self.fillers.append(file)

    def read_only(self) -> None:
        """As the system does that finds a file system damaged."""
        self.damaged = True
        _run("mount", "-o", "remount,abort", self.mount)

    def well_again(self) -> None:
        """Make room; of what was damaged, mended, the daemon has to be started again."""
        if self.damaged:
            self.damaged = False
            self.end()
            _run("umount", self.mount)
            # Status 1: something was mended.
            subprocess.run(["e2fsck", "-fy", str(self.image)], capture_output=True, check=False)
            _run("mount", "-o", "loop", self.image, self.mount)
            self.start()
        while self.fillers:
            self.fillers.pop().unlink()


Refusal = Callable[[Machine], None]
REFUSALS: dict[str, Refusal] = {
    "full": Machine.fill,
    "read-only": Machine.read_only,
    "no inodes": Machine.use_up_inodes,
}


@contextmanager
def mounted() -> Iterator[tuple[Path, Path]]:
    """A small ext4 of its own: where it is mounted, and its image.

    Raises subprocess.CalledProcessError where that is not allowed.
    """
    with tempfile.TemporaryDirectory() as folder:
        image, mount = Path(folder) / "image", Path(folder) / "disk"
        mount.mkdir()
        with image.open("wb") as file:
            file.truncate(SIZE_MIB * 2**20)
        _run("mkfs.ext4", "-q", "-F", "-m", "0", "-N", str(INODES), image)
        _run("mount", "-o", "loop", image, mount)
        try:
            yield mount, image
        finally:
            _run("umount", "-l", mount)


def _run(*command: object) -> None:
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


def cycle(machine: Machine, refusal: str) -> Counter[str]:
    """Let the disk refuse for some minutes, and be well again; now and then restart meanwhile."""
    machine.minutes(2)
    REFUSALS[refusal](machine)
    kept = machine.minutes(70 if refusal == "no inodes" else 4)  # a segment ends in between
    if all(kept):
        raise Broken(9, f"{refusal}: nothing was refused, the disk is not tried")
    machine.check()
    machine.well_again()
    after = machine.minutes(3)
    if not all(after):
        raise Broken(9, f"{refusal}: {after.count(False)} looks are not recorded after it")
    machine.check()
    refused = kept.count(False)
    return Counter({refusal: 1, "cycles": 1, "not recorded": refused, "recorded": len(after)})


def campaign(
    cases: int, seed: int, until: float = inf, files: Files = OS_FILES
) -> tuple[Counter[str], list[str]]:
    """Go through so many cycles, all kinds by turns; return figures and findings."""
    figures: Counter[str] = Counter()
    found: list[str] = []
    with silence(), mounted() as (mount, image):
        machine = Machine(mount, image, seed, files)
        machine.start()
        for number in range(cases):
            refusal = list(REFUSALS)[number % len(REFUSALS)]
            if time.monotonic() > until:
                break
            try:
                figures += cycle(machine, refusal)
            except Exception as error:
                found.append(f"cycle {number}, {refusal}: {type(error).__name__}: {error}")
                machine.well_again()
        machine.end()
    figures["snapshots"] = len(machine.ledger.snapshots)
    return figures, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="it ends then")
    parser.add_argument("--seeded-fault", action="store_true", help="it must be found")
    options = parser.parse_args()
    files = Deaf() if options.seeded_fault else OS_FILES
    begun = time.monotonic()
    if os.geteuid() != 0:
        parser.error("only root can mount")
    figures, found = campaign(options.cases, options.seed, begun + options.seconds, files)
    return finish("full_disk", figures, found, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
