"""The n-th call to the disk fails, for every n of everything that the daemon writes.

    python tests/campaigns/io_faults.py [--cases 6000] [--scenario pruning]

Of each scenario every call fails, once or from then on: EIO, ENOSPC, EINTR, half a write, a slow
one; and every call to the index. Then the process is killed, or the power goes off, by turns, and
the daemon is started again on a sound disk: all that was acknowledged has to be there, and it has
to go on. A failed fsync loses what it was to make safe.
"""

import argparse
import errno
import shutil
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from random import Random

from campaigns.scenarios import SCENARIOS, Doing, Scene, twin
from campaigns.seeds import finish
from campaigns.simulated_disk import Fault
from campaigns.whole_system import quiet_site

from predictor.errors import StorageError
from predictor.site import Site
from predictor.storage.index import Index

FAULTS: dict[str, tuple[Fault, bool]] = {
    "EIO": (errno.EIO, False),
    "ENOSPC": (errno.ENOSPC, False),
    "EINTR": (errno.EINTR, False),
    "short": ("short", False),
    "slow": ("slow", False),
    "EIO from then on": (errno.EIO, True),
    "ENOSPC from then on": (errno.ENOSPC, True),
    "short, then full": ("short", True),
}
"""The fault, and whether it stays."""
INDEX_MOST = 20
"""So many calls to the index at most are made in a scenario."""
INDEX_CALLS = ("scans", "put", "add", "keep_only", "knows")


def inject(scene: Scene, doing: Doing, n: int, fault: Fault, stays: bool) -> bool:
    """Let the n-th call fail; return whether there was one. Raises Broken, AssertionError."""
    struck = False

    def strike(call: str) -> Fault:
        nonlocal struck
        if scene.disk.calls < n or (scene.disk.calls > n and not stays):
            return None
        struck = True
        return fault if scene.disk.calls == n or fault != "short" else errno.ENOSPC

    scene.disk.calls = 0
    scene.disk.strike = strike
    scene.disk.wait = lambda: scene.clock.sleep(3)
    with suppress(StorageError):  # it does not start: somebody reads that in the log
        doing(scene)
    scene.end()
    if n % 2:
        scene.disk = scene.disk.after_power_loss(Random(n), 0.0)
    if struck:
        scene.check()
    return struck


@contextmanager
def failing_index(n: int) -> Iterator[list[int]]:
    """Let the n-th call to the index fail, and count them."""
    calls, whole = [0], {name: getattr(Index, name) for name in INDEX_CALLS}

    def failing(name):
        def call(self, *arguments):
            calls[0] += 1
            if calls[0] == n:
                raise sqlite3.OperationalError("disk I/O error")
            return whole[name](self, *arguments)

        return call

    for name in INDEX_CALLS:
        setattr(Index, name, failing(name))
    try:
        yield calls
    finally:
        for name, method in whole.items():
            setattr(Index, name, method)


def injections(site: Site, names: list[str]) -> Iterator[tuple[str, Scene, Doing, str, int]]:
    """Yield scenario, scene, doing, fault and n: all there are."""
    for name in names:
        begin, doing = SCENARIOS[name]
        _fresh(site)
        scene = begin(site, 1)
        count = _calls(scene, doing)
        for fault in FAULTS:
            for n in range(1, count + 1):
                yield name, scene, doing, fault, n
        for n in range(1, INDEX_MOST + 1):
            yield name, scene, doing, "index", n


def campaign(
    site: Site, cases: int, names: list[str], seed: int = 1, until: float = inf
) -> tuple[Counter[str], list[str]]:
    """Inject up to so many faults, each another one; return figures and findings."""
    figures: Counter[str] = Counter()
    found: list[str] = []
    all_of_it = list(injections(site, names))
    figures["possible"] = len(all_of_it)
    Random(seed).shuffle(all_of_it)
    for name, scene, doing, fault, n in all_of_it[:cases]:
        if time.monotonic() > until:
            break
        _fresh(site)
        try:
            struck = _one(twin(scene), doing, fault, n)
            figures[name] += struck
            figures["injections"] += struck
        except Exception as error:
            found.append(f"{name}: call {n}, {fault}: {type(error).__name__}: {error}")
    return figures, found


def _one(scene: Scene, doing: Doing, fault: str, n: int) -> bool:
    if fault != "index":
        return inject(scene, doing, n, *FAULTS[fault])
    with failing_index(n) as calls:
        doing(scene)
        scene.end()
        if calls[0] >= n:
            scene.check()
        return calls[0] >= n


def _calls(scene: Scene, doing: Doing) -> int:
    other = twin(scene)
    disk = other.disk
    disk.calls = 0
    doing(other)
    other.end()
    return disk.calls


def _fresh(site: Site) -> None:
    shutil.rmtree(site.recording.path, ignore_errors=True)
    site.recording.path.mkdir()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=6_000)
    parser.add_argument("--seed", type=int, default=1, help="in which order")
    parser.add_argument("--seconds", type=float, default=inf, help="it ends then")
    parser.add_argument("--scenario", action="append", choices=SCENARIOS)
    options = parser.parse_args()
    begun = time.monotonic()
    with quiet_site() as site:
        names = options.scenario or list(SCENARIOS)
        until = begun + options.seconds
        figures, found = campaign(site, options.cases, names, options.seed, until)
    return finish("io_faults", figures, found, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
