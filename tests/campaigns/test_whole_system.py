"""Some courses of the whole system, and whether each promise can be seen to be broken."""

from dataclasses import replace

import pytest
from campaigns.promises import PROMISES, Broken
from campaigns.simulated_daemon import Oracle
from campaigns.simulated_disk import Inode, MemoryDisk
from campaigns.whole_system import course, quiet_site

from predictor.errors import StorageError
from predictor.service import rounds, tick
from predictor.service.published import Board, Published
from predictor.service.rounds import Rounds
from predictor.service.watches import deciding
from predictor.service.watches.store import Watches
from predictor.service.watches.watch import Told
from predictor.storage import writer

SEEDS = range(25)
ENOUGH = range(100)
"""In so many courses a planted fault must show."""


@pytest.fixture(scope="module")
def site():
    with quiet_site() as site:
        yield site


def test_all_promises_are_kept(site):
    ticks = sum(course(seed, site)["ticks"] for seed in SEEDS)
    assert ticks > 8 * len(SEEDS)


def test_a_seed_tells_the_same_story_each_time(site, capsys):
    stories = []
    for _ in range(2):
        course(7, site, tell=True)
        told = capsys.readouterr().out.splitlines()
        stories.append([line for line in told if "disk:" not in line])
    assert stories[0] == stories[1]


def plant_1(planting):
    """Nothing is ever fsynced."""
    planting.setattr(Inode, "synced", lambda self: None)


def plant_2(planting):
    """What is recorded is not what was seen."""
    write = writer.lml.write
    other = lambda seen: replace(seen, pending=tuple(_longer(job) for job in seen.pending))  # noqa: E731
    fake = type("lml", (), {"write": staticmethod(lambda seen: write(other(seen)))})
    planting.setattr(writer, "lml", fake)
    planting.setattr("campaigns.whole_system.check_kept", lambda *_: None)


def _longer(job):
    request = replace(job.spec.request, limit_s=job.spec.request.limit_s + 3_600)
    return replace(job, spec=replace(job.spec, request=request))


def plant_3(planting):
    """A forecast is hung up with the snapshot before."""
    publish = tick.publication
    before = []

    def mixed(snapshot, forecast, *more):
        before.append(snapshot)
        return publish(before[-2] if len(before) > 1 else snapshot, forecast, *more)

    planting.setattr(tick, "publication", mixed)


def plant_4(planting):
    """A start is told that lies before the snapshot."""
    planned = Oracle.likely

    def early(self, *arguments):
        made = planned(self, *arguments)
        told = tuple(replace(one, start_at=made.snapshot_at - 1) for one in made.predictions)
        return replace(made, predictions=told)

    planting.setattr(Oracle, "likely", early)


def plant_5(planting):
    """Our own clock is believed, also when it was set back."""
    planting.setattr(Published, "as_of", lambda self, clock: self)


def plant_6(planting):
    """A damaged index ends the start."""
    planting.setattr(MemoryDisk, "lock", _refuse)


def _refuse(_self, _path):
    raise StorageError("the lock of a process that is gone")


def plant_7(planting):
    """A look that failed is repeated at once."""
    planting.setattr(rounds, "pause_s", lambda *_: 1.0)


def plant_8(planting):
    """The board keeps all results."""
    put, kept = Board.put, []

    def hoard(self, result):
        kept.append(result)
        put(self, result)

    planting.setattr(Board, "put", hoard)


def plant_9(planting):
    """After three failures nothing is looked at any more."""
    observe = Rounds._observe

    def weary(self):
        if self._failures > 2:
            raise ZeroDivisionError
        return observe(self)

    planting.setattr(Rounds, "_observe", weary)


def plant_10(planting):
    """What watches told is forgotten, and who runs is taken for one who has just begun."""
    planting.setattr(Watches, "settle", lambda self, decision: None)
    planting.setattr(deciding._Judging, "_met", lambda self, rows: Told())


PLANTS = {
    number: globals()[f"plant_{number}"] for number in PROMISES if f"plant_{number}" in globals()
}


def test_there_is_a_fault_for_each_promise():
    assert PLANTS.keys() == PROMISES.keys()


@pytest.mark.parametrize("number", PLANTS, ids=PROMISES.get)
def test_a_planted_fault_is_found(number, monkeypatch):
    with monkeypatch.context() as planting, quiet_site() as site:
        PLANTS[number](planting)
        found = next(filter(None, (_broken(seed, site) for seed in ENOUGH)), None)
    assert found is not None, f"not in {len(ENOUGH)} courses"
    assert found.number == number, found


def _broken(seed, site):
    try:
        course(seed, site)
    except Broken as broken:
        return broken
    return None
