"""A queue to one place: order, patience, bounds."""

import logging
import threading
import time
from dataclasses import replace

import pytest
from watching import NOTICE

from predictor.clock import SystemClock
from predictor.service.metrics import Metrics
from predictor.service.published import Board
from predictor.service.watches.lane import Lane, Patience
from predictor.service.watches.sending import NotSent

QUICK = Patience(first_pause_s=0.01, longest_pause_s=0.05, lifetime_s=0.5, most=3)


class Place:
    """Takes notices as it is told to: for each attempt None, or what is raised."""

    def __init__(self, *script):
        self.script = list(script)
        self.got = []
        self.tried = 0
        self.open = threading.Event()
        self.open.set()

    def __call__(self, notice):
        self.open.wait(10)
        self.tried += 1
        error = self.script.pop(0) if self.script else None
        if error is not None:
            raise error
        self.got.append(notice.id)


LATER, NEVER = NotSent("answered 503", again=True), NotSent("answered 404", again=False)


class Scene:
    def __init__(self, place, patience=QUICK):
        self.metrics = Metrics(Board())
        self.lane = Lane("chat", place, self.metrics.notices, SystemClock(), patience)

    def put(self, *ids):
        for id_ in ids:
            self.lane.put(replace(NOTICE, id=id_))

    def count(self, name):
        labels = {"kind": "soon", "method": "mail"}
        return self.metrics.registry.get_sample_value(f"queuecast_notices_{name}", labels)

    def counts(self):
        totals = (self.count(f"{name}_total") for name in ("sent", "failed", "dropped"))
        return (*totals, self.count("queued"))

    def until(self, sent=0, failed=0, dropped=0, queued=0):
        wanted, until = (sent, failed, dropped, queued), time.monotonic() + 5
        while self.counts() != wanted and time.monotonic() < until:
            time.sleep(0.005)
        assert self.counts() == wanted


@pytest.fixture
def scene():
    made = []

    def make(place, patience=QUICK):
        made.append(Scene(place, patience))
        return made[-1]

    yield make
    for one in made:
        one.lane.stop()


def test_notices_go_in_the_order_in_which_they_came(scene):
    place = Place()
    here = scene(place)
    here.put("1", "2", "3")
    here.until(sent=3)
    assert place.got == ["1", "2", "3"]


def test_what_failed_is_tried_again_and_delays_nobody(scene):
    place = Place(LATER)
    here = scene(place)
    here.put("1", "2")
    here.until(sent=2, failed=1)
    assert place.got == ["2", "1"]


def test_what_cannot_help_is_not_tried_again(scene, caplog):
    place = Place(NEVER)
    here = scene(place)
    with caplog.at_level(logging.WARNING, "queuecast"):
        here.put("1")
        here.until(failed=1, dropped=1)
    assert place.tried == 1
    assert "a notice was given up" in caplog.text


def test_nobody_is_tried_for_ever(scene):
    place = Place(*[LATER] * 1_000)
    here = scene(place)
    here.put("1")
    until = time.monotonic() + 5
    while here.count("dropped_total") == 0 and time.monotonic() < until:
        time.sleep(0.01)
    assert (here.count("dropped_total"), here.count("queued")) == (1, 0)
    assert 5 < place.tried < 60


def test_what_does_not_fit_is_dropped_and_putting_never_waits(scene):
    place = Place()
    place.open.clear()
    here = scene(place)
    here.put("0")
    until = time.monotonic() + 5
    while here.lane._queue and time.monotonic() < until:
        time.sleep(0.005)
    begun = time.monotonic()
    here.put(*map(str, range(1, 6)))
    assert time.monotonic() - begun < 0.5
    here.until(dropped=2, queued=4)
    place.open.set()
    here.until(sent=4, dropped=2)


def test_a_fault_of_ours_costs_one_notice_and_not_the_lane(scene):
    place = Place(ZeroDivisionError("oh"))
    here = scene(place)
    here.put("1", "2")
    here.until(sent=1, failed=1, dropped=1)


def test_the_end_does_not_wait_for_who_hangs(scene):
    place = Place()
    place.open.clear()
    here = scene(place)
    here.put("1")
    begun = time.monotonic()
    here.lane.stop()
    assert time.monotonic() - begun < 0.5
    place.open.set()


def test_pauses_grow_to_a_bound_and_are_not_all_the_same():
    usual = Patience()
    assert [usual.pause_s(n, 0.0) for n in (1, 2, 3, 5, 6, 100)] == [5, 10, 20, 80, 120, 120]
    assert usual.pause_s(1, 0.99) == pytest.approx(2.525)
