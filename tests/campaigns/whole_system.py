"""The whole system from one number: cluster, clock, disk, worker and daemon, and what goes wrong.

    python tests/campaigns/whole_system.py --seeds 0:1000 [--processes 2]
    python tests/campaigns/whole_system.py --seed 17 -v

Real are the rounds of the daemon with all that they do: the gate, the recording, the ledger of the
past, learning, publishing, answering, watches, retention. Simulated are time, chance, the disk, the
worker's process, the timer and the batch system. Every fourth look is forecast by the real
predictor, the others by a plain plan; windows are plain always.
"""

import argparse
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from random import Random

from campaigns.promises import (
    MOST_CALLS_TO_START,
    Broken,
    check_age,
    check_answer,
    check_calls,
    check_kept,
    check_memory,
    check_notices,
    check_replayed,
    results,
)
from campaigns.seeds import finish, in_processes
from campaigns.silence import silence
from campaigns.simulated_cluster import LOOKS, PASTS, Cluster, FaultySource, VirtualClock
from campaigns.simulated_daemon import (
    KEEP_DAYS,
    WORKER_FAULTS,
    Ledger,
    Life,
    Oracle,
    site_of,
)
from campaigns.simulated_disk import Fault, Killed, MemoryDisk, PowerLoss

from predictor.clock import AHEAD_S
from predictor.domain.durations import DAY_S
from predictor.errors import StorageError
from predictor.garbage import collect_seldom
from predictor.service.watches.watch import Notice
from predictor.site import Site
from predictor.storage import segment

BEGIN = 1_700_000_000
STEPS = 8
HEALTHY_STEPS = 3
ERRNOS = (5, 28, 4)
"""EIO, ENOSPC, EINTR."""
CLOCK_STEPS_S = (-1, 1, -60, 60, -3_600, 3_600, -86_400, 86_400, -315_360_000, 315_360_000)


class World:
    """One course of things, decided by a seed."""

    def __init__(self, seed: int, site: Site, tell: bool = False) -> None:
        self.seed = seed
        self.site = site
        self.others = results() if self._looks_at_memory else 0
        self.tell = tell
        self.figures: Counter[str] = Counter()
        self.chance = Random(f"{seed}:course")
        self.fates = Random(f"{seed}:disk")
        self.clock = VirtualClock(BEGIN + self.chance.randrange(365 * DAY_S))
        self.cluster = Cluster(
            Random(f"{seed}:cluster"),
            int(self.clock.true) - 1_200,
            size=self.chance.choice((2, 4, 6)),
            every_s=self.chance.choice((90, 240)),
            ids=self.chance.choice((40, 10_000)),
        )
        self.source = FaultySource(self.cluster, self.clock, Random(f"{seed}:source"))
        self.source.ahead_s = self.chance.choice((0, 0, 0, -90, 90, -2_000, 2_000))
        self.disk = MemoryDisk()
        self.oracle = Oracle(real_every=4)
        self.ledger = Ledger()
        self.gone_before = 0
        self.seen_at = self.source.shown_at
        self.slack_s = 0.0
        self.born_at = self.clock.true
        self.worker_fault = ""
        self.troubled = True
        self.disk_troubled = False
        self.notices: list[Notice] = []
        self.life: Life | None = None

    def run(self) -> None:
        """Raises Broken."""
        self._begin()
        self.troubled = False
        self._step()  # of the first look nobody can tell whether it is of the right cluster
        self.troubled = True
        for _ in range(STEPS):
            self._step()
        self._heal()
        for _ in range(HEALTHY_STEPS):
            self._step()
        self._check_healthy()
        self._end()

    def say(self, text: str) -> None:
        if self.tell:
            print(f"{self.clock.true - BEGIN:12.1f}  {text}")

    def _say_disk(self) -> None:
        if self.tell and self.disk.log:
            print("\n".join(self.disk.log))
            self.disk.log.clear()

    # Births and deaths.

    def _begin(self) -> None:
        """Start the daemon, as a supervisor does: again, some time after it failed."""
        for attempt in range(8):
            if attempt == 7:
                self._calm_disk()
            try:
                self._start()
                return
            except StorageError as error:
                self.say(f"the start fails: {error}")
                self._killed()
                if attempt == 7:
                    raise Broken(
                        6, f"with a sound disk the daemon does not start: {error}"
                    ) from error
            except (PowerLoss, Killed) as end:
                self._crash(end)
            self.clock.sleep(5)

    def _start(self) -> None:
        self.disk.wait = lambda: self.clock.sleep(3)
        self.disk.log = [] if self.tell else None
        self.born_at = self.clock.true
        self.figures["starts"] += 1
        calls, begun = self.disk.calls, time.monotonic()
        self.life = Life(
            self.site,
            self.disk,
            self.clock,
            self.source,
            self.oracle,
            self.ledger,
            self.chance,
            self._next_worker_fault,
        )
        self.life.noticing.heard = self.notices
        self.life.revive()
        calls = self.disk.calls - calls
        if calls > MOST_CALLS_TO_START + 30 * len(self.disk.now):
            raise Broken(6, f"{calls} calls to the disk")
        if time.monotonic() - begun > 30:
            raise Broken(6, f"{time.monotonic() - begun:.0f} s")
        current = self.life.newest.current
        self.slack_s = 0.0
        if current is not None:  # how old a recorded snapshot is, only the clocks can tell
            told_s = current.age_s(self.clock.now())
            self.slack_s = max(0.0, self.clock.true - self.seen_at[current.snapshot_at] - told_s)
            self.say(f"up again, answering of {current.snapshot_at - BEGIN}")

    def _crash(self, end: BaseException) -> None:
        self._say_disk()
        self.say(f"--- {type(end).__name__} ---")
        self.figures[type(end).__name__] += 1
        if isinstance(end, PowerLoss):
            self._bury()
            self.disk = self.disk.after_power_loss(self.fates)
            self._lose_index()
            self.clock.sleep(self.chance.choice((30, 600, 7_200)))
        else:
            self._killed()
            self.clock.sleep(1)
        check_kept(self.site, self.disk, self.ledger, self.gone_before, self.fates)

    def _killed(self) -> None:
        self._bury()
        self.disk = self.disk.killed()

    def _bury(self) -> None:
        """Let go of what the system would: SQLite's file, which is no simulated one."""
        if self.life is not None:
            self.life.rounds.close()
            self.life = None

    def _lose_index(self) -> None:
        """Do to the index what a loss of power may do to a file that is not fsynced."""
        for file in self.site.recording.path.glob("index.sqlite*"):
            fate = self.fates.choice(("", "", "gone", "cut", "scratched"))
            content = file.read_bytes()
            if fate == "gone":
                file.unlink()
            elif fate == "cut":
                file.write_bytes(content[: self.fates.randrange(len(content) + 1)])
            elif fate == "scratched" and content:
                at = self.fates.randrange(len(content))
                file.write_bytes(content[:at] + bytes(100) + content[at + 100 :])

    def _next_worker_fault(self) -> str:
        fault, self.worker_fault = self.worker_fault, ""
        if fault:
            self.say(f"the worker {fault}")
        return fault

    # What happens.

    def _step(self) -> None:
        if self.life is None:
            self._begin()
        assert self.life is not None
        if self.troubled:
            self._trouble()
        self.clock.sleep(max(0.0, self.life.agenda.left_s()))
        try:
            self._round(self.life)
        except (PowerLoss, Killed) as end:
            self._crash(end)
            self._begin()
        self._ask_now_and_then()

    def _round(self, life: Life) -> None:
        if self.chance.random() < 0.2:
            life.watch()
        look = self.source.look
        report = life.tick()
        if report.published is not None:
            self.slack_s = self._hidden_s(life)
        self.figures["ticks"] += 1
        self._say_disk()
        failed = ", ".join(f"{one.name}: {one.kind} {one.cause}" for one in report.failures)
        self.say(f"tick{f' ({look})' if look else ''}: {failed or 'ok'}")
        if self.troubled and self.chance.random() < 0.1:
            self._prune(life)

    def _hidden_s(self, life: Life) -> float:
        """How much older than the clocks tell it is what was first shown to an earlier life."""
        current = life.newest.current
        if current is None or self.seen_at[current.snapshot_at] >= self.born_at:
            return 0.0
        by_clocks_s = self.clock.now() - current.snapshot_at
        return max(0.0, self.clock.true - self.seen_at[current.snapshot_at] - by_clocks_s)

    def _prune(self, life: Life) -> None:
        self.gone_before = max(
            self.gone_before, int(self.clock.true) + self.source.ahead_s - KEEP_DAYS * DAY_S + 3_700
        )
        try:
            life.rounds.prune()
            self.say("pruned")
        except StorageError as error:
            self.say(f"not pruned: {error}")

    def _trouble(self) -> None:
        """Decide what goes wrong with the next look."""
        chance = self.chance
        self.source.look = chance.choice(LOOKS) if chance.random() < 0.35 else ""
        self.source.past = chance.choice(PASTS) if chance.random() < 0.3 else ""
        self.disk.strike = self._fault_to_come() if chance.random() < 0.4 else _no_fault
        self.disk.read_only = chance.random() < 0.05
        self.disk.capacity = self.disk.used + 500 if chance.random() < 0.07 else None
        self.disk_troubled |= self.disk.read_only or self.disk.capacity is not None
        self.worker_fault = chance.choice(WORKER_FAULTS) if chance.random() < 0.15 else ""
        if chance.random() < 0.1:
            self.cluster.until(int(self.clock.true))
            self.cluster.requeue()
        if chance.random() < 0.08:
            self._set_clock(chance.choice(CLOCK_STEPS_S))
        if chance.random() < 0.06:
            self.clock.sleep(chance.choice((200, 1_000, 20_000)))
            self.say("nobody ran for a while")

    def _set_clock(self, by_s: float) -> None:
        self.clock.set_by += by_s
        self.say(f"the clock is set by {by_s} s")
        self.figures["clock steps"] += 1

    def _fault_to_come(self):
        left = self.chance.randrange(1, 60)
        fault: Fault = self.chance.choice(
            (*ERRNOS, "short", "slow", "power", "power", "power after", "kill")
        )
        sticky = isinstance(fault, int) and self.chance.random() < 0.3

        def strike(_call: str) -> Fault:
            nonlocal left
            left -= 1
            if left == 0 or (sticky and left < 0):
                self.figures["disk faults"] += 1
                self.disk_troubled |= not isinstance(fault, str) or fault == "short"
                return fault
            return None

        return strike

    def _calm_disk(self) -> None:
        self.disk.strike, self.disk.read_only, self.disk.capacity = _no_fault, False, None

    def _heal(self) -> None:
        self.say("--- from here on all is well ---")
        self.troubled = False
        self._calm_disk()
        self.source.look = self.source.past = self.worker_fault = ""
        self.clock.set_by = 0.0
        # A snapshot dated less than AHEAD_S too late is believed, and waited for.
        self.clock.sleep(AHEAD_S + 700)

    # What is asked.

    def _ask_now_and_then(self) -> None:
        life = self.life
        assert life is not None
        check_answer(life, self.source.shown)
        check_calls(self.source.asked_at, self.source.asked_past_at, self.born_at)
        check_age(life, self.clock, self.seen_at, self.slack_s)
        self.figures["answers"] += 1
        current = life.newest.current
        if current is not None:
            due = self.seen_at[current.snapshot_at] + current.terms.stale_after_s + 2
            now = self.clock.true
            if now < due + self.slack_s:
                self.clock.true = due + self.slack_s
                check_age(life, self.clock, self.seen_at, self.slack_s)
                self.clock.true = now

    def _check_healthy(self) -> None:
        assert self.life is not None
        current = self.life.newest.current
        if current is None:
            raise Broken(9, "there is no answer")
        if self.clock.true - self.seen_at[current.snapshot_at] > 600:
            raise Broken(9, f"the answer is of {current.snapshot_at - BEGIN}")
        if current.trouble is not None:
            raise Broken(9, f"trouble: {current.trouble}")
        if current.snapshot_at not in self.ledger.snapshots:
            raise Broken(9, "it is not recorded")

    @property
    def _looks_at_memory(self) -> bool:
        return self.seed % 8 == 0

    def _end(self) -> None:
        assert self.life is not None
        if self._looks_at_memory:
            check_memory(self.others)
        self.life.stop()
        if not self.disk_troubled:  # what could not be kept is told all the same
            check_notices(self.notices)
        check_kept(self.site, self.disk, self.ledger, self.gone_before, self.fates)
        check_replayed(self.site, self.disk, self.oracle.said[:1])
        self.figures["snapshots"] = len(self.ledger.snapshots)
        self.figures["replayed"] += len(self.oracle.said[:1])
        self.figures["notices"] = len(self.notices)


def _no_fault(_call: str) -> Fault:
    return None


@contextmanager
def quiet_site() -> Iterator[Site]:
    """A site of its own, in memory as far as the system allows; short segments, nothing logged."""
    shm = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=shm if shm.is_dir() else None))
    length = segment.SNAPSHOTS
    segment.SNAPSHOTS = 4
    try:
        with silence():
            yield site_of(folder)
    finally:
        segment.SNAPSHOTS = length
        shutil.rmtree(folder)


def course(seed: int, site: Site, tell: bool = False) -> Counter[str]:
    """Run one; return its figures. Raises Broken."""
    shutil.rmtree(site.recording.path, ignore_errors=True)
    world = World(seed, site, tell)
    world.run()
    return world.figures


def courses(seeds: range) -> tuple[Counter[str], list[str]]:
    """Run them one after the other; return figures, and what was found."""
    figures: Counter[str] = Counter()
    found = []
    collect_seldom()
    with quiet_site() as site:
        for seed in seeds:
            figures["seeds"] += 1
            try:
                figures += course(seed, site)
            except Exception as error:
                found.append(f"--seed {seed}: {type(error).__name__}: {error}")
    figures["rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return figures, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0:200", metavar="A:B")
    parser.add_argument("--seed", type=int, help="one of them")
    parser.add_argument("-v", action="store_true", help="tell its story")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="it ends then, about")
    options = parser.parse_args()
    if options.seed is not None:
        with quiet_site() as site:
            print(dict(course(options.seed, site, options.v)))
        return 0
    first, _, last = options.seeds.partition(":")
    begun = time.monotonic()
    seeds, until = range(int(first), int(last)), begun + options.seconds
    figures, found = in_processes(courses, seeds, options.processes, until)
    return finish("whole_system", figures, found, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
