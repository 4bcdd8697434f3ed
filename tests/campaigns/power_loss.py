"""The power goes off before any call to the disk, and of what was not fsynced anything may be left.

    python tests/campaigns/power_loss.py [--cases 20000] [--seed 1]

Each scenario's calls are recorded; of the disk before each of them as many survivors are drawn as
asked for: none, all, or any of the unsynced sectors and names, in any order. Each survivor is
opened as after a restart: all that was acknowledged has to be there, the ledger of the past must be
no older than the snapshots, what lies beside the recording is whole or not there, and recording
goes on, in a number of calls that does not grow.
"""

import argparse
import hashlib
import shutil
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import inf
from random import Random

from campaigns.promises import MOST_CALLS_TO_START, Broken, check_kept
from campaigns.scenarios import SCENARIOS, Scene, twin
from campaigns.seeds import finish
from campaigns.simulated_disk import Fault, MemoryDisk
from campaigns.whole_system import quiet_site

from predictor.service import ledger as past_ledger
from predictor.service import memory
from predictor.service.watches.store import Watches, file_of
from predictor.site import Site
from predictor.storage import open_for_reading, open_for_writing

SHARES = (0.0, 1.0, 0.5, 0.9, 0.1)
"""With what probability each piece survives; the rest of the draws take any."""

SECTORS = (512, 64)
"""Writes are torn at these bounds: that of disks, and a finer one."""
DRAWS = 24
"""Of each moment at which anything may be lost."""
WITH_INDEX = 8
"""Each so many-th survivor is opened with an index, which takes longest."""
LATER_S = 1_800


@dataclass(frozen=True, slots=True)
class Moment:
    """The disk before a call, and what had been promised by then."""

    disk: MemoryDisk
    snapshots: int
    answers: int
    pasts: tuple[bytes, ...]
    """The contents that the ledger of the past had, one after the other."""
    past_of: dict[int, int]
    """Which of them was the newest when a snapshot was acknowledged, by its instant."""


def moments(scene: Scene, doing) -> Iterator[Moment]:
    """Run it, and return the disk before each of its calls that change something."""
    found: list[Moment] = []
    pasts: list[bytes] = []
    past_of: dict[int, int] = {}
    file = past_ledger.file_of(scene.site.recording.path)
    before = len(scene.ledger.snapshots)

    def strike(_call: str) -> Fault:
        inode = scene.disk.now.get(file)
        if inode is not None and (not pasts or pasts[-1] != bytes(inode.content)):
            pasts.append(bytes(inode.content))
        for at in list(scene.ledger.snapshots)[before:]:
            past_of.setdefault(at, len(pasts) - 1)
        found.append(
            Moment(
                disk=scene.disk.copy(),
                snapshots=len(scene.ledger.snapshots),
                answers=len(scene.ledger.answers),
                pasts=tuple(pasts),
                past_of=dict(past_of),
            )
        )
        return None

    scene.disk.strike = strike
    doing(scene)
    scene.end()
    yield from found


def check(scene: Scene, moment: Moment, disk: MemoryDisk, *, whole: bool) -> None:
    """Raises Broken, or whatever else goes wrong. `whole`: no file was damaged before."""
    known = replace(
        scene.ledger,
        snapshots=dict(list(scene.ledger.snapshots.items())[: moment.snapshots]),
        answers=scene.ledger.answers[: moment.answers],
    )
    site, path = scene.site, scene.site.recording.path
    if any(name.name == "epoch" for name in disk.now):
        check_kept(site, disk, known, scene.gone_before, Random(1))
        _check_past(site, moment, disk)
    elif known.snapshots:
        raise Broken(1, "the whole recording is gone")
    if whole:
        memory.load(memory.file_of(path), "elm", disk)
        file = file_of(path)
        Watches(file, disk)
        if any(name.name == f"{file.name}.damaged" for name in disk.now):
            raise Broken(1, "what watches told is damaged")
    disk.calls = 0
    with open_for_writing(path, clock=scene.clock, files=disk) as writer:
        newest = max(scene.ledger.snapshots.values(), key=lambda seen: seen.taken_at)
        writer.append(replace(newest, taken_at=newest.taken_at + LATER_S))
    if disk.calls > MOST_CALLS_TO_START:
        raise Broken(6, f"{disk.calls} calls to the disk")
    at = newest.taken_at + LATER_S
    if at not in open_for_reading(path, files=disk).instants:
        raise Broken(1, "what is recorded after that is not there")


def _check_past(site: Site, moment: Moment, disk: MemoryDisk) -> None:
    newest = max(moment.past_of, default=None)
    if newest is None or moment.past_of[newest] < 0:
        return
    inode = disk.now.get(past_ledger.file_of(site.recording.path))
    content = b"" if inode is None else bytes(inode.content)
    if content not in moment.pasts[moment.past_of[newest] :]:
        raise Broken(1, f"the ledger of the past is older than the snapshot of {newest}")


def campaign(
    site: Site,
    cases: int,
    seed: int,
    until: float = inf,
    names: Collection[str] = tuple(SCENARIOS),
) -> tuple[Counter[str], list[str]]:
    """Check so many different survivors; return figures and findings."""
    figures: Counter[str] = Counter()
    found: list[str] = []
    seen: set[bytes] = set()
    while figures["states"] < cases and time.monotonic() < until:
        for name in names:
            begin, doing = SCENARIOS[name]
            _fresh(site)
            scene = twin(begin(site, seed))
            for n, moment in enumerate(list(moments(scene, doing))):
                figures["calls"] += 1
                for draw, disk in _survivors(moment, Random(f"{seed}:{name}:{n}")):
                    mark = _mark(name, moment, disk)
                    if mark in seen:
                        continue
                    seen.add(mark)
                    figures["states"] += 1
                    disk.with_index = not figures["states"] % WITH_INDEX
                    _fresh(site, there=disk.with_index)
                    try:
                        check(scene, moment, disk, whole=name != "damage")
                    except Exception as error:
                        what = f"{type(error).__name__}: {error}"
                        found.append(f"--seed {seed}, {name}: call {n}, draw {draw}: {what}")
        figures["rounds"] += 1
        seed += 1
    return figures, found


def _survivors(moment: Moment, chance: Random) -> Iterator[tuple[int, MemoryDisk]]:
    draws = DRAWS if moment.disk.unsafe else 1
    for draw in range(draws):
        share = SHARES[draw] if draw < len(SHARES) else None
        yield draw, moment.disk.after_power_loss(chance, share, SECTORS[draw % len(SECTORS)])


def _mark(name: str, moment: Moment, disk: MemoryDisk) -> bytes:
    """Tell apart what is found and what was promised."""
    digest = hashlib.blake2b(f"{name} {moment.snapshots} {moment.answers}".encode())
    for path, inode in sorted(disk.now.items()):
        digest.update(f"{path.name} {len(inode.content)} ".encode())
        digest.update(inode.content)
    return digest.digest()


def _fresh(site: Site, *, there: bool = True) -> None:
    shutil.rmtree(site.recording.path, ignore_errors=True)
    if there:
        site.recording.path.mkdir()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="it begins no round after")
    options = parser.parse_args()
    begun = time.monotonic()
    with quiet_site() as site:
        figures, found = campaign(site, options.cases, options.seed, begun + options.seconds)
    return finish("power_loss", figures, found, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
