"""What a daemon does to its disk, in pieces small enough to fail at each call."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from campaigns.promises import check_kept
from campaigns.simulated_cluster import Cluster, FaultySource, VirtualClock
from campaigns.simulated_daemon import Ledger, Life, Oracle
from campaigns.simulated_disk import MemoryDisk

from predictor.domain.durations import DAY_S
from predictor.errors import StorageError
from predictor.service import ledger as past_ledger
from predictor.service import memory
from predictor.service.watches.store import file_of
from predictor.site import Site
from predictor.storage.catalogue import segment_number

BEGIN = 1_700_000_000


class Scene:
    """A daemon on a disk of its own, and what it has promised so far."""

    def __init__(self, site: Site, seed: int = 1) -> None:
        self.site = site
        self.clock = VirtualClock(BEGIN)
        self.cluster = Cluster(Random(seed), BEGIN - 900, size=2, every_s=100, ids=10_000)
        self.source = FaultySource(self.cluster, self.clock, Random(2))
        self.disk = MemoryDisk()
        self.ledger = Ledger()
        self.gone_before = 0
        self.life: Life | None = None

    def start(self) -> None:
        """Begin, and answer from what is recorded. Raises StorageError."""
        self.life = Life(
            self.site,
            self.disk,
            self.clock,
            self.source,
            Oracle(real_every=0),
            self.ledger,
            Random(3),
        )
        self.life.revive()

    def minutes(self, count: int) -> None:
        """Look so many times."""
        for _ in range(count):
            assert self.life is not None
            self.clock.sleep(max(0.0, self.life.agenda.left_s()))
            self.life.tick()

    def watch(self) -> None:
        """Have users watch their jobs."""
        assert self.life is not None
        self.life.watch()

    def prune(self, *, days: int = 0) -> None:
        """Remove what is not kept, so many days later."""
        assert self.life is not None
        self.clock.sleep(days * DAY_S)
        self.gone_before = int(self.clock.now()) - DAY_S + 1
        with suppress(StorageError):
            self.life.rounds.prune()

    def end(self, killed: bool = True) -> None:
        """End, by kill or cleanly."""
        if self.life is not None:
            if not killed:
                self.life.rounds.reload(lambda: self.site)
            self.life.rounds.close()
            self.life = None
        self.disk = self.disk.killed()

    def check(self) -> None:
        """Start on a sound disk, look, and see whether all is kept. Raises Broken, StorageError."""
        check_kept(self.site, self.disk, self.ledger, self.gone_before, Random(4))
        self.clock.sleep(60)
        before = len(self.ledger.snapshots)
        self.start()
        self.minutes(1)
        assert self.life is not None
        self.life.rounds.close()
        self.life = None
        assert len(self.ledger.snapshots) == before + 1, "it does not go on"
        check_kept(self.site, self.disk, self.ledger, self.gone_before, Random(4))

    def newest_segment(self) -> Path:
        """The file of the newest segment."""
        return max(path for path in self.disk.now if segment_number(path.name) is not None)


def of_minutes(site: Site, seed: int = 1, count: int = 5) -> Scene:
    """A daemon that has looked so many times and was killed."""
    scene = Scene(site, seed)
    scene.start()
    scene.watch()
    scene.minutes(count)
    scene.end()
    return scene


def damaged(scene: Scene) -> Scene:
    """The same with what lies beside the recording damaged."""
    path = scene.site.recording.path
    for file in (memory.file_of(path), file_of(path), past_ledger.file_of(path)):
        if file in scene.disk.now:
            scene.disk.now[file].cut(len(scene.disk.now[file].content) // 2)
    return scene


def torn(scene: Scene) -> Scene:
    """The same with the last record cut in half, and not acknowledged."""
    inode = scene.disk.now[scene.newest_segment()]
    inode.cut(len(inode.content) - 20)
    scene.ledger.answers.pop()
    return scene


Begin = Callable[[Site, int], Scene]
"""Makes a scene, by a seed for its cluster."""
Doing = Callable[[Scene], None]


def _begin(scene: Scene) -> None:
    scene.start()
    scene.minutes(1)


def _minutes(scene: Scene) -> None:
    scene.start()
    scene.minutes(5)


def _watched(scene: Scene) -> None:
    scene.start()
    scene.watch()
    scene.minutes(2)


def _pruned(scene: Scene) -> None:
    scene.start()
    scene.minutes(1)
    scene.prune(days=2)
    scene.minutes(1)


def _reloaded(scene: Scene) -> None:
    scene.start()
    scene.minutes(1)
    scene.end(killed=False)


SCENARIOS: dict[str, tuple[Begin, Doing]] = {
    "first start": (Scene, _begin),
    "start": (of_minutes, _begin),
    "minutes": (Scene, _minutes),
    "rotation": (of_minutes, _minutes),
    "watches": (Scene, _watched),
    "pruning": (lambda site, seed: of_minutes(site, seed, 7), _pruned),
    "recovery": (lambda site, seed: torn(of_minutes(site, seed)), _begin),
    "damage": (lambda site, seed: damaged(of_minutes(site, seed)), _begin),
    "reload": (of_minutes, _reloaded),
}
"""How it begins, and what is then done while the disk fails."""


def twin(scene: Scene) -> Scene:
    """Return a scene that goes on from there, with nothing in common."""
    other = Scene(scene.site)
    other.clock = VirtualClock(scene.clock.true)
    other.cluster = replace(
        scene.cluster,
        chance=Random(5),
        waiting=[replace(job) for job in scene.cluster.waiting],
        running=[replace(job) for job in scene.cluster.running],
        ended=list(scene.cluster.ended),
    )
    other.cluster.next_at = scene.cluster.next_at
    other.source = FaultySource(other.cluster, other.clock, Random(2))
    other.disk = scene.disk.copy()
    other.ledger = Ledger(
        snapshots=dict(scene.ledger.snapshots),
        answers=list(scene.ledger.answers),
        watches=set(scene.ledger.watches),
    )
    other.gone_before = scene.gone_before
    return other
