"""A month of minutes on an accelerated clock, with everything that goes wrong in one.

    python tests/campaigns/soak.py --days 30 [--nodes 4] [--seeded-fault memory]

The daemon's rounds on real files in a folder of their own, looks at a simulated cluster: outages of
minutes to hours, lies, workers that die, calls to the disk that fail, kills and restarts, clocks
that are set, retention of a week. Told are memory, open files, threads, the recording's size, what
was lost, how many minutes had an answer, and how often the batch system was asked.
"""

import argparse
import gc
import mmap
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from math import inf
from pathlib import Path
from random import Random
from statistics import linear_regression
from unittest import mock

from campaigns.seeds import finish
from campaigns.silence import silence
from campaigns.simulated_cluster import LOOKS, PASTS, Cluster, FaultySource, VirtualClock
from campaigns.simulated_daemon import WORKER_FAULTS, Ledger, Life, Oracle, site_of
from recordings import FailingFiles

from predictor.domain import Snapshot
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.errors import StorageError
from predictor.storage import open_for_reading

BEGIN = 1_700_000_000
KEEP_DAYS = 7
PRUNE_EVERY_S = 6 * HOUR_S
WARM_DAYS = 8
"""Until retention works and what is learned has filled up: memory is measured after that."""
SUBMISSIONS = {"MOST": 1_000, "MOST_OF_A_USER": 500, "SLACK": 20}
"""So many are remembered here: the 20,000 of `predictor.arrivals.log` fill up for 55 days."""
LATE_DAYS = 3
"""Pruning goes by whole segments, and waits a day each time a clock was set."""
STEEPEST_MIB = 10
"""So much memory may grow in 30 days."""
FAULTS = ("lost", "files", "memory", "kept")
"""What `--seeded-fault` plants: a segment vanishes, files stay open, memory grows, all is kept."""
SEGMENTS = "segment-*"
LEAK = 262_144
"""Bytes a minute."""
CHANGING = ("create", "append", "write", "truncate", "fsync", "rename", "unlink", "fsync_folder")


class Instants(Ledger):
    """Remembers of what was acknowledged its instant only, for there is much of it."""

    def acknowledge(self, snapshot: Snapshot) -> None:
        self.snapshots[snapshot.taken_at] = None  # type: ignore[assignment]

    def keep(self, snapshot_at: int, hash_: str) -> None:
        pass


def grown(size: int) -> mmap.mmap:
    """Return so many bytes that this process did not have before: free ones are not used again."""
    memory = mmap.mmap(-1, size)
    memory.write(b"x" * size)
    return memory


class Soak:
    """One month."""

    def __init__(self, folder: Path, nodes: int, seed: int, planted: str = "") -> None:
        """`planted`: one of FAULTS, or none."""
        self.planted = planted
        self.leaked: list[mmap.mmap | int] = []
        self.chance = Random(seed)
        self.clock = VirtualClock(BEGIN)
        cluster = Cluster(Random(seed), BEGIN - 900, size=nodes, every_s=240, ids=60_000)
        self.source = FaultySource(cluster, self.clock, Random(seed))
        self.files = FailingFiles(0, counted=CHANGING)
        table = {"path": str(folder / "recording"), "keep_days": KEEP_DAYS}
        self.site = site_of(folder, recording=table, forecast={"draws": 0})
        self.ledger = Instants()
        self.figures: Counter[str] = Counter()
        self.found: list[str] = []
        self.worker_fault = ""
        self.outage_until = 0.0
        self.life = self._born()
        self.rss_mib: list[float] = []
        self.sizes: list[int] = []
        self.kept_days: list[float] = []
        self.open: list[tuple[int, int]] = []

    def _born(self) -> Life:
        self.files.left = 0
        life = Life(
            self.site,
            self.files,
            self.clock,
            self.source,
            Oracle(real_every=0),
            self.ledger,
            self.chance,
            self._fault,
        )
        life.revive()
        self.figures["starts"] += 1
        return life

    def _fault(self) -> str:
        fault, self.worker_fault = self.worker_fault, ""
        return fault

    def live(self, span_s: int) -> None:
        """Live for so long, and measure."""
        until = self.clock.true + span_s
        pruned_at = self.clock.true
        while self.clock.true < until:
            self._minute()
            if self.clock.true - pruned_at >= PRUNE_EVERY_S:
                pruned_at = self.clock.true
                self._prune()
        self._measure()

    def _minute(self) -> None:
        began = self.clock.true
        if self.planted == "memory":
            self.leaked.append(grown(LEAK))
        if self.planted == "files":
            self.leaked.append(os.dup(0))
        self.clock.sleep(max(0.0, self.life.agenda.left_s()))
        self._trouble()
        report = self.life.tick()
        self.figures["ticks"] += 1
        self.figures["not recorded"] += any(stage.name == "record" for stage in report.failures)
        minutes = max(1, round((self.clock.true - began) / 60))
        self.figures["minutes"] += minutes
        current = self.life.newest.current
        self.figures["answered"] += minutes if current is not None else 0
        if current is not None:
            age_s = self.clock.true - self.source.shown_at.get(current.snapshot_at, self.clock.true)
            stale = current.stale(self.clock.now())
            self.figures["stale minutes"] += minutes if stale else 0
            self.figures["falsely fresh"] += age_s > 361 and not stale
        if len(self.source.shown) > 3_000:
            self.source.shown.clear()
            self.source.shown_at.clear()
        self.source.cluster.ended = self.source.cluster.ended[-3_000:]

    def _trouble(self) -> None:
        chance, source = self.chance, self.source
        if chance.random() < 1 / 720:
            self.outage_until = self.clock.true + chance.choice((300, 1_800, 7_200))
        away = self.clock.true < self.outage_until
        lies = chance.choice(LOOKS) if chance.random() < 0.01 else ""
        source.look = chance.choice(("timeout", "unreachable")) if away else lies
        source.past = "unreachable" if away else chance.choice(PASTS) * (chance.random() < 0.02)
        self.worker_fault = chance.choice(WORKER_FAULTS) if chance.random() < 0.005 else ""
        if chance.random() < 0.02:
            self.files.left = chance.randrange(1, 30)
        if chance.random() < 1 / 700:
            self.clock.set_by = chance.choice((-3_600, -60, 0, 60, 3_600))
        if chance.random() < 1 / 300:
            self.life.rounds.close()
            self.clock.sleep(2)
            self.life = self._born()

    def _prune(self) -> None:
        if self.planted == "kept":
            return
        try:
            self.life.rounds.prune()
        except StorageError:
            self.figures["not pruned"] += 1

    def _measure(self) -> None:
        oldest = self.clock.true - KEEP_DAYS * DAY_S + 3 * HOUR_S
        for at in [at for at in self.ledger.snapshots if at < oldest]:
            del self.ledger.snapshots[at]
        if self.planted == "lost":
            for whole in sorted(self.site.recording.path.glob(SEGMENTS))[:-1]:
                whole.unlink()
        reader = open_for_reading(self.site.recording.path)
        self.kept_days.append((self.clock.true - min(reader.instants)) / DAY_S)
        lost = self.ledger.snapshots.keys() - set(reader.instants)
        self.figures["lost"] += len(lost)
        if lost:
            self.found.append(f"day {len(self.sizes)}: {len(lost)} snapshots are lost")
        # What the simulated cluster remembers is not the daemon's.
        self.source.shown.clear()
        self.source.shown_at.clear()
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        self.rss_mib.append(pages * os.sysconf("SC_PAGE_SIZE") / 2**20)
        self.sizes.append(reader.size_bytes)
        self.open.append((len(list(Path("/proc/self/fd").iterdir())), threading.active_count()))
        print(f"day {len(self.sizes)}: {self.rss_mib[-1]:.1f} MiB", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the last life, and let go of what was planted."""
        self.life.rounds.close()
        for leaked in self.leaked:
            if isinstance(leaked, int):
                os.close(leaked)

    def told(self) -> dict[str, object]:
        """Return the figures, and note what is not as it should be."""
        told: dict[str, object] = dict(self.figures)
        minutes = max(1, self.figures["minutes"])
        told["days"] = len(self.sizes)
        told["calls_per_minute"] = round(len(self.source.asked_at) / minutes, 3)
        told["availability"] = round(self.figures["answered"] / minutes, 6)
        told["rss_mib"] = round(self.rss_mib[-1], 1) if self.rss_mib else None
        warm = self.rss_mib[WARM_DAYS:]
        if len(warm) > 2:
            slope = linear_regression(range(len(warm)), warm).slope * 30
            told["rss_slope_mib_per_30_days"] = round(slope, 2)
            if slope > STEEPEST_MIB:
                self.found.append(f"memory grows by {slope:.0f} MiB in 30 days")
        told["kept_days_most"] = round(max(self.kept_days, default=0), 2)
        if max(self.kept_days, default=0) > KEEP_DAYS + LATE_DAYS:
            self.found.append(f"{told['kept_days_most']} days are kept instead of {KEEP_DAYS}")
        told["recording_mib"] = [round(size / 2**20, 2) for size in self.sizes[-3:]]
        told["files_and_threads"] = [min(self.open), max(self.open)] if self.open else []
        if self.open and max(self.open)[0] > min(self.open)[0] + 3:
            self.found.append(f"open files: {min(self.open)[0]} to {max(self.open)[0]}")
        if self.figures["falsely fresh"]:
            self.found.append(f"{self.figures['falsely fresh']} answers were falsely fresh")
        return told


def soaked(
    days: int, nodes: int, seed: int, until: float = inf, planted: str = "", day_s: int = DAY_S
) -> Soak:
    """Live through so many days of `day_s`, or as many as there is time for."""
    with (
        silence(),
        tempfile.TemporaryDirectory() as folder,
        mock.patch.multiple("predictor.arrivals.log", **SUBMISSIONS),
    ):
        soak = Soak(Path(folder), nodes, seed, planted)
        for _ in range(days):
            if time.monotonic() > until:
                break
            soak.live(day_s)
        soak.close()
    return soak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="it begins no day after")
    parser.add_argument("--seeded-fault", choices=FAULTS, default="", help="it must be found")
    options = parser.parse_args()
    begun = time.monotonic()
    until = begun + options.seconds
    soak = soaked(options.days, options.nodes, options.seed, until, options.seeded_fault)
    told = soak.told()
    return finish("soak", told, soak.found, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
